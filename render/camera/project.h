/* Vectors of three numbers for the camera's files. Pure. */
#pragma once

#include "base/functions/fn.h"
#include "render/params.h"
#include "render/picture/picture.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

static inline double vector_length(const double a[3])
{
    return fn_hypot(fn_hypot(a[0], a[1]), a[2]);
}

/* out = a + factor * b; out may be a or b. */
static inline void vector_add(double out[3], const double a[3], double factor, const double b[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[i] + factor * b[i];
}

/* out must be neither a nor b. */
static inline void vector_cross(double out[3], const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Where a camera is and where it looks. Right-handed world, z up; angles in degrees; lengths in the
 * scene's unit. Pure, thread-safe. */

struct camera_aim {
    double eye[3], target[3];
    double up[3]; /* approximate: any length, not parallel to the line of sight */
    double fov;   /* vertical, for the whole picture */
};

/* Writes the picture's right, up and backward axes as unit vectors. Returns the distance from the
 * target. */
double camera_aim_axes(const struct camera_aim *aim, double right[3], double up[3], double back[3]);
double camera_aim_distance(const struct camera_aim *aim);

/* Moves the eye `shift` to its right, looking in the same direction: the axes stay parallel, and
 * camera_project shears the picture so that the target stays where it is. */
void camera_aim_eye(struct camera_aim *aim, double shift);

/* Orbit turns the eye around the target by degrees of azimuth and elevation, zoom moves it closer,
 * pan shifts eye and target to the right, up and forwards. See camera.h. */
void camera_aim_orbit(struct camera_aim *aim, double turn, double tilt);
void camera_aim_zoom(struct camera_aim *aim, double factor);
void camera_aim_pan(struct camera_aim *aim, const double shift[3]);

/* Looks through face 0 .. 5 of the cube around the eye, with a field of view of 90 degrees: +right,
 * -right, +up, -up, forwards, backwards. The axes are the aim's own, levelled: forwards is the
 * aim's direction without its rise. */
void camera_aim_face(struct camera_aim *out, const struct camera_aim *aim, int face);

/* Raises the line of sight by degrees. */
void camera_aim_lean(struct camera_aim *aim, double degrees);

/* The angle by which the axis of a dome, in the middle of its picture, is above the target. */
static inline double camera_dome_lean(const struct camera_params *params)
{
    return 90 - params->dome_tilt - params->dome_height;
}

/* The field of view, in degrees, of each dome in the picture; 0: it shows none. */
static inline double camera_dome(const struct camera_params *params)
{
    return params->projection && params->projection->dome ? params->dome_field : 0;
}

/* Faces of the cube of which a whole sphere shows something, or a dome, whose field of view is
 * smaller than that of faces 0 to 4. */
static inline int camera_faces(double dome)
{
    return dome > 0 ? 5 : 6;
}

/* Pixels of a quarter turn, and per radian, from the middle of a picture of a whole sphere or a
 * dome. */
static inline double camera_quarter(double width, double dome)
{
    return width * 90 / (dome > 0 ? dome : 360);
}
static inline double camera_radian(double width, double dome)
{
    return dome > 0 ? width * (180 / M_PI) / dome : width / (2 * M_PI);
}

/* Projects points from the world to a target's pixels, given a camera's aim. Pure, thread-safe. */

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
    float slab[4];   /* bodies at p with |slab.xyz . p + slab.w| > 1 are not drawn; 0: all are */
    float corner[2]; /* the target's lower left corner, in pixels from that of the whole picture */
};

/* Whether the body is within the slab. */
bool camera_pose_has(const struct camera_pose *pose, const float place[3]);

void camera_project(struct camera_pose *out, const struct camera_aim *aim,
                    const struct camera_window *window);

/* How a whole picture is seen. */
struct camera_eye {
    struct camera_aim aim;
    double width, height; /* of the picture, in pixels */
    double shear;         /* see struct camera_window */
    bool whole_sphere;
    double dome;   /* see camera_dome; the aim is that of its axis */
    float slab[4]; /* see struct camera_pose */
};

/* Returns 1 in the middle of the slab, 0 on its faces, a negative number outside, and INFINITY if
 * there is no slab. */
double camera_within(const struct camera_eye *eye, const double point[3]);

/* Where a point is in the picture, in pixels from its upper left corner, and how many pixels a unit
 * of length has there. False: it is behind the camera, or outside a dome. */
bool camera_see(const struct camera_eye *eye, const double point[3], double at[2], double *scale);

/* The vertical field of view, in degrees, of a picture whose width spans `fov` and whose height is
 * `stretch` times its width. */
double camera_stretched_fov(double fov, double stretch);

/* A picture in pixels, and its camera_found.stretch. */
struct camera_frame {
    uint32_t width, height;
    double stretch;
};

/* The distance at which a sphere of `radius` around the target fits into the picture, or into
 * the span of a full sphere. */
double camera_fit(const struct camera_params *params, double radius,
                  const struct camera_frame *frame);
