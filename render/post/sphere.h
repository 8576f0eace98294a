/* The whole sphere around the camera as one equirectangular picture of light, assembled from the
 * six faces of a cube. The picture's middle is straight ahead, its upper edge straight up, and its
 * left and right edges meet behind. Only for the renderer; a GL context must be current. */
#pragma once

#include "render/gl/pass.h"
#include "render/gl/util.h"

struct sphere {
    struct gl_target light;
    struct gl_pass pass;
    GLint side, margin;
};

/* Fills *sphere, which must be all zero, for a picture of this size. After a failure sphere_destroy
 * must still be called. */
enum status sphere_create(struct sphere *sphere, const struct gl_context *context, uint32_t width,
                          uint32_t height);
void sphere_destroy(struct sphere *sphere); /* accepts all zero */

/* The side of a face, in pixels, whose middle has as many pixels per degree as the picture. */
uint32_t sphere_face_side(uint32_t width);

/* Copies what `face` (0 .. 5, see camera_aim_face) shows into the sphere. The face's target has
 * `margin` more pixels on every side. A vertex array must be bound. */
void sphere_add_face(const struct sphere *sphere, const struct gl_target *face, uint32_t side,
                     uint32_t margin, int number);

/* Sets the uniforms of shaders/sphere_axes.glsl for face `number` in the pass in use. */
void sphere_set_axes(const struct gl_pass *pass, int number);
