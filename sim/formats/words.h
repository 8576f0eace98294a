/* Words and numbers of text files, and rows of numbers between white space: what the plain text
 * formats share. */
#ifndef SIM_FORMATS_WORDS_H
#define SIM_FORMATS_WORDS_H

#include "sim/formats/output.h"
#include "sim/formats/rows.h"

#include <stdbool.h>

/* Where in a file; for sentences. */
struct place {
    const char *path;
    size_t line;
};

/* Splits at white space; returns how many words there are, of which the first `room` are stored. */
int words_split(char *line, char **words, int room);

/* Whether a line begins a comment with #. */
bool words_are_comment(const char *line);

/* STATUS_USAGE: the word in that column, counted from 1, is not what was expected. */
enum status words_refuse(struct place at, const char *name, int column, const char *word,
                         const char *expected);

/* Mass, position and velocity from seven words, the first of which is in `column`. */
enum status words_row(struct place at, char *const words[], int column, struct body_row *row);

/* The lines of a file's beginning, one after the other, for probes: the words of the next complete
 * one that is neither blank nor a comment, split in `line`. 0 at the end. */
enum { WORDS_LINE = 1024 };
int words_of_head(const char **at, const char *end, char line[WORDS_LINE], char **words, int room);

/* Writes mass, position and velocity with all digits. */
void words_put(struct body_output *output, const struct bodies *bodies, size_t i, char separator);

/* Whether the whole word is a finite decimal number: no inf, nan or hexadecimal, which strtod also
 * takes. */
bool body_number(const char *word, double *out);

/* The number in as few digits as read back the same; returns its length. */
enum { BODY_NUMBER_BYTES = 32 };
int body_number_text(double value, char text[BODY_NUMBER_BYTES]);

#endif
