/* Where a picture is taken from at each frame. Right-handed world, z up; angles in degrees; lengths
 * in the scene's unit. A camera is constant once open; thread-safe. */
#pragma once

#include "base/status.h"
#include "render/camera/aim.h"
#include "render/draw.h"
#include "sim/view.h"

struct camera_setup {
    const struct camera_params *params; /* copied */
    struct camera_found found;          /* its arrays are copied */
    const struct camera_part *parts;    /* copied */
    int part_count;
    const char *follow_key;          /* its scene key, for errors; NULL: camera.follow */
    uint64_t frames;                 /* of the whole film */
    bool loops;                      /* the first frame follows the last */
    double azimuth, elevation, zoom; /* of a panel, added to the film's camera; zoom 0: 1 */
};

struct camera;

/* STATUS_USAGE names the key if camera.follow names something that does not exist, if keyframes or
 * moves are invalid, or if a frame would be seen from within the target or along up. */
enum status camera_open(struct camera **out, const struct camera_setup *setup);

/* Opens the camera of one picture: one of look.panels, or the only one. Needs no GL. */
enum status camera_open_picture(struct camera **out, const struct renderer_params *params,
                                int picture);
void camera_close(struct camera **camera); /* accepts a pointer to NULL */

/* Checks what does not depend on the camera's moments or distance: names that do not exist, and
 * keyframes that are invalid by themselves. */
enum status camera_check_picture(const struct renderer_params *params, int picture);

/* The target of a picture's camera in this view, without keyframes and moves: camera.target, plus
 * the followed centre. Needs neither the distance nor the camera's moments. */
enum status camera_find_target(const struct renderer_params *params, int picture,
                               const struct view *view, double target[3]);

/* The aim at the view's frame; depends on the view alone. Applied in this order: the keyframes'
 * path (path.h), or else azimuth, elevation, distance, orbit and zoom; the followed centre
 * (follow.h, from the view's sample); the moves (moves.h); the framing's shift; the panel's
 * azimuth, elevation and zoom. */
void camera_aim(const struct camera *camera, const struct view *view, struct camera_aim *out);

/* The aims in the middle, at the opening and at the closing of the shutter, which is open for a
 * part of the time between frames. A followed centre moves along its velocity. */
enum { AIM_MIDDLE, AIM_OPENING, AIM_CLOSING, AIMS };
void camera_aim_exposed(const struct camera *camera, const struct view *view, double part,
                        struct camera_aim out[AIMS]);
