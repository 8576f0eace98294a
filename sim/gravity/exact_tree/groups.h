/* Walks the tree for the groups of bodies that share a list, on the CPU.
 *
 * A group is EXACT_TREE_GROUP successive places of the curve, cut where a wide cell is cut. Groups
 * depend on places alone, so that a caller with some of the bodies (sim/ranks) gets the groups of
 * all. */
#pragma once

#include "kernels/exact_tree/cells.h"
#include "kernels/exact_tree/walk.h"

struct exact_tree_walk {
    const struct exact_tree_kernels *kernels;
    const struct exact_tree *tree;
    const struct exact_tree_frame *frame;
    uint32_t first, count; /* places whose bodies are sinks; their groups begin at `first` */
    const uint32_t *order; /* the body at each place, counted from `first`; NULL: body k is at
                            * place first + k */
    struct exact_tree_rule rule;
    bool mixed;
    const double (*last)[3];       /* accelerations from which a group's hold is computed; NULL: the
                                    * rule holds for all */
    struct exact_tree_floor floor; /* of errors, for `last` */
    double (*out)[3];              /* accelerations; may be `last` */
    double *potential;             /* NULL: accelerations are computed */
    float *cost; /* out: of each body, in times of a list with one pair; or NULL */
};

/* The same bits for any number of threads. */
struct exact_tree_work exact_tree_walk_groups(const struct exact_tree_walk *walk, int threads);

/* mass: of the bodies, `stride` doubles apart. */
struct exact_tree_census exact_tree_census_of(size_t bodies, const double (*last)[3],
                                              const double *mass, size_t stride, int threads);

/* The number of places from `first` on, before `end`, that share one list at most. */
uint32_t exact_tree_run(const struct exact_tree *tree, uint32_t first, uint32_t end);
