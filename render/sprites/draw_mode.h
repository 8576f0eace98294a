/* Draw modes: what a body looks like in the picture. One const entry each, default first. */
#pragma once

#include "render/colour/legend.h"

#include <stdbool.h>

struct draw_mode {
    const char *name, *doc;
    double point_size;    /* where look.point_size is 0 */
    bool square;          /* whole pixels, all lit alike, the same size at any distance */
    bool plain;           /* every body in the colour look.plain instead of look.color */
    bool counts;          /* a map of the number of bodies instead of their light */
    struct legend legend; /* of a mode with its own colours; no bars: that of look.color */
};
