/* Whole shares of a number. Pure; thread-safe. */
#pragma once

#include <stddef.h>

/* Divides `count` in proportion to weight[0 .. n - 1] (>= 0, not all zero) by the largest
 * remainder; the earlier one wins a tie. */
void share_out(size_t count, size_t n, const double *weight, size_t *share);

/* Where share `part` begins if `count` is divided into `parts` >= 1 equal shares; the share before
 * it ends there. */
static inline size_t share_begin(size_t count, unsigned part, unsigned parts)
{
    return (size_t)((unsigned __int128)count * part / parts);
}
