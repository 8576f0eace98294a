/* Text files with one body per line: splits lines into words and numbers and stores each row in the
 * columns. The format decides what a line means. */
#pragma once

#include "sim/formats/bytes.h"
#include "sim/formats/snapshot.h"

#include <stdbool.h>

/* A place in a file, for messages. */
struct place {
    const char *path;
    size_t line;
};

/* Splits at white space; returns how many words there are, of which the first `room` are stored. */
int words_split(char *line, char **words, int room);

/* The text of a comment: what follows #, %, ! or // at the beginning of a line, and further such
 * characters and blanks; NULL: the line is no comment. */
const char *words_of_comment(const char *line);

/* STATUS_USAGE: the word in that column, counted from 1, is not what was expected. */
enum status words_refuse(struct place at, const char *name, int column, const char *word,
                         const char *expected);

/* Mass, position and velocity from seven words, the first of which is in `column`. */
enum status words_row(struct place at, char *const words[], int column, struct body_row *row);

/* For probes: splits the next complete line of a file's beginning that is neither blank nor a
 * comment into words, in `line`. Returns their number, 0 at the end. */
enum { WORDS_LINE = 1024 };
int words_of_head(const char **at, const char *end, char line[WORDS_LINE], char **words, int room);

/* Writes mass, position and velocity with all digits. */
void words_put(struct body_output *output, const struct bodies *bodies, size_t i, char separator);

/* Whether the whole word is a finite decimal number: no inf, nan or hexadecimal, which strtod also
 * takes. Also accepts Fortran's exponents: 1.0D-02, 1.0q3, and 1.0-114, which has lost its letter
 * to the third digit. */
bool body_number(const char *word, double *out);

/* The same, and *point says whether it has a decimal point. */
bool body_number_point(const char *word, double *out, bool *point);

/* A word read as an id. The rule is the same in all formats: whole numbers from 0 to 2^64 - 1,
 * also written as floats (1.0, 1e3) below 2^53, from which on floats may have been rounded. */
enum body_id { BODY_ID, BODY_ID_NONE /* -1, which programs without ids write */, BODY_ID_BAD };
enum body_id body_id_read(const char *word, uint64_t *out);

/* Writes the number in the fewest digits that read back the same; returns the length. */
enum { BODY_NUMBER_BYTES = 32 };
int body_number_text(double value, char text[BODY_NUMBER_BYTES]);

enum text_line { TEXT_ROW, TEXT_NO_ROW, TEXT_END /* the rest of the file is not read */ };

/* Parses a line, which it may change, and stores its row in *row; *what says what the line is.
 * Before the first row it sets has_galaxies and has_ids of `rows`, which later counts its rows in
 * snapshot->bodies. */
typedef enum status (*text_parse)(void *user, struct place at, char *line, struct body_rows *rows,
                                  struct body_row *row, enum text_line *what);

/* STATUS_USAGE also for a file without a row; that message ends with `advice`. */
enum status text_rows_read(const char *path, struct snapshot *out, text_parse parse, void *user,
                           const char *advice);

/* Tables of text, a line per body. Columns are separated by commas, semicolons, tabs or white
 * space, and named by the first line or a comment before the first row (table_names.h), in any
 * order; unknown names are additional columns. Columns without names are assumed, which the program
 * says. Numbers may have decimal commas if no field has a decimal point. */

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
