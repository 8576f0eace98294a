/* Stars that a body's light is resolved into, so that a picture has points in focus: a body stands
 * for many stars, `look.resolved` of its light comes from `look.stars` of them, and its sprite of
 * adaptive size has the rest. shaders/sprite_star.glsl places them. Pure and thread-safe. */
#ifndef RENDER_SPRITES_RESOLVED_H
#define RENDER_SPRITES_RESOLVED_H

#include "render/params.h"

#include <stdint.h>

/* What look.stars means for a film that draws `count` bodies: as many as it says; where it says
 * auto, RESOLVED_MOST of each body while all bodies have no more than RESOLVED_ALL, then fewer. */
enum { RESOLVED_MOST = 8, RESOLVED_FEWEST = 2, RESOLVED_ALL = 2000000 };
uint32_t resolved_choose(const struct look_params *look, uint64_t count);

/* Stars of each body in a picture, 0 where its light is not resolved: where sprites are not of
 * adaptive size. The look is one for which resolved_choose has decided. */
uint32_t resolved_stars(const struct look_params *look);

/* Luminosities between 1 and RESOLVED_BRIGHTEST are as frequent as their power -2.1, about as those
 * of the brighter stars of a galaxy. For u even in [0, 1) one is pow(1 + u power[0], power[1]), and
 * power[2] makes their mean 1. */
enum { RESOLVED_BRIGHTEST = 400 };
void resolved_power(float power[3]);

/* Diameter of a star in a picture so many pixels high; above 1080 it grows as the square root, so
 * that larger pictures are sharper. */
float resolved_size(double rows);

#endif
