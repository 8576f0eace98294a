/* Expansions of one order (TREE_ORDER) as lanes: their sizes, the code that generate.c writes for
 * them, and rows of moments. For NAME_isa.c, which is compiled once per instruction set. */
#pragma once

#include "kernels/tree/tree.h"
#include "kernels/tree/tree_lanes.h"

enum {
    ORDER = TREE_ORDER,
    TERMS = (ORDER + 1) * (ORDER + 2) * (ORDER + 3) / 6,
    FIRST = 4, /* first term in a row of moments; the mass and the zero dipole are not in the row */
    PADDED = (TERMS - FIRST + 15) / 16 * 16,
    WHOLE = (TERMS - FIRST + LANES - 1) / LANES * LANES, /* a row in whole vectors */
    /* The number of moment terms that act on a local expansion without its first term. */
    PULLING = ORDER * (ORDER + 1) * (ORDER + 2) / 6,
    FLATS = (ORDER + 1) * (ORDER + 1) - 1, /* flat terms without the first one */
    FOLDED = ORDER * ORDER - 4 + 1,        /* flat moments, without mass and dipole, and one more */
};

_Static_assert((int)TERMS <= (int)TREE_TERMS_MOST, "room for an expansion");

#define TREE_INLINE static inline __attribute__((always_inline, unused))
#define REAL        lanes
#define NAMED(name) all_##name
#include TREE_EXPANSION

/* Lists successive places as lanes, from `first` on; lanes beyond `count` repeat the last place. */
static inline void list_lanes(size_t first, size_t count, uint32_t list[LANES])
{
    for (size_t l = 0; l < LANES; l++)
        list[l] = (uint32_t)(first + l < count ? first + l : count - 1);
}

/* Unpacks the moments of cells as lanes, together with the terms that a row leaves out. */
static inline __attribute__((always_inline)) void unpack(const float *rows, const uint32_t *list,
                                                         lanes mass, lanes all[PADDED + FIRST])
{
    all[0] = mass;
    all[1] = all[2] = all[3] = (lanes){0};
    for (int n = 0; n < PADDED; n += 16)
        transpose(rows + n, PADDED, list, all + FIRST + n);
}
