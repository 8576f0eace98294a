/* The colours of pictures that may only have few, for GIF: found by cutting the cloud of all their
 * colours where it spreads most, and mixed by an ordered dither, which stands still where the
 * picture does. Deterministic. Used by one thread. */
#ifndef RENDER_PICTURE_PALETTE_H
#define RENDER_PICTURE_PALETTE_H

#include "render/picture/picture.h"

enum { PALETTE_COLOURS = 255 }; /* one of 256 is left for what is transparent */

struct palette {
    uint32_t count;
    uint8_t rgb[PALETTE_COLOURS][3]; /* the first is black */
    float reach[PALETTE_COLOURS];    /* to the nearest other colour */
    uint16_t *nearest;               /* by the upper bits of a colour; 0: not yet looked for */
};

/* How often colours occur. */
struct palette_counts;
struct palette_counts *palette_counts_create(void);
void palette_counts_add(struct palette_counts *counts, const struct picture *picture); /* RGBA8 */
void palette_counts_destroy(struct palette_counts **counts); /* accepts a pointer to NULL */

/* Free with palette_free. Black stays black; colours that are bright and rare are kept. */
void palette_make(struct palette *palette, const struct palette_counts *counts);
void palette_free(struct palette *palette);

/* The colours' numbers of an RGBA8 picture, a byte a pixel, rows `stride` apart. */
void palette_map(struct palette *palette, const struct picture *picture, uint8_t *numbers,
                 size_t stride);

#endif
