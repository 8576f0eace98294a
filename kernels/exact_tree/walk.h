/* The walk of the tree for one group of bodies, on one instruction set of the CPU. All instruction
 * sets give the same bits, and so does a CUDA device.
 *
 * Cells wait on a stack, which starts with cell 0. The topmost EXACT_TREE_BATCH cells, or all if
 * there are fewer, are removed together and judged in their order on the stack (may_stand in
 * pull.h). A cell that contains bodies of the group may never stand for its bodies. A cell that may
 * stand for its bodies becomes a source. Otherwise, the bodies of a leaf become sources, and the
 * halves of any other cell are pushed onto the stack. Source bodies and source cells form two
 * sequences, each cut into tiles of EXACT_TREE_TILE. A tile is summed in single precision in its
 * order, the tiles of a sequence are added in double, and finally the two sequences are added. */
#pragma once

#include "kernels/exact_tree/exact_layout.h"

#include <stdbool.h>

/* Translates a requested error into the rule of the tree whose bits are the same on every
 * machine. */

/* error: RMS of the relative errors of the accelerations. hold is relative to a body's
 * acceleration. Uses IEEE operations only, so that every machine gets the same rule.
 * Thread-safe. */
struct exact_tree_rule exact_tree_rule_for(double error);

/* A rule by opening angle alone: for potentials, and for accelerations when no previous ones are
 * known. */
struct exact_tree_rule exact_tree_rule_first(double error);
struct exact_tree_rule exact_tree_rule_potential(double error);

struct exact_tree_request {
    const struct exact_tree *tree;
    struct exact_tree_rule rule; /* hold: of this group */
    uint32_t first, count;       /* the group, at most EXACT_TREE_GROUP */
    float softening2;            /* used if the bodies have no halves of their own */
    bool mixed;                  /* the bodies have halves of their own */
};

/* Number of body-body and body-cell interactions, and of cells that had to be walked into but are
 * not there (EXACT_TREE_UNSENT): unless that is 0, the results are invalid. */
struct exact_tree_work {
    uint64_t pairs, joins, unsent;
};

struct exact_tree_kernels {
    const char *isa; /* "avx512" */
    /* out[c][i]: acceleration of body first + i, coordinate c. */
    struct exact_tree_work (*accelerate)(const struct exact_tree_request *request,
                                         double out[3][EXACT_TREE_GROUP]);
    /* out[i]: the potential without its sign and without the body's own contribution. */
    struct exact_tree_work (*potential)(const struct exact_tree_request *request,
                                        double out[EXACT_TREE_GROUP]);
};

extern const struct exact_tree_kernels exact_tree_baseline, exact_tree_neon, exact_tree_avx2,
    exact_tree_avx512;

/* Finds the kernels of an instruction set; "auto" is the best that this machine can run. NULL if
 * the name is unknown or this machine cannot run it. Thread-safe. */
const struct exact_tree_kernels *exact_tree_find(const char *isa);
