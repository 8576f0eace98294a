/* Groups bodies into tiles of rows (kernels/rows.h): neighbours in space, so that offsets from the
 * tile's centre are short.
 *
 * Bodies with a common mass stay together, because kernels leave out a mass that a whole tile
 * shares. Within such a segment the bodies are halved again and again along the longest side of
 * their box, at whole tiles: unlike a curve this does not depend on the box of all bodies, which a
 * single distant body can make arbitrarily large. In a tile heavier bodies come last, because a sum
 * in single precision loses small terms that follow a large one. Massless bodies come after all
 * others, and centres depend on them only if a tile has no others, so that they do not even change
 * how the pull of the others is rounded. FORCE_CUDA_PAD successive rows are neighbours, because a
 * kernel may give them one centre; successive groups of that many rows lie apart, and the heaviest
 * come last, so that sums over groups do not become large before they become small again.
 *
 * A centre lies where rounding costs least. An offset d from it is rounded by about d / 2^24, which
 * changes the force between two bodies in proportion to m / (r^2 + eps^2)^(3/2). To be minimized is
 * therefore the sum over a tile's pairs of (m_i^2 + m_j^2) (d_i^2 + d_j^2) / (r^2 + eps^2)^3, and
 * the minimum is the mean of positions weighted by each body's share of the factor of d. It lies in
 * the densest part of the tile or next to a heavy body. The nine bodies nearest to it are chosen,
 * and the centre is always their median: it is exact, moves with them, and is not affected by
 * bodies that are ejected.
 *
 * Everything here depends on masses, softening and positions alone, and not on the number of
 * threads. */
#pragma once

#include "kernels/rows.h"
#include "sim/bodies/bodies.h"

#include <stdint.h>

struct tiles {
    size_t count;    /* bodies; 0: no tiles, and row k is body k */
    uint32_t *order; /* row k is body order[k] */
    size_t massive;  /* number of rows with mass, which come first */
    size_t *ends;    /* [segments], end row of each */
    size_t segments;
    double softening;
    uint8_t (*chosen)[FORCE_CHOSEN]; /* [tiles], the chosen rows of each tile */
    double *weight;                  /* [tiles], sum of the weights of its bodies */
    uint32_t *base;                  /* bodies by segment, and */
    struct tile_body *room;          /* [count], sorting buffer; both NULL once tiles are open */
};

/* Sorts `bodies`, at most 2^32 - 1, by position. STATUS_RUNTIME: out of memory. */
enum status tiles_open(struct tiles *tiles, const struct bodies *bodies, double softening);
void tiles_close(struct tiles *tiles); /* accepts a zeroed one */

static inline size_t tiles_for(size_t rows)
{
    return (rows + FORCE_TILE - 1) / FORCE_TILE;
}

/* The tile of all rows whose centre is that of tile `part` when only every subset-th row is
 * used. */
static inline size_t tiles_of_part(size_t tiles, size_t subset, size_t part)
{
    size_t middle = (part * FORCE_TILE + FORCE_TILE / 2) * subset / FORCE_TILE;
    return middle < tiles ? middle : tiles - 1;
}

/* In each coordinate, the median of three medians of three (Tukey's ninther) of the chosen bodies
 * of a tile whose rows are order[0], order[1], ... */
void tiles_centre(const uint32_t *order, const uint8_t chosen[FORCE_CHOSEN],
                  const double (*position)[3], double centre[3]);
