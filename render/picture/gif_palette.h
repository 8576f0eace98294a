/* Palettes for GIF: median-like cuts divide the cloud of all colours where it spreads most, and an
 * ordered dither mixes the palette's colours, so that still parts of the picture stay still.
 * Deterministic. Used by one thread. */
#pragma once

#include "render/picture/picture.h"

enum { PALETTE_COLOURS = 255 }; /* one of 256 is kept for transparency */

struct palette {
    uint32_t count;
    uint8_t rgb[PALETTE_COLOURS][3]; /* the first is black */
    float gap[PALETTE_COLOURS];      /* distance to the nearest other colour */
    uint16_t *nearest;               /* by the upper bits of a colour; 0: not yet determined */
};

/* A histogram of colours. */
struct palette_counts;
struct palette_counts *palette_counts_create(void);
void palette_counts_add(struct palette_counts *counts, const struct picture *picture); /* RGBA8 */
void palette_counts_destroy(struct palette_counts **counts); /* accepts a pointer to NULL */

/* Free with palette_free. Black stays black; bright, rare colours are kept. */
void palette_make(struct palette *palette, const struct palette_counts *counts);
void palette_free(struct palette *palette);

/* Palette indices of an RGBA8 picture, one byte per pixel, rows `stride` apart. */
void palette_map(struct palette *palette, const struct picture *picture, uint8_t *numbers,
                 size_t stride);
