/* Faults that are planted in the exact tree on ranks, to see that the tests notice them. */
#pragma once

#include <stdbool.h>

/* What goes wrong on every rank from now on:
 *
 *     cell     a cell that was asked for is not walked into when it is asked for the first time
 *     cells    nor when it is asked for again
 *     summary  cells that stand for their bodies are not sent
 *     body     bodies are not sent
 *     start    the ranks' stretches do not begin with whole groups
 *     order    moments at the top of the tree are summed in another order
 *
 * false: there is no such fault. */
bool fault_plant(const char *name);
