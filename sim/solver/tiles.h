/* Which bodies share a tile of rows (kernels/rows.h): neighbours in space, so that offsets from the
 * tile's centre are short.
 *
 * Bodies of a mass that many have stay together, because kernels leave out a mass that a whole tile
 * shares. Within such a segment the bodies are halved again and again along the longest side of
 * their box, at whole tiles: unlike a curve this does not depend on the box of all bodies, which
 * one body far away makes arbitrarily large. In a tile heavier bodies come last, because a sum in
 * single precision loses small terms behind a large one and not before it. Bodies without mass
 * are behind all others, and centres depend on them only where they are alone, so that they do not
 * even change how the pull of the others is rounded. FORCE_CUDA_PAD successive rows are neighbours,
 * because a kernel may give them one centre; successive groups of as many lie apart, and the
 * heaviest come last, so that sums over groups do not grow large before they get small again.
 *
 * A centre lies where rounding costs least. An offset d from it is rounded by about d / 2^24, which
 * changes the force between two bodies in proportion to m / (r^2 + eps^2)^(3/2), so that the sum
 * over a tile's pairs of (m_i^2 + m_j^2) (d_i^2 + d_j^2) / (r^2 + eps^2)^3 is to be small: the mean
 * of positions by each body's share of the factor beside d. It is in the densest part of the tile
 * or beside a heavy body. The nine bodies nearest to it are chosen, and the centre is always their
 * median: exact, moving with them, and not led astray by those that are thrown out.
 *
 * Everything here depends on masses, softening and positions alone, and not on the number of
 * threads. */
#ifndef SIM_SOLVER_TILES_H
#define SIM_SOLVER_TILES_H

#include "kernels/rows.h"
#include "sim/bodies/bodies.h"

#include <stdint.h>

struct tiles {
    size_t count;    /* bodies; 0: there are no tiles, and row k is body k */
    uint32_t *order; /* row k is body order[k] */
    size_t massive;  /* rows with mass, the first ones */
    size_t *ends;    /* [segments], of rows */
    size_t segments;
    double softening;
    uint8_t (*chosen)[FORCE_CHOSEN]; /* [tiles] rows of the tile */
    double *weight;                  /* [tiles] sums of what positions have as weights */
    uint32_t *base;                  /* bodies by segment, and */
    struct tile_body *room;          /* [count] room to sort in, both NULL once tiles are open */
};

/* Sorted by the positions of `bodies`, of which at most 2^32 - 1 are taken. STATUS_RUNTIME when
 * memory is short. */
enum status tiles_open(struct tiles *tiles, const struct bodies *bodies, double softening);
void tiles_close(struct tiles *tiles); /* accepts a zeroed one */

static inline size_t tiles_for(size_t rows)
{
    return (rows + FORCE_TILE - 1) / FORCE_TILE;
}

/* The tile of all rows whose centre is that of tile `part` of every subset-th row. */
static inline size_t tiles_of_part(size_t tiles, size_t subset, size_t part)
{
    size_t middle = (part * FORCE_TILE + FORCE_TILE / 2) * subset / FORCE_TILE;
    return middle < tiles ? middle : tiles - 1;
}

/* In each coordinate the median of three medians of three (Tukey's ninther) of the bodies that are
 * chosen of a tile, whose rows are order[0], order[1], ... */
void tiles_centre(const uint32_t *order, const uint8_t chosen[FORCE_CHOSEN],
                  const double (*position)[3], double centre[3]);

#endif
