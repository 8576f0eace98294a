/* The force of a tree that gives the same bits on every device. */
#ifndef SIM_GRAVITY_EXACT_TREE_FORCE_H
#define SIM_GRAVITY_EXACT_TREE_FORCE_H

#include "sim/gravity/force.h"

extern const struct force_ops force_tree_exact;

#endif
