/* Colour maps: a number from 0 to 1 becomes a colour. One const entry each, default first.
 *
 * Stops at equal distances along the published maps: viridis, inferno, magma and plasma (S. van der
 * Walt and N. Smith, 2015, public domain), cividis (J. Nunez, C. Anderton and R. Renslow, 2018) and
 * turbo (A. Mikhailov, 2019). Between the stops display values are interpolated; they differ from
 * the published ones by at most 6 of 255. starlight is our own: hues on a line in OKLab from blue
 * to gold, mostly blue, with the lightness L* rising evenly from 53 to 91. All maps but turbo
 * become lighter from 0 to 1. grey has no stops. */
#pragma once

#include <stdbool.h>

enum { COLOUR_MAP_STOPS = 33 };

struct colour_map {
    const char *name, *doc;
    bool proportional;                        /* grey: light proportional to the value, no stops */
    unsigned char shown[COLOUR_MAP_STOPS][3]; /* red, green, blue on an sRGB display */
};

/* Red, green, blue, 0 to 1, on an sRGB display; values outside 0 to 1 are clamped. */
void colour_map_at(const struct colour_map *map, float value, float shown[3]);
