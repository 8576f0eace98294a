/* The walk of the tree for one group of bodies, on one instruction set of the CPU. All sets give
 * the same bits, and a CUDA device, too.
 *
 * Cells wait on a stack, at first cell 0. The uppermost EXACT_TREE_BATCH, or as many as there are,
 * are taken off together and judged, in the order in which they lie there (may_stand in pull.h); a
 * cell that the group has bodies in may never stand for them. One that may is a source; of one that
 * may not the bodies are sources, where it is a leaf; otherwise its halves go onto the stack.
 * Bodies and cells are two sequences, either cut into tiles of EXACT_TREE_TILE. A tile is summed in
 * single precision in its order, the sums of a sequence's tiles in double, and both at last. */
#ifndef KERNELS_EXACT_TREE_WALK_H
#define KERNELS_EXACT_TREE_WALK_H

#include "kernels/exact_tree/layout.h"

#include <stdbool.h>

struct exact_tree_request {
    const struct exact_tree *tree;
    struct exact_tree_rule rule; /* hold: of this group */
    uint32_t first, count;       /* the group, at most EXACT_TREE_GROUP */
    float softening2;            /* where the bodies have no halves of their own */
    bool mixed;                  /* they have */
};

/* Interactions of bodies, and of bodies with cells. */
struct exact_tree_work {
    uint64_t pairs, joins;
};

struct exact_tree_kernels {
    const char *isa; /* "avx512" */
    /* out[c][i], of body first + i: its acceleration. */
    struct exact_tree_work (*accelerate)(const struct exact_tree_request *request,
                                         double out[3][EXACT_TREE_GROUP]);
    /* out[i]: the potential without its sign, but for what the body itself gives. */
    struct exact_tree_work (*potential)(const struct exact_tree_request *request,
                                        double out[EXACT_TREE_GROUP]);
};

extern const struct exact_tree_kernels exact_tree_baseline, exact_tree_avx2, exact_tree_avx512;

/* By instruction set; "auto" is the best that this machine can run. NULL when there is none of the
 * name, or this machine cannot run it. Thread-safe. */
const struct exact_tree_kernels *exact_tree_find(const char *isa);

#endif
