/* Rows, the input of every force kernel.
 *
 * A row is four numbers, x y z m. Sources and targets are arrays of rows, 64-byte aligned, padded
 * with massless rows at the origin, so that no kernel needs to handle a partial vector: to a
 * multiple of FORCE_PAD on the CPU, and of FORCE_CUDA_PAD (pairs/cuda/force_plan.h) on a CUDA
 * device.
 *
 * Rows in single precision may be offsets from centres, one centre, in double, for each FORCE_TILE
 * successive rows, so that the rounding of a position depends on the size of its tile and not on
 * its distance from the origin. Where two tiles meet, the bodies of one are moved by the difference
 * of the centres, computed in double and rounded once, which costs nothing per pair. Centres NULL:
 * all are at the origin.
 *
 * Acceleration of i: a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2) (Plummer
 * softening, G = 1; Aarseth, "Gravitational N-Body Simulations", 2003, section 2.2). The term j = i
 * is exactly zero. */
#pragma once

#include <stddef.h>

/* FORCE_CHOSEN: number of rows that determine the centre of a tile. */
enum { FORCE_PAD = 64, FORCE_TILE = 128, FORCE_CHOSEN = 9 };

typedef const double (*force_centres)[3]; /* one for each FORCE_TILE rows, without padding */

/* The tiles as passed to a CUDA launcher, in device memory; centres NULL: no tiles. Accelerations
 * and potentials of row k belong to body order[k], or to body k if order is NULL. */
struct force_tiles {
    const double *centres;      /* [3 * tiles] of the rows, padding included, or of the targets */
    const double *from_centres; /* of the sources */
    const double *weights;      /* of the tiles of rows, see sim/solver/tiles.h */
    const unsigned *order;
};

/* The shift to subtract from offsets from the centre of tile `from`, to get offsets from the centre
 * of tile `to` of the other centres. */
static inline void force_shift(force_centres froms, size_t from, force_centres tos, size_t to,
                               float shift[3])
{
    for (int c = 0; c < 3; c++)
        shift[c] = froms ? (float)(tos[to][c] - froms[from][c]) : 0;
}

/* Direct summation of sources on targets, which need not be the same bodies: used by the forces
 * `exact` and `double`, and by evaluations with a part of the sources.
 *
 * - exact: single precision with IEEE-exact operations alone (subtract, multiply, fused
 *   multiply-add, integer shift) in an order that depends only on the number of sources. Every CPU
 *   kernel, any number of threads, and CUDA give the same bits. See bits.h.
 * - quick: single precision with the hardware's reciprocal root.
 * - double: double precision; the same bits for any number of threads.
 *
 * The order of exact sums: the sources are cut into tiles of FORCE_DIRECT_TILE, each summed in
 * single precision in the order of the sources; force_direct_share() successive tiles form a group,
 * whose tile sums are added in double, from zero; the groups' sums are added in double, from zero.
 * The potential's tile sums are added in double without groups. Massless rows change nothing.
 *
 * Softening: `softening` for every pair or, if halves are given, eps_ij^2 = (eps_i^2 + eps_j^2) / 2
 * of the pair's two rows, computed first, as h_i + h_j, where each row, padding included, has one
 * half-square h = eps^2 / 2 > 0. Give both arrays of halves or neither (NULL).
 *
 * Centres (rows.h): the targets are moved to the frame of each tile of sources: where tile I meets
 * tile J, by x - (float)(centre[J] - centre[I]), rounded once. */

enum { FORCE_DIRECT_TILE = FORCE_TILE };

/* Enough groups to fill a device when targets are few, and few enough to bound the slots. */
enum { FORCE_DIRECT_GROUPS_MIN = 4, FORCE_DIRECT_GROUPS_MAX = 64 };

/* Tiles per group. */
static inline size_t force_direct_share(size_t sources)
{
    const size_t grouped = (size_t)1 << 22, least = FORCE_DIRECT_GROUPS_MIN,
                 most = FORCE_DIRECT_GROUPS_MAX;
    size_t groups = grouped / (sources > 0 ? sources : 1);
    groups = groups < least ? least : groups > most ? most : groups;
    size_t tiles = (sources + FORCE_DIRECT_TILE - 1) / FORCE_DIRECT_TILE;
    size_t share = (tiles + groups - 1) / groups;
    return share > 0 ? share : 1;
}
