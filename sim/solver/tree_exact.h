/* The force of a tree that gives the same bits on every device. */
#ifndef SIM_SOLVER_TREE_EXACT_H
#define SIM_SOLVER_TREE_EXACT_H

#include "sim/solver/force.h"

extern const struct force_ops force_tree_exact;

#endif
