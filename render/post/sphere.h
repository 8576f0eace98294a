/* The whole sphere around the camera as one picture of light, assembled from the faces of a cube.
 * In an equirectangular picture the middle is straight ahead, the upper edge straight up, and the
 * left and right edges meet behind. A dome is an equidistant fisheye: the middle is straight ahead,
 * and the distance from there is the angle. Only for the renderer; a GL context must be current. */
#pragma once

#include "render/gl/context.h"
#include "render/gl/gl.h"

struct sphere {
    struct gl_target light;
    struct gl_pass pass;
    GLint side, margin;
};

/* Fills *sphere, which must be all zero, for a picture of this size. `dome`: 0, or the field of
 * view of a dome whose circle touches the picture's edges, in degrees; there is no light outside.
 * After a failure sphere_destroy must still be called. */
enum status sphere_create(struct sphere *sphere, const struct gl_context *context, uint32_t width,
                          uint32_t height, double dome);
void sphere_destroy(struct sphere *sphere); /* accepts all zero */

/* The side of a face, in pixels, whose middle has as many pixels per degree as the picture. */
uint32_t sphere_face_side(uint32_t width, double dome);

/* Copies what `face` (0 .. 5, see camera_aim_face) shows into the sphere. The face's target has
 * `margin` more pixels on every side. A vertex array must be bound. */
void sphere_add_face(const struct sphere *sphere, const struct gl_target *face, uint32_t side,
                     uint32_t margin, int number);

/* Glow on the whole sphere, equally round at the poles and on the equator, and without a seam. The
 * light is projected to six maps, each around the direction of a face of the cube and wide enough
 * for light that spreads into it; glow.h spreads it there, and the maps are blended back. Only for
 * the renderer; a GL context must be current. */

struct sphere_glow;

/* Creates the glow for light on a sphere (post/sphere.h) of this size. core: relative to a quarter
 * turn, see struct glow_setup. */
enum status sphere_glow_create(struct sphere_glow **out, const struct gl_context *context,
                               const struct gl_target *light, double dome, double core);
void sphere_glow_destroy(struct sphere_glow **glow); /* accepts a pointer to NULL */

/* Writes the light, all of it spread, to sphere_glow_target, an equirectangular picture smaller by
 * GLOW_FACTOR. A vertex array must be bound. */
void sphere_glow_make(struct sphere_glow *glow, const struct gl_target *light);
const struct gl_target *sphere_glow_target(const struct sphere_glow *glow);
