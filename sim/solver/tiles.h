/* Which bodies share a tile of rows (kernels/rows.h): neighbours in space, so that offsets from the
 * tile's centre are short.
 *
 * Bodies of a mass that many have stay together, because kernels leave out a mass that a whole tile
 * shares. Within such a segment the bodies are halved again and again along the longest side of
 * their box, at whole tiles: unlike a curve this does not depend on the box of all bodies, which
 * one body far away makes arbitrarily large. In a tile heavier bodies come last, because a sum in
 * single precision loses small terms behind a large one and not before it. Bodies without mass
 * are behind all others, and centres depend on them only where they are alone, so that they do not
 * even change how the pull of the others is rounded. Successive tiles of a segment lie apart, and the
 * heaviest come last, so that sums over tiles do not grow large before they get small again. The
 * order depends on masses and positions alone, and not on the number of threads. */
#ifndef SIM_SOLVER_TILES_H
#define SIM_SOLVER_TILES_H

#include "kernels/rows.h"
#include "sim/bodies/bodies.h"

#include <stdint.h>

struct tiles {
    size_t count;    /* bodies; 0: there are no tiles, and row k is body k */
    uint32_t *order; /* row k is body order[k] */
    uint32_t *base;  /* bodies by segment */
    size_t massive;  /* rows with mass, the first ones */
    size_t *ends;    /* [segments], of base */
    size_t segments;
    struct tile_body *room; /* [count] */
};

/* Sorted by the positions of `bodies`, of which at most 2^32 - 1 are taken. STATUS_RUNTIME when
 * memory is short. */
enum status tiles_open(struct tiles *tiles, const struct bodies *bodies);
void tiles_close(struct tiles *tiles); /* accepts a zeroed one */

/* Sorts anew. */
void tiles_sort(struct tiles *tiles, const double *mass, const double (*position)[3]);

/* The order of a state that was saved. */
void tiles_set(struct tiles *tiles, const uint32_t *order);

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

/* How many rows of a tile, from row `first` on, its centre is chosen from. */
static inline size_t tiles_chosen(size_t first, size_t rows, size_t massive)
{
    const size_t left = rows - first < FORCE_TILE ? rows - first : FORCE_TILE;
    return massive > first && massive - first < left ? massive - first : left;
}

/* The centre of `count` >= 1 rows from `first` on: in each coordinate the median of three medians
 * of three bodies (Tukey's ninther), which a few bodies far away do not move, and which is exact.
 */
void tiles_centre(const uint32_t *order, size_t first, size_t count, const double (*position)[3],
                  double centre[3]);

#endif
