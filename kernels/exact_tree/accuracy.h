/* Translates a requested error into the rule of the tree whose bits are the same on every
 * machine. */
#pragma once

#include "kernels/exact_tree/layout.h"

/* error: RMS of the relative errors of the accelerations. hold is relative to a body's
 * acceleration. Uses IEEE operations only, so that every machine gets the same rule.
 * Thread-safe. */
struct exact_tree_rule exact_tree_rule_for(double error);

/* A rule by opening angle alone: for potentials, and for accelerations when no previous ones are
 * known. */
struct exact_tree_rule exact_tree_rule_first(double error);
struct exact_tree_rule exact_tree_rule_potential(double error);
