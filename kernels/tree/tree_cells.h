/* The input of the tree's kernels: cells and bodies in the tree's order.
 *
 * Lengths are in units of the tree's box and masses in units of the total mass, so that no power of
 * a distance leaves the range of float; results are in the same units. A position is the sum of two
 * floats, hi + lo, about 48 bits. The difference of two positions is computed as (hi - hi') + (lo -
 * lo'), so that neither the origin nor the size of the box costs digits. */
#pragma once

#include "kernels/bits.h"

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

/* 128 bytes: what flat terms (tree.h) need of a cell: its flat moments from degree 2 on, with the
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

/* The factor by which a cell's expansion errors increase if its bodies lie in a plane or on a line.
 *
 * The powers of multipoles (kernels/tree/tree.h) are means over all directions. The cells of a
 * thin disk lie in one another's planes, where their fields and the errors of their expansions are
 * larger: up to three times as large in a disk of 20,000 bodies as in a sphere. */

/* A cell of fewer bodies takes the shape of the smallest enclosing cell with at least as many. */
enum { CELL_SHAPED = 32 };

/* moments: second-order moments xx xy xz yy yz zz, in the convention of a row of moments: xy is the
 * sum of m x y, and xx half the sum of m x x. Returns 1 for a cell that is equally wide in all
 * directions, up to 4 for a flat or thin one; fitted to the errors of disks (docs/physics.md). */
KERNELS_INLINE float cell_shape(const float *moments)
{
    const float trace = 2 * (moments[0] + moments[3] + moments[5]);
    const float unit = trace > 0 ? 1 / trace : 0;
    const float xx = 2 * moments[0] * unit, yy = 2 * moments[3] * unit, zz = 2 * moments[5] * unit;
    const float xy = moments[1] * unit, xz = moments[2] * unit, yz = moments[4] * unit;
    const float minors = xx * yy + yy * zz + zz * xx - xy * xy - xz * xz - yz * yz;
    const float determinant =
        xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
    const float round = minors > 0 ? 9 * determinant / minors : 0; /* 1: a sphere; 0: flat */
    const float thin = round > 0 ? round < 1 ? 1 - round : 0 : 1;
    return trace > 0 ? 1 + 3 * thin * thin : 1;
}
