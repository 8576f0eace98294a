/* Where the picture is seen from. Right-handed world, z up; angles in degrees. */
#ifndef RENDER_CAMERA_H
#define RENDER_CAMERA_H

#include "render/params.h"

struct camera_pose {
    float position[3];
    float view_projection[16]; /* column-major, OpenGL clip space */
    float distance;            /* from the target */
    float pixels_a_unit;       /* at the target's distance, for a picture of the given height */
};

/* The pose at `progress` in [0, 1] of the film, for the inner width x height picture inside a
 * target with `margin` more pixels on every side. */
void camera_pose(struct camera_pose *out, const struct camera_params *params, double progress,
                 uint32_t width, uint32_t height, uint32_t margin);

/* The distance from which a sphere of `radius` about the target fits into the picture. */
double camera_fit(const struct camera_params *params, double radius, uint32_t width,
                  uint32_t height);

#endif
