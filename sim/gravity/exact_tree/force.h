/* The force of a tree that gives the same bits on every device. */
#pragma once

#include "sim/gravity/force.h"

extern const struct force_ops force_tree_exact;
