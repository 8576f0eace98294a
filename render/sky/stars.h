/* Adds background stars behind the light in a target: each pixel shows the brighter of both, so
 * that stars do not shine through bright regions. They turn with the camera's direction and are not
 * affected by its position; they are the same in both eyes of a stereo pair, at infinite distance,
 * and surround the camera on a whole sphere.
 *
 * A star is a round spot whose size is a share of what camera.fov spans of the picture, but is
 * never so small that it would flicker; its total light, relative to that share, is the same at any
 * picture size. Spots are centred on 64ths of the whole picture's pixels, and light is computed by
 * the distance from there, so that a tile agrees exactly with the whole picture. Only for the
 * renderer; a GL context must be current. */
#pragma once

#include "render/camera/aim.h"
#include "render/camera/project.h"
#include "render/gl/util.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stars_setup {
    size_t count; /* > 0 */
    uint64_t seed;
    double saturation; /* of their colours, 0 .. 1 */
    double stretch;    /* camera_found's */
    bool whole_sphere; /* the target is a full sphere, see post/sphere.h */
    bool values;       /* the target's red is a value times the light, and so is its blue without
                        * stars: stars add only to blue and alpha, so that both can be separated */
};

struct stars;

enum status stars_create(struct stars **out, const struct stars_setup *setup);
void stars_destroy(struct stars **stars); /* accepts a pointer to NULL */

/* `light`: in the middle of a star of magnitude SKY_MAGNITUDE. `window`: the part of the picture
 * that the target shows; for a sphere, its width and height. */
void stars_add(const struct stars *stars, const struct gl_target *target,
               const struct camera_aim *aim, const struct camera_window *window, double light);
