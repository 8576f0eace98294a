/* Rows of numbers separated by white space, as in the plain text formats. */
#ifndef SIM_FORMATS_WORDS_H
#define SIM_FORMATS_WORDS_H

#include "sim/formats/output.h"
#include "sim/formats/rows.h"

/* A position in a file, for messages. */
struct place {
    const char *path;
    size_t line;
};

/* Splits at white space; returns the number of words and stores the first `room`. */
int words_split(char *line, char **words, int room);

/* Whether a line begins a comment with #. */
bool words_are_comment(const char *line);

/* STATUS_USAGE: the word in that column, counted from 1, is not what was expected. */
enum status words_refuse(struct place at, const char *name, int column, const char *word,
                         const char *expected);

/* Parses mass, position and velocity from seven words, the first of which is in `column`. */
enum status words_row(struct place at, char *const words[], int column, struct body_row *row);

/* Iterates over the lines of a file's beginning, for probes: the words of the next complete line
 * that is neither blank nor a comment, copied to `line`. 0 at the end. */
enum { WORDS_LINE = 1024 };
int words_of_head(const char **at, const char *end, char line[WORDS_LINE], char **words, int room);

/* Writes mass, position and velocity with all digits. */
void words_put(struct body_output *output, const struct bodies *bodies, size_t i, char separator);

#endif
