/* Parts of an array that threads may add up one by one: sums in them, and then over them, are the
 * same for any number of threads. */
#ifndef SIM_GRAVITY_TREE_BLOCKS_H
#define SIM_GRAVITY_TREE_BLOCKS_H

#include <stddef.h>

enum { BLOCKS = 64 };

/* Where block b of `count` numbers begins. */
static inline size_t block_at(size_t b, size_t count)
{
    return count / BLOCKS * b + (count % BLOCKS) * b / BLOCKS;
}

#endif
