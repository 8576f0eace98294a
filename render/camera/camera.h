/* Where a picture is taken from at each frame. Right-handed world, z up; angles in degrees; lengths
 * in the scene's unit. A camera is constant once open; thread-safe. */
#ifndef RENDER_CAMERA_CAMERA_H
#define RENDER_CAMERA_CAMERA_H

#include "base/status.h"
#include "render/camera/aim.h"
#include "render/draw.h"
#include "sim/view.h"

struct camera_setup {
    const struct camera_params *params; /* copied */
    struct camera_found found;          /* its arrays are copied */
    const struct camera_part *parts;    /* copied */
    int part_count;
    const char *follow_key;          /* what errors call params->follow; NULL: camera.follow */
    uint64_t frames;                 /* of the whole film */
    bool loops;                      /* its first frame follows its last */
    double azimuth, elevation, zoom; /* of a panel, beside all else; zoom 0: 1 */
};

struct camera;

/* STATUS_USAGE, naming the key, for what camera.follow names and is not there, for keyframes and
 * moves that make no sense, and where a frame would be taken from within the target or along up. */
enum status camera_open(struct camera **out, const struct camera_setup *setup);

/* The camera of a picture, one of look.panels or the only one. Needs no GL. */
enum status camera_open_picture(struct camera **out, const struct renderer_params *params,
                                int picture);
void camera_close(struct camera **camera); /* accepts a pointer to NULL */

/* What camera_open_picture refuses of the scene whatever its moments and its distance turn out to
 * be: names that nothing has, keyframes that make no sense by themselves. */
enum status camera_check_picture(const struct renderer_params *params, int picture);

/* The target of a picture's camera in this view, without keyframes and moves: camera.target, moved
 * with what is followed. Needs no distance and none of the camera's moments. */
enum status camera_find_target(const struct renderer_params *params, int picture,
                               const struct view *view, double target[3]);

/* The aim at the view's frame, a function of the view alone. It comes about in this order: the
 * keyframes' path (path.h), or else azimuth, elevation, distance, orbit and zoom; all of it
 * moved with what is followed (follow.h; the view's sample is read); the moves
 * (moves.h); the framing's shift; the panel's azimuth, elevation and zoom. */
void camera_aim(const struct camera *camera, const struct view *view, struct camera_aim *out);

/* The same in the middle of the shutter's time, when it opens and when it closes, for one that is
 * open for a part of the time from frame to frame: what is followed moves on along its velocity. */
enum { AIM_MIDDLE, AIM_OPENING, AIM_CLOSING, AIMS };
void camera_aim_exposed(const struct camera *camera, const struct view *view, double part,
                        struct camera_aim out[AIMS]);

#endif
