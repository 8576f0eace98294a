/* Draw modes: the appearance of a body. One const entry each, default first. */
#ifndef RENDER_SPRITES_DRAW_MODE_H
#define RENDER_SPRITES_DRAW_MODE_H

#include "render/colour/legend.h"

#include <stdbool.h>

struct draw_mode {
    const char *name, *doc;
    double point_size;    /* used where look.point_size is 0 */
    bool square;          /* whole, equally bright pixels of the same size at any distance */
    bool plain;           /* every body has the colour look.plain instead of look.color */
    bool counts;          /* maps the number of bodies instead of their light */
    struct legend legend; /* of the mode's own colours; without bars: look.color's */
};

#endif
