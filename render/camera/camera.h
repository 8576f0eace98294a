/* Where a picture is taken from. Right-handed world, z up; angles in degrees; lengths in the
 * scene's unit.
 *
 * A camera says where it is at each frame (camera_aim); projecting an aim gives what the light pass
 * needs for one target (camera_project). A camera is constant once open; thread-safe. */
#ifndef RENDER_CAMERA_CAMERA_H
#define RENDER_CAMERA_CAMERA_H

#include "base/status.h"
#include "render/found.h"
#include "render/params.h"
#include "sim/view.h"

#include <stdbool.h>

/* What camera.follow can name: bodies first .. first + count - 1 of a view. All parts together are
 * all bodies. */
struct camera_part {
    const char *galaxy, *component; /* galaxy "": none */
    size_t first, count;
    bool draw;
    double
        radius; /* of its galaxy's core, see camera_follow.h; 0: its centre is that of its mass */
};

struct camera_setup {
    const struct camera_params *params; /* copied */
    struct camera_found found;          /* its arrays are copied */
    const struct camera_part *parts;    /* copied */
    int part_count;
    const char *follow_key;          /* what errors call params->follow; NULL: camera.follow */
    uint64_t frames;                 /* of the whole film */
    double azimuth, elevation, zoom; /* of a panel, beside all else; zoom 0: 1 */
};

struct camera;

/* STATUS_USAGE, naming the key, for what camera.follow names and is not there, for keyframes and
 * moves that make no sense, and where a frame would be taken from within the target or along up. */
enum status camera_open(struct camera **out, const struct camera_setup *setup);
void camera_close(struct camera **camera); /* accepts a pointer to NULL */

struct camera_aim {
    double eye[3], target[3];
    double up[3]; /* roughly: not along the line of sight, of any length */
    double fov;   /* vertical, of the whole picture */
};

/* The aim at the view's frame, a function of the view alone. It comes about in this order: the
 * keyframes' path (camera_path.h), or else azimuth, elevation, distance, orbit and zoom; all of it
 * moved with what is followed (camera_follow.h; the view's sample is read); the moves
 * (camera_moves.h); the panel's azimuth, elevation and zoom. */
void camera_aim(const struct camera *camera, const struct view *view, struct camera_aim *out);

/* Right, up and backwards in the picture, unit vectors. Returns the distance from the target. */
double camera_aim_axes(const struct camera_aim *aim, double right[3], double up[3], double back[3]);
double camera_aim_distance(const struct camera_aim *aim);

/* Moves the eye `shift` to its right, looking into the same direction: the axes stay parallel and
 * camera_project shears the picture so that the target stays where it is. */
void camera_aim_eye(struct camera_aim *aim, double shift);

/* Face 0 .. 5 of the cube around the eye: +right, -right, +up, -up, forwards, backwards of the
 * aim's own axes, levelled: its forward is the aim's without its rise. fov 90. */
void camera_aim_face(struct camera_aim *out, const struct camera_aim *aim, int face);

/* What part of a picture a target shows: a rectangle of it, and a margin of pixels on every side.
 */
struct camera_window {
    uint32_t width, height; /* of the whole picture */
    uint32_t x, y;          /* the rectangle's upper left corner */
    uint32_t columns, rows; /* its size */
    uint32_t margin;
    double shear; /* stereo: the eye's shift to the right, see camera_aim_eye */
};

struct camera_pose {
    float position[3];
    float view_projection[16]; /* column-major, OpenGL clip space of the target */
    float distance;            /* from the target */
    float pixels_per_unit;     /* at the target's distance */
    float corner[2];           /* the target's lower left one, in pixels from the whole picture's */
};

void camera_project(struct camera_pose *out, const struct camera_aim *aim,
                    const struct camera_window *window);

/* The distance from which a sphere of `radius` about the target fits into the picture. */
double camera_fit(const struct camera_params *params, double radius, uint32_t width,
                  uint32_t height);

#endif
