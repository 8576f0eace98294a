/* The numbers of text files. Pure; thread-safe. */
#ifndef SIM_FORMATS_NUMBER_H
#define SIM_FORMATS_NUMBER_H

#include <stdbool.h>

/* Whether the whole word is a finite decimal number: no inf, nan or hexadecimal, which strtod also
 * takes. */
bool body_number(const char *word, double *out);

#endif
