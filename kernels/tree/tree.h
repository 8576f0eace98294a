/* The table of tree kernels that the program chooses from. Thread-safe. */
#pragma once

#include "kernels/tree/kernel.h"

/* Finds the kernels for an order, 4 or 5, and an instruction set by name; "auto" is the best that
 * this machine can run. NULL if there is no such kernel or this machine cannot run it. */
const struct tree_kernels *tree_kernels_find(const char *isa, int order);
