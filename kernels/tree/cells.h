/* The input of the tree's kernels: cells and bodies in the tree's order.
 *
 * Lengths are in units of the tree's box and masses in units of the total mass, so that no power of
 * a distance leaves the range of float; results are in the same units. A position is the sum of two
 * floats, hi + lo, about 48 bits. The difference of two positions is computed as (hi - hi') + (lo -
 * lo'), so that neither the origin nor the size of the box costs digits. */
#pragma once

#include <stddef.h>
#include <stdint.h>

enum {
    TREE_POWERS = 6, /* powers of multipoles up to order 5 */
    TREE_LANES =
        16, /* arrays of bodies and lists of cells must be readable this far beyond their end */
};

/* The radius of a cell whose bodies are too close to tell apart. The powers of smaller ones would
 * leave the range of float. */
#define TREE_POINT 0x1p-60f

/* 64 bytes. The centre is the centre of mass, or the mean position of the bodies if the cell has no
 * mass. */
struct tree_place {
    float hi[3], lo[3];
    float radius; /* no body is farther from the centre, unless it is TREE_POINT */
    float hold;   /* the largest acceleration error that one other cell may cause in its bodies */
    /* P_n / radius^n, n = 0, 2, 3, 4, 5: the power of the multipoles, see criterion.h */
    float mass, power[TREE_POWERS - 2];
    float half, spread; /* mean of h = eps^2 / 2 over its bodies; largest h minus smallest */
    float leaf;         /* number of bodies in a leaf; 0: a cell with children */
};

/* 128 bytes: what flat terms (kernel.h) need of a cell: its flat moments from degree 2 on, with the
 * others folded into them, and its moment of z^2. */
struct tree_source {
    float hi[3], lo[3], radius, half, mass;
    float moment[23];
};

/* Bodies in the tree's order, relative to the centre of their leaf. */
struct tree_bodies {
    const float *x, *y, *z, *mass;
    const float *half; /* NULL: all bodies have the same softening */
};

/* A run of bodies: the bodies of one leaf. */
struct tree_run {
    uint32_t first, count;
};
