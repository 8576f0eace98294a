/* From a camera's aim to a target's pixels. Pure, thread-safe. */
#pragma once

#include "render/camera/aim.h"
#include "render/params.h"

#include <stdint.h>

/* The part of a picture that a target shows: a rectangle, with a margin of pixels on every side. */
struct camera_window {
    uint32_t width, height; /* size of the whole picture */
    uint32_t x, y;          /* upper left corner of the rectangle */
    uint32_t columns, rows; /* size of the rectangle */
    uint32_t margin;
    double shear; /* stereo: the eye's shift to the right, see camera_aim_eye */
};

struct camera_pose {
    float position[3];
    float up[3];               /* unit vector: up in the picture; for a sphere, its pole */
    float view_projection[16]; /* column-major, OpenGL clip space of the target */
    float distance;            /* from the target */
    float pixels_per_unit;     /* at the target's distance */
    float corner[2]; /* the target's lower left corner, in pixels from that of the whole picture */
};

void camera_project(struct camera_pose *out, const struct camera_aim *aim,
                    const struct camera_window *window);

/* The vertical field of view, in degrees, of a picture whose width spans `fov` and whose height is
 * `stretch` times its width. */
double camera_stretched_fov(double fov, double stretch);

/* The angle, in degrees, that the scene spans in the middle of a full-sphere picture; in a flat one
 * the scene spans camera.fov. A third of a turn, so that a viewer is in front of the bodies but not
 * far from them. */
enum { SPHERE_SPAN = 120 };

/* A picture in pixels, and its camera_found.stretch. */
struct camera_frame {
    uint32_t width, height;
    double stretch;
};

/* The distance at which a sphere of `radius` around the target fits into the picture, or into
 * SPHERE_SPAN of a full sphere. */
double camera_fit(const struct camera_params *params, double radius,
                  const struct camera_frame *frame);
