/* Blocks of an array that threads may sum independently: the sum over the blocks' sums is the same
 * for any number of threads. */
#pragma once

#include <stddef.h>

enum { BLOCKS = 64 };

/* The first number of block b of `count` numbers. */
static inline size_t block_at(size_t b, size_t count)
{
    return count / BLOCKS * b + (count % BLOCKS) * b / BLOCKS;
}
