/* The top of the tree: the cells whose bodies lie on several ranks, and the branches below them,
 * each of which lies on one.
 *
 * A cell is cut where neighbours on the curve share the fewest bits, so the tree is the Cartesian
 * tree of these numbers, and a cell spans two ranks if no smaller number lies between its cut and
 * the border. Every rank tells the cuts of its stretch for which that is so, some dozens, and every
 * rank builds the same top from all of them. */
#pragma once

#include "sim/ranks/curve.h"

struct top_cell {
    uint32_t first, last, split; /* places among all bodies, both ends included */
    uint32_t number;             /* of the cell in the tree */
};

struct top_branch {
    uint32_t first, last;
    uint32_t number; /* of the cell, or of the body if it is a single one */
    int owner;
};

struct top {
    struct top_cell *cells; /* smaller cells first, so that halves come before what they are of */
    size_t cell_count;
    struct top_branch *branches; /* along the curve */
    size_t branch_count;
};

/* Collective, after curve_sort; completes the curve. STATUS_RUNTIME: no memory. */
enum status top_find(struct top *top, struct curve *curve, size_t own);
void top_close(struct top *top); /* accepts all zero */
