/* The one way through a file of text with a body a line: its lines are taken one after the other
 * and their rows put into the columns. What a line means is its format's. */
#ifndef SIM_FORMATS_TEXT_ROWS_H
#define SIM_FORMATS_TEXT_ROWS_H

#include "sim/formats/words.h"

enum text_line { TEXT_ROW, TEXT_NO_ROW, TEXT_END /* nothing behind it is read */ };

/* What a line is, whose row goes into *row; `line` is the parser's to change. Before the first row
 * it sets has_galaxies and has_ids of `rows`, which counts its rows in snapshot->bodies later. */
typedef enum status (*text_parse)(void *user, struct place at, char *line, struct body_rows *rows,
                                  struct body_row *row, enum text_line *what);

/* STATUS_USAGE, too, for a file without a single row: its sentence ends with `advice`. */
enum status text_rows_read(const char *path, struct snapshot *out, text_parse parse, void *user,
                           const char *advice);

#endif
