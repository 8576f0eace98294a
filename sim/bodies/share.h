/* Whole shares of a number. Thread-safe. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Divides `count` in proportion to weight[0 .. n - 1] (>= 0, not all zero) by the largest
 * remainder; the earlier one wins a tie. */
void share_out(size_t count, size_t n, const double *weight, size_t *share);

/* Whether shares are as unequal as can be, for tests ($GRAVREEL_RANKS_SKEW): the first has one, the
 * last the rest, and the others nothing, so that no decision can depend on a rank's own number
 * unnoticed. */
bool share_is_skewed(void);

/* Where share `part` begins if `count` is divided into `parts` >= 1 equal shares; the share before
 * it ends there. */
static inline size_t share_begin(size_t count, unsigned part, unsigned parts)
{
    if (part > 0 && part < parts && share_is_skewed())
        return count > 0;
    return (size_t)((unsigned __int128)count * part / parts);
}
