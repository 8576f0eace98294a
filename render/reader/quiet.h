/* Finds where two pictures of Y'CbCr bytes are both dark and equal except for rounding, from the
 * samples alone: most of a night sky need not be converted to be compared. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a tile is quiet, for each instruction set. */

struct quiet_pictures {
    uint32_t width, height;
    int shift_x, shift_y; /* log2 of the chroma subsampling, 0 or 1 */
    bool full;            /* range */
    const uint8_t *a[3], *b[3];
    ptrdiff_t stride_a[3], stride_b[3];
};

/* Chroma of a dark picture is at most this far from grey. */
enum { QUIET_CHROMA_NEAR = 2, QUIET_GREY = 128 };

struct quiet_bounds {
    uint8_t luma;      /* the brightest that counts as dark */
    uint8_t free_luma; /* difference that is free while chroma is equal */
};

/* Takes the upper left pixel of a tile of PLANES_TILE^2 pixels. Thread-safe. */
typedef bool quiet_tile_of(const struct quiet_pictures *pictures, const struct quiet_bounds *bounds,
                           uint32_t x, uint32_t y);

quiet_tile_of quiet_tile_baseline, quiet_tile_neon, quiet_tile_avx2, quiet_tile_avx512;

/* See frame_find_needed. Thread-safe. */
bool quiet_find_needed(const struct quiet_pictures *pictures, double lit, double free,
                       uint8_t *needed);
