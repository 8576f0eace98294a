/* The kernels of the tree that the program chooses from. Thread-safe. */
#ifndef KERNELS_TREE_TREE_H
#define KERNELS_TREE_TREE_H

#include "kernels/tree/kernel.h"

/* The kernels for an order, 4 or 5, and an instruction set by name; "auto" is the best that this
 * machine can run. NULL when there are none or this machine cannot run them. */
const struct tree_kernels *tree_kernels_find(const char *isa, int order);

#endif
