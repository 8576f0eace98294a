/* Splits the lines of a table into fields. Quotes protect separators: "Star 0, A" is one field, and
 * two quotes within quotes are one; single quotes do if they enclose the whole field. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { FIELDS_MAX = 256 };

struct fields {
    int count; /* of all fields; the first FIELDS_MAX are stored */
    int open;  /* the first column, from 1, whose double quotes do not enclose it; or 0 */
    char *at[FIELDS_MAX]; /* in the line, without quotes and surrounding blanks */
};

/* `separator` is ',', ';', '|', a tab, or ' ' for any white space. In a line of `names`, brackets
 * that are closed again also protect separators, and white space does not separate a name from
 * "[kpc]" or
 * "/ kpc". */
void fields_split(char *line, char separator, bool names, struct fields *out);

/* Removes empty fields at the end of the line, beyond the first `least`. */
void fields_drop_empty(struct fields *fields, int least);

/* Whether all fields are empty. */
bool fields_are_empty(const struct fields *fields);
