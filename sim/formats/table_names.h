/* The names of a text table's columns: from its first line, or from the comments before its first
 * row, as numpy.savetxt, astropy and TOPCAT write them. */
#pragma once

#include "sim/formats/text_lines.h"

#include <stdbool.h>
#include <stddef.h>

struct table_names {
    size_t line;            /* where they are, from 1 */
    int count;              /* 0: there are none */
    char *name[FIELDS_MAX]; /* with the unit, as column_read (columns.h) reads it */
};

/* The comments before the first row; only the last ones of very many are kept. */
struct table_comments {
    size_t count;
    struct table_comment {
        size_t line;
        char *text;
    } * list;
};

void table_names_free(struct table_names *names); /* leaves it empty */
void table_comments_free(struct table_comments *comments);

/* Copies the fields, without numbers before the names (1:x, (2) y) and with "x / kpc" as "x [kpc]".
 * Fields that are only such numbers are dropped. */
void table_names_take(struct table_names *out, const struct fields *fields, size_t line);

/* Whether the first names are mass x y z vx vy vz, after id if `ids`, without known units. */
bool table_names_begin(const struct table_names *names, bool ids);

/* How many different columns of bodies the names mean. */
int table_names_known(const struct table_names *names);

void table_comments_keep(struct table_comments *comments, const char *text, size_t line);

/* The last comment that names `count` columns, at least three of them those of bodies, or all of
 * them short words of which one is, with the units of another comment; pos and vel may stand for
 * three columns each; or comments that name one column each, with its number. If there is none,
 * `out` has the last one that names another number, at least four of them those of bodies. */
void table_comments_find(const struct table_comments *comments, int count, struct table_names *out);

/* Adds units of ECSV, in comments such as "- {name: x, unit: kpc, datatype: float64}". */
void table_comments_add_units(const struct table_comments *comments, struct table_names *names);

/* Whether the fields are units of the names, at least of one column of bodies; adds the units. */
bool table_names_add_units(struct table_names *names, const struct fields *fields);

/* The first word of a comment that is a unit of mass, length or velocity, "kpc" or "km/s", which
 * the caller frees, and its comment's line; NULL: there is none. */
char *table_comments_unit(const struct table_comments *comments, size_t *line);
