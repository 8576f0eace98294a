/* Glow on the whole sphere, equally round at the poles and on the equator, and without a seam. The
 * light is projected to six maps, each around the direction of a face of the cube and wide enough
 * for light that spreads into it; glow.h spreads it there, and the maps are blended back. Only for
 * the renderer; a GL context must be current. */
#pragma once

#include "render/gl/context.h"
#include "render/gl/util.h"

struct sphere_glow;

/* For light on a sphere (post/sphere.h) of this size. */
enum status sphere_glow_create(struct sphere_glow **out, const struct gl_context *context,
                               const struct gl_target *light);
void sphere_glow_destroy(struct sphere_glow **glow); /* accepts a pointer to NULL */

/* Writes the light, all of it spread, to sphere_glow_target, an equirectangular picture smaller by
 * GLOW_FACTOR. A vertex array must be bound. */
void sphere_glow_make(struct sphere_glow *glow, const struct gl_target *light);
const struct gl_target *sphere_glow_target(const struct sphere_glow *glow);
