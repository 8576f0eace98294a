/* The pull of cells and bodies on a body, and when a cell may stand for its bodies:
 * single-precision arithmetic that C compiles for vector lanes and CUDA for floats. The file that
 * includes this must first define
 *
 *     number, truth              a float and an int, or lanes of them
 *     EXACT_TREE_PULL_INLINE     static inline, with the file's qualifiers
 *     number fused(a, b, c)      a b + c, rounded once
 *     number everywhere(float)
 *     number root_guess(number)  as_float(EXACT_GUESS - (as_int(x) >> 1)), see bits.h
 *     number magnitude(number), above_zero(number)
 *
 * A multiplication followed by an addition is fused only where the code says so. The softened
 * potential of a cell about its centre of mass, d = centre - body and D^2 = d^2 + eps^2, is -(M / D
 * + 3/2 d.S.d / D^5 - 1/2 tr S / D^3): Plummer's potential, whose second derivatives have a
 * trace. */
#pragma once

#include "kernels/bits.h"

/* 1 / sqrt(x). */
EXACT_TREE_PULL_INLINE number inverse_root_of(number x)
{
    number y = root_guess(x);
    y = y * fused(-x, y * y, everywhere(EXACT_NEWTON));
    number g = fused(-x, y * y, everywhere(EXACT_SQUARE));
    return y * fused(g, fused(g, everywhere(EXACT_ROOT_2), everywhere(EXACT_ROOT_1)),
                     everywhere(EXACT_ROOT_0));
}

/* x^(-3/2). */
EXACT_TREE_PULL_INLINE number inverse_cube_of(number x)
{
    number y = root_guess(x);
    y = y * fused(-x, y * y, everywhere(EXACT_NEWTON));
    number g = fused(-x, y * y, everywhere(EXACT_SQUARE));
    return (y * (y * y)) * fused(g, fused(g, everywhere(EXACT_CUBE_2), everywhere(EXACT_CUBE_1)),
                                 everywhere(EXACT_CUBE_0));
}

EXACT_TREE_PULL_INLINE number square_of(number x, number y, number z, number softening2)
{
    return fused(x, x, fused(y, y, fused(z, z, softening2)));
}

/* A group of sinks: its bounding box, relative to the body in its middle. */
struct exact_tree_sinks {
    float hi[3], lo[3]; /* position of that body */
    float middle[3], half[3];
    float softening2; /* eps^2 of the pair; mixed: the smallest half of the sinks */
};

/* Whether a cell may stand for its bodies, at its smallest distance from a box of sinks none of
 * which lies in the cell: its radius must be small compared with the distance, and the pull of its
 * moments of the next two orders must stay below the hold. x, y, z: relative to the middle of the
 * box. */
EXACT_TREE_PULL_INLINE truth may_stand(number x, number y, number z, const float half[3],
                                       number softening2, number radius, number mass, number third,
                                       number fourth, number spread, float reach2, float hold,
                                       float heavy, float soft)
{
    x = above_zero(magnitude(x) - half[0]);
    y = above_zero(magnitude(y) - half[1]);
    z = above_zero(magnitude(z) - half[2]);
    const number square = square_of(x, y, z, softening2), inverse = inverse_root_of(square);
    const number distance = square * inverse;
    const number strain = fused(heavy * mass, inverse * inverse, everywhere(1));
    return (radius * radius < reach2 * square) &
           (fused(third, distance, fourth) * strain <
            (hold * (square * square)) * (distance * (distance - radius))) &
           (1.5f * spread <= soft * square);
}

/* Adds a body's pull. */
EXACT_TREE_PULL_INLINE void add_body(number x, number y, number z, number softening2, number mass,
                                     number *ax, number *ay, number *az)
{
    const number pull = mass * inverse_cube_of(square_of(x, y, z, softening2));
    *ax = fused(pull, x, *ax);
    *ay = fused(pull, y, *ay);
    *az = fused(pull, z, *az);
}

/* Three times the second moments, applied to the vector (x, y, z). */
#define EXACT_TREE_TURNED(s, x, y, z, qx, qy, qz)                                                  \
    const number qx = fused((s)[0], x, fused((s)[1], y, (s)[2] * (z)));                            \
    const number qy = fused((s)[1], x, fused((s)[3], y, (s)[4] * (z)));                            \
    const number qz = fused((s)[2], x, fused((s)[4], y, (s)[5] * (z)))

/* Adds a cell's pull. s: three times the cell's second moments; trace: half the sum of the three
 * diagonal elements of s. */
EXACT_TREE_PULL_INLINE void add_cell(number x, number y, number z, number softening2, number mass,
                                     const number s[6], number trace, number *ax, number *ay,
                                     number *az)
{
    const number i = inverse_root_of(square_of(x, y, z, softening2));
    const number i2 = i * i, i3 = i * i2, i5 = i3 * i2;
    EXACT_TREE_TURNED(s, x, y, z, qx, qy, qz);
    const number along = fused(x, qx, fused(y, qy, z * qz));
    const number pull = fused(i3, mass, i5 * fused(2.5f * i2, along, -trace));
    *ax = fused(pull, x, fused(-i5, qx, *ax));
    *ay = fused(pull, y, fused(-i5, qy, *ay));
    *az = fused(pull, z, fused(-i5, qz, *az));
}

/* A cell's contribution to the potential, without its sign. */
EXACT_TREE_PULL_INLINE number cell_potential(number x, number y, number z, number softening2,
                                             number mass, const number s[6], number trace)
{
    const number i = inverse_root_of(square_of(x, y, z, softening2));
    const number i2 = i * i, i3 = i * i2;
    EXACT_TREE_TURNED(s, x, y, z, qx, qy, qz);
    const number along = fused(x, qx, fused(y, qy, z * qz));
    return fused(mass, i, i3 * fused(0.5f * i2, along, trace * -0.333333343f));
}
