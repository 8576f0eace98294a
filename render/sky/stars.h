/* Puts the light of background stars behind that in a target, of which the brighter is seen in each
 * pixel, so that they do not shine through what is bright: they turn with the camera's direction
 * and do not move with its place, are the same ones in each eye of a stereo pair (as far apart
 * there as what is infinitely far), and on a whole sphere lie all around.
 *
 * A star is a round spot as large as a part of what camera.fov spans of the picture, but never so
 * small that it would flicker, and its light within that part is the same at any size of the
 * picture. Spots lie on 64ths of the whole picture's pixels and are computed by the distance from
 * there, so that a tile has exactly the whole picture's. Only for the renderer; a GL context must
 * be current. */
#ifndef RENDER_SKY_STARS_H
#define RENDER_SKY_STARS_H

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
    bool whole_sphere; /* the target is all of one, see post/sphere.h */
    bool values;       /* the target's red is a value times the light, as blue is without stars:
                          stars add to blue and alpha alone, so that both can be told apart */
};

struct stars;

enum status stars_create(struct stars **out, const struct stars_setup *setup);
void stars_destroy(struct stars **stars); /* accepts a pointer to NULL */

/* `light`: of a star of magnitude SKY_MAGNITUDE, in its middle. `window`: what the target shows of
 * the picture; of a sphere its width and height. */
void stars_add(const struct stars *stars, const struct gl_target *target,
               const struct camera_aim *aim, const struct camera_window *window, double light);

#endif
