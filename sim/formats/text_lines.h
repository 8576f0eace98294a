/* Lines of a text file, which may be packed, in bounded memory for any length of line. The text is
 * UTF-8 or UTF-16, with or without a byte order mark; a line ends with LF, CRLF or CR. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

enum { TABLE_LINE_MAX = 32768 };

struct table_lines;

/* STATUS_IO when the file cannot be opened. Keeps `path`, which must outlive it. */
enum status table_lines_open(struct table_lines **out, const char *path);
void table_lines_close(struct table_lines **lines); /* accepts a pointer to NULL */

/* The next line as UTF-8, without its end (which the last line may lack), valid until the next
 * call; NULL at the end. STATUS_IO as in body_input_read, STATUS_USAGE for a line longer than
 * TABLE_LINE_MAX bytes or with a zero byte, for UTF-32 and for half a character of UTF-16. */
enum status table_lines_next(struct table_lines *lines, char **line);

size_t table_lines_number(const struct table_lines *lines); /* of the last line, counted from 1 */

/* Converts the beginning of a file to UTF-8 without a byte order mark, in lines that end with LF.
 * `out` has room for 2 * size bytes. Returns the number of bytes written. */
size_t table_lines_plain(const unsigned char *bytes, size_t size, char *out);

/* Splits the lines of a table into fields. Quotes protect separators: "Star 0, A" is one field, and
 * two quotes within quotes are one; single quotes do if they enclose the whole field. */

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
