/* Direct summation of sources on targets, which need not be the same bodies: used by the forces
 * `exact` and `double`, and by evaluations with a part of the sources.
 *
 * - exact: single precision with IEEE-exact operations alone (subtract, multiply, fused
 *   multiply-add, integer shift) in an order that depends only on the number of sources. Every CPU
 *   kernel, any number of threads, and CUDA give the same bits. See exact_root.h.
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
#pragma once

#include "kernels/rows.h"

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
