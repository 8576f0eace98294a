/* What every force kernel reads: rows.
 *
 * A row is four numbers, x y z m. Sources and targets are arrays of rows, 64-byte aligned, padded
 * with rows without mass at the origin, so that no kernel needs a ragged tail: to a multiple of
 * FORCE_PAD on the CPU, and of FORCE_CUDA_PAD (cuda/plan.h) on a CUDA device.
 *
 * Rows in single precision may be offsets from centres, one centre for each FORCE_TILE successive
 * rows and coordinates in double, so that a position is rounded by the size of its tile and not by
 * its distance from the origin. Where two tiles meet, the bodies of one are moved by the difference
 * of the centres, taken in double and rounded once: nothing is added per pair. Centres NULL: all
 * are at the origin.
 *
 * Acceleration of i: a_i = sum_j m_j (x_j - x_i) / (|x_j - x_i|^2 + eps^2)^(3/2) (Plummer
 * softening, G = 1; Aarseth, "Gravitational N-Body Simulations", 2003, section 2.2). The term j = i
 * is exactly zero. */
#ifndef KERNELS_ROWS_H
#define KERNELS_ROWS_H

#include <stddef.h>

/* FORCE_CHOSEN: rows of a tile that its centre is found from. */
enum { FORCE_PAD = 64, FORCE_TILE = 128, FORCE_CHOSEN = 9 };

typedef const double (*force_centres)[3]; /* one for each FORCE_TILE rows, padding left out */

/* What a CUDA launcher is told of tiles, in device memory; centres NULL: there are none.
 * Accelerations and potentials of row k are those of body order[k], or of body k where order is
 * NULL. */
struct force_tiles {
    const double *centres;      /* [3 * tiles] of the rows, padding included, or of the targets */
    const double *from_centres; /* of the sources */
    const double *weights;      /* of the tiles of rows, see sim/solver/tiles.h */
    const unsigned *order;
};

/* What to subtract from offsets from the centre of tile `from`, so that they are offsets from that
 * of tile `to` of the other centres. */
static inline void force_shift(force_centres froms, size_t from, force_centres tos, size_t to,
                               float shift[3])
{
    for (int c = 0; c < 3; c++)
        shift[c] = froms ? (float)(tos[to][c] - froms[from][c]) : 0;
}

#endif
