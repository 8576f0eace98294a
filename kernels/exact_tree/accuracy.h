/* What an error that is asked for means to the tree whose bits are the same everywhere. */
#ifndef KERNELS_EXACT_TREE_ACCURACY_H
#define KERNELS_EXACT_TREE_ACCURACY_H

#include "kernels/exact_tree/layout.h"

/* error: RMS of the accelerations' relative errors. hold is a share of a body's acceleration. In
 * IEEE operations alone, so that every machine finds the same. Thread-safe. */
struct exact_tree_rule exact_tree_rule_for(double error);

/* By an opening angle alone: where no accelerations are known yet, and of potentials. */
struct exact_tree_rule exact_tree_rule_first(double error);
struct exact_tree_rule exact_tree_rule_potential(double error);

#endif
