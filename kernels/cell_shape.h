/* The factor by which a cell's expansion errors increase if its bodies lie in a plane or on a line.
 *
 * The powers of multipoles (kernels/tree/kernel.h) are means over all directions. The cells of a
 * thin disk lie in one another's planes, where their fields and the errors of their expansions are
 * larger: up to three times as large in a disk of 20,000 bodies as in a sphere. */
#pragma once

#include "kernels/bits.h"

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
