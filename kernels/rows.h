/* Rows, the input of every force kernel.
 *
 * A row is four numbers, x y z m. Sources and targets are arrays of rows, 64-byte aligned, padded
 * with massless rows at the origin, so that no kernel needs to handle a partial vector: to a
 * multiple of FORCE_PAD on the CPU, and of FORCE_CUDA_PAD (cuda/plan.h) on a CUDA device.
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
