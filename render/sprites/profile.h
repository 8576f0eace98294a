/* Sprite profiles: how light fades from a sprite's centre to its edge, where it is exactly zero.
 * All have the same total light. One const entry each, default first. */
#pragma once

#include <stdbool.h>

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
