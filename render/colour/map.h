/* Colour maps: a number from 0 to 1 becomes a colour. One const entry each, default first.
 *
 * Stops at even distances along the published maps: viridis, inferno, magma and plasma (S. van der
 * Walt and N. Smith, 2015, public domain), cividis (J. Nunez, C. Anderton and R. Renslow, 2018) and
 * turbo (A. Mikhailov, 2019). Between the stops colours are interpolated as they are shown, and are
 * at most 6 of 255 off the published ones. starlight is our own: hues on a line in OKLab from blue
 * to gold, blue for longer, with the lightness L* growing evenly from 53 to 91. All but turbo grow
 * lighter from 0 to 1. grey has no stops. */
#ifndef RENDER_COLOUR_MAP_H
#define RENDER_COLOUR_MAP_H

#include <stdbool.h>

enum { COLOUR_MAP_STOPS = 33 };

struct colour_map {
    const char *name, *doc;
    bool proportional;                        /* grey whose light is the value; it has no stops */
    unsigned char shown[COLOUR_MAP_STOPS][3]; /* red, green, blue on an sRGB display */
};

/* red, green, blue from 0 to 1 on an sRGB display; values outside 0 to 1 count as the nearer end.
 */
void colour_map_at(const struct colour_map *map, float value, float shown[3]);

#endif
