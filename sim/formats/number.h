/* The numbers of text files. Pure; thread-safe. */
#ifndef SIM_FORMATS_NUMBER_H
#define SIM_FORMATS_NUMBER_H

#include <stdbool.h>

/* Whether the whole word is a finite decimal number: no inf, nan or hexadecimal, which strtod also
 * takes. */
bool body_number(const char *word, double *out);

/* The number in as few digits as read back the same; returns its length. */
enum { BODY_NUMBER_BYTES = 32 };
int body_number_text(double value, char text[BODY_NUMBER_BYTES]);

#endif
