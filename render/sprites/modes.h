/* What a body looks like in the picture: the draw modes of look.mode, the profiles of sprites of
 * look.profile, and what a body's light comes from, look.weight. One const entry each, default
 * first. */
#pragma once

#include "render/colour/legend.h"

#include <stdbool.h>

/* Sprite profiles: how light fades from a sprite's centre to its edge, where it is exactly zero.
 * All have the same total light. One const entry each, default first. */

struct look_params;

struct sprite_profile {
    const char *name, *doc;
    /* Defines `float profile(float square)` of the squared distance from the centre, 1 at the edge;
     * its mean over the disk is 1/3. */
    const char *glsl;
    bool polynomial; /* (1 - r^2)^2, which captured.h computes */
    float smallest;  /* factor on look.smallest: a narrow core would flicker from pixel to pixel */
    float spacing;   /* largest spacing, in radii, at which sprites form an even line */
};

/* The profile of a picture: look.profile, or the cubic spline for look.size kernel. */
const struct sprite_profile *profile_of(const struct look_params *look);

/* What a body's light comes from. One const entry each, default first. */

struct light_weight {
    const char *name, *doc;
    bool by_mass; /* the component's light times mass / mean mass of the drawn bodies */
};

extern const struct light_weight light_by_component, light_by_mass;

/* Draw modes: what a body looks like in the picture. One const entry each, default first. */

struct draw_mode {
    const char *name, *doc;
    double point_size;    /* where look.point_size is 0 */
    bool square;          /* whole pixels, all lit alike, the same size at any distance */
    bool plain;           /* every body in the colour look.plain instead of look.color */
    bool counts;          /* a map of the number of bodies instead of their light */
    struct legend legend; /* of a mode with its own colours; no bars: that of look.color */
};
