/* Palettes: the colours that galaxies and components get in their order. One const entry each,
 * default first. */
#pragma once

enum { TINT_PALETTE_MAX = 8 };

struct tint_palette {
    const char *name, *doc;
    int count;
    float shown[TINT_PALETTE_MAX][3]; /* red, green, blue on a display */
};
