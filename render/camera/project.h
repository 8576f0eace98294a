/* From a camera's aim to the pixels of a target. Pure, thread-safe. */
#ifndef RENDER_CAMERA_PROJECT_H
#define RENDER_CAMERA_PROJECT_H

#include "render/camera/aim.h"
#include "render/params.h"

#include <stdint.h>

/* The part of a picture that a target shows: a rectangle of it, and a margin of pixels on every
 * side. */
struct camera_window {
    uint32_t width, height; /* of the whole picture */
    uint32_t x, y;          /* the rectangle's upper left corner */
    uint32_t columns, rows; /* its size */
    uint32_t margin;
    double shear; /* stereo: the eye's shift to the right, see camera_aim_eye */
};

struct camera_pose {
    float position[3];
    float up[3];               /* the picture's, a unit vector; around a sphere its pole's */
    float view_projection[16]; /* column-major, OpenGL clip space of the target */
    float distance;            /* from the target */
    float pixels_per_unit;     /* at the target's distance */
    float corner[2];           /* the target's lower left one, in pixels from the whole picture's */
};

void camera_project(struct camera_pose *out, const struct camera_aim *aim,
                    const struct camera_window *window);

/* The vertical field of view, in degrees, of a picture `stretch` times as high as wide whose width
 * spans `fov`. */
double camera_stretched_fov(double fov, double stretch);

/* In degrees: what a picture of the whole sphere has around its middle, where camera.fov spans all
 * of a flat one. A third of the way round, so that a viewer is before the bodies and not far off.
 */
enum { SPHERE_SPAN = 120 };

/* A picture in pixels, and its camera_found.stretch. */
struct camera_frame {
    uint32_t width, height;
    double stretch;
};

/* The distance from which a sphere of `radius` about the target fits into the picture, or around a
 * sphere into SPHERE_SPAN. */
double camera_fit(const struct camera_params *params, double radius,
                  const struct camera_frame *frame);

#endif
