/* What the tree's kernels read: places of cells and bodies in the tree's order.
 *
 * All lengths are in the unit of the tree's box and all masses in that of the total mass, so that
 * no power of a distance leaves the range of float; what comes out is in those units too. A
 * position is the sum of two floats, hi + lo, about 48 bits: the difference of two is taken as
 * (hi - hi') + (lo - lo'), so that neither the origin nor the size of the box costs digits. */
#ifndef KERNELS_TREE_CELLS_H
#define KERNELS_TREE_CELLS_H

#include <stddef.h>
#include <stdint.h>

enum {
    TREE_POWERS = 6, /* powers of multipoles up to order 5 */
    TREE_LANES =
        16, /* arrays of bodies and lists of cells may be touched so far beyond their end */
};

/* 64 bytes. The centre is that of mass; where a cell has no mass that of its bodies. */
struct tree_place {
    float hi[3], lo[3];
    float radius; /* no body is farther from the centre */
    float hold;   /* error of an acceleration that its bodies bear from one other cell */
    /* P_n / radius^n, n = 0, 2, 3, 4, 5: the multipoles' power, see criterion.h */
    float mass, power[TREE_POWERS - 2];
    float half, spread; /* mean h = eps^2 / 2 of its bodies, and the largest less the least */
    float leaf;         /* bodies of a leaf; 0: a cell with children */
};

/* Bodies in the tree's order, relative to the centre of their leaf. */
struct tree_bodies {
    const float *x, *y, *z, *mass;
    const float *half; /* NULL: all have the same softening */
};

/* A run of bodies: those of a leaf. */
struct tree_run {
    uint32_t first, count;
};

#endif
