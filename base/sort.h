/* Numbers in order. Thread-safe. */
#ifndef BASE_SORT_H
#define BASE_SORT_H

#include <stddef.h>

/* The smallest first; none may be NAN. */
void sort_numbers(double *values, size_t count);

#endif
