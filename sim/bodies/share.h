/* Whole shares of a number. Pure; thread-safe. */
#pragma once

#include <stddef.h>

/* Divides `count` in proportion to weight[0 .. n - 1] (>= 0, not all zero) by the largest
 * remainder; the earlier one wins a tie. */
void share_out(size_t count, size_t n, const double *weight, size_t *share);
