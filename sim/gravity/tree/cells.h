/* The contents of an octree's cells: bodies in its order, centres, radii and moments. */
#pragma once

#include "kernels/tree/tree.h"
#include "sim/gravity/tree/octree.h"

#include <stddef.h>

struct cells {
    const struct tree_kernels *kernels;
    size_t count, room;         /* count: bodies; room: cells for which memory is allocated */
    double mass;                /* of all bodies, the unit of mass; 1 if it is 0 */
    struct tree_place *place;   /* [room] */
    float *moments;             /* [room][kernels->row] */
    struct tree_source *source; /* [room] */
    float *column[5];           /* x y z m h, relative to the leaves' centres; then the bodies that
                                 * stand for those of merged leaves */
    double (*centre)[3];        /* [room] */
    float *shape;               /* [room], see kernels/tree/tree_cells.h; with tolerances only */
};

/* The inputs from which each body's tolerance for the error of one other cell follows. */
struct cells_input {
    const double *halves;    /* of the rows from which the tree was built, or NULL */
    const double (*last)[3]; /* last accelerations, or NULL: no tolerances */
    double share;            /* part of an acceleration that one cell's error may reach */
    double mass;             /* of all bodies; 1 if it is 0 */
};

enum status cells_open(struct cells *cells, size_t count, const struct tree_kernels *kernels);
void cells_close(struct cells *cells); /* accepts all zero */

/* Fills places, moments and bodies for a tree just built from the same rows. */
enum status cells_fill(struct cells *cells, const struct octree *tree,
                       const struct cells_input *input, int threads);

struct tree_bodies cells_bodies(const struct cells *cells, bool halves);

/* The bodies of a leaf as others are pulled by them: a merged leaf is one body. */
struct tree_run cells_sources(const struct cells *cells, const struct octree_cell *leaf);

/* Blocks of an array that threads may sum independently: the sum over the blocks' sums is the same
 * for any number of threads. */

enum { BLOCKS = 64 };

/* The first number of block b of `count` numbers. */
static inline size_t block_at(size_t b, size_t count)
{
    return count / BLOCKS * b + (count % BLOCKS) * b / BLOCKS;
}
