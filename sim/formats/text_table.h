/* Tables of text, a line per body. Columns are separated by commas, semicolons, tabs or white
 * space, and named by the first line or a comment before the first row (table_names.h), in any
 * order; unknown names are additional columns. Columns without names are assumed, which the program
 * says. Numbers may have decimal commas if no field has a decimal point. */
#pragma once

#include "sim/formats/text_rows.h"

/* The assumed order of columns without names. */
enum text_columns {
    TEXT_PLAIN, /* mass x y z vx vy vz, and the galaxy's index if there are eight */
    TEXT_IDS,   /* id mass x y z vx vy vz */
};

/* Reads a file. STATUS_USAGE for invalid content, with the line and the column. */
enum status text_table_read(const char *path, struct snapshot *out, enum text_columns assumed);

/* Reads only the units, from the names. */
enum status text_table_read_units(const char *path, struct snapshot *out);

/* For probes: the separator of a first line, ',', ';', '|', a tab or ' ', by which most of its
 * fields are numbers or names of columns. */
char text_table_separator(const char *line, size_t length);
