/* What lies in the cells of an octree: bodies in its order, centres, radii and moments. */
#ifndef SIM_GRAVITY_TREE_CELLS_H
#define SIM_GRAVITY_TREE_CELLS_H

#include "kernels/tree/kernel.h"
#include "sim/gravity/tree/octree.h"

struct cells {
    const struct tree_kernels *kernels;
    size_t count, room;       /* bodies; cells that there is memory for */
    double mass;              /* of all bodies: the unit of mass; 1 where it is 0 */
    struct tree_place *place; /* [room] */
    float *moments;           /* [room][kernels->row] */
    float *column[5];         /* x y z m h relative to the centres of the leaves */
    double (*centre)[3];      /* [room] */
    float *shape;             /* [room], see kernels/cell_shape.h; of an evaluation with holds */
};

/* Where each body may be pulled wrongly by so much from one other cell, in the units of the tree;
 * hold: beside the rows, or NULL: not known, nothing is asked. */
struct cells_input {
    const double *halves;    /* beside the rows that the tree was built from, or NULL */
    const double (*last)[3]; /* last accelerations, as for the tree, or NULL: holds stay zero */
    double share;            /* of an acceleration that one cell may get wrong */
    double mass;             /* of all bodies; 1 where it is 0 */
};

enum status cells_open(struct cells *cells, size_t count, const struct tree_kernels *kernels);
void cells_close(struct cells *cells); /* accepts one that is all zero */

/* Places, moments and bodies of a tree that was just built from the same rows. */
enum status cells_fill(struct cells *cells, const struct octree *tree,
                       const struct cells_input *input, int threads);

struct tree_bodies cells_bodies(const struct cells *cells, bool halves);

#endif
