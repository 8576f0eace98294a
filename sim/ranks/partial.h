/* The part of the tree that a rank needs: all of its own stretch, the top, and of the other ranks'
 * stretches what its groups can touch.
 *
 * Places and cells keep their order but not their numbers: number k of the partial tree is the k-th
 * of those that are needed. The halves of a cell that is cut behind s are still s and s + 1, since
 * both are needed where the cell is walked into; and so are the places on their other sides, so
 * that a half with several bodies never looks like a single one. */
#pragma once

#include "sim/ranks/top.h"

/* Cells and bodies from the other ranks. */
struct partial_parts {
    const struct partial_branch *branches;
    size_t branch_count;
    const struct partial_body *bodies; /* of small branches */
    size_t body_count;
    /* The cells and bodies that came from other ranks, in the order of the ranks; of each rank,
     * cells first, then bodies. A branch that was sent in more detail is among its cells again. */
    const char *raw;
    const size_t *raw_bytes;   /* [ranks] */
    const uint64_t *raw_cells; /* [ranks] */
};

struct partial {
    struct exact_tree tree;  /* the partial tree; its root is cell 0 */
    uint32_t own;            /* place, in `tree`, of the rank's first body */
    struct exact_tree local; /* the rank's own stretch, numbered from 0 */
    struct exact_tree arrays;
    size_t before, room, behind; /* numbers of places in the arrays: before the rank's own, for
                                  * these, and behind */
    uint32_t moved;              /* what was added to the spans of the own cells */
    uint64_t *needed;            /* a bit for every foreign place */
    uint32_t *ranked;            /* the number of bits before each word of it */
};

/* Makes room for `own` bodies of a rank. STATUS_RUNTIME: no memory. */
enum status partial_room(struct partial *partial, size_t total, size_t own);
void partial_close(struct partial *partial); /* accepts all zero */

/* Numbers the places and cells that are needed, and fills in all except the rank's own stretch,
 * which `local` already has. Can be called again with other parts. STATUS_RUNTIME: no memory. */
enum status partial_build(struct partial *partial, const struct curve *curve, const struct top *top,
                          const struct partial_parts *parts);

/* The cells of the top and of other ranks' branches, for a stretch whose own cells are elsewhere.
 * `partial` serves no other purpose then. parts: branches and their bodies, including those of this
 * rank. */
struct partial_tops {
    struct partial_cell *cells; /* [count]; the caller frees them */
    size_t count;
};
enum status partial_make_tops(struct partial *partial, const struct curve *curve,
                              const struct top *top, const struct partial_parts *parts,
                              struct partial_tops *tops);
