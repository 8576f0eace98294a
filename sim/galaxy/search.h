#pragma once

#include <stddef.h>

/* The cell of an ascending table that holds x: table[i] <= x < table[i + 1], or the nearest, of
 * count - 1 cells. Without branches on values, which a processor cannot predict. */
static inline size_t search_cell(const double *table, size_t count, double x)
{
    size_t low = 0;
    for (size_t left = count - 1; left > 1;) {
        const size_t half = left / 2;
        low += half & -(size_t)(table[low + half] <= x);
        left -= half;
    }
    return low;
}
