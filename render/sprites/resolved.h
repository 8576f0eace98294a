/* Resolves the light of bodies into stars, so that a picture has points in focus: look.resolved of
 * a body's light comes from look.stars stars, the rest from its sprite of adaptive size.
 * shaders/sprite_star.glsl places them. Pure and thread-safe. */
#pragma once

#include "base/whole.h"
#include "render/params.h"

#include <stdint.h>

/* Stars per body in a film that draws that many bodies: look.stars, or if that is auto,
 * RESOLVED_MOST, reduced so that all bodies together have at most RESOLVED_ALL. */
enum { RESOLVED_MOST = 8, RESOLVED_FEWEST = 2, RESOLVED_ALL = 2000000 };
uint32_t resolved_choose(const struct look_params *look, struct whole drawn);

/* Stars per body in a picture; 0 if sprites do not have adaptive size. look->stars must come from
 * resolved_choose. */
uint32_t resolved_stars(const struct look_params *look);

/* The luminosity function: dN / dL ~ L^-2.1 between 1 and RESOLVED_BRIGHTEST. For u uniform in [0,
 * 1), pow(1 + u power[0], power[1]) is distributed like that, and power[2] scales the mean to 1. */
enum { RESOLVED_BRIGHTEST = 400 };
void resolved_power(float power[3]);

/* The diameter of a star in a picture `rows` pixels high; above 1080 rows it grows as their square
 * root, so that larger pictures are sharper. */
float resolved_size(double rows);
