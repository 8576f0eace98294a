/* Applies the moves of a camera to its aim. Pure, thread-safe.
 *
 * Moves apply in the order of their list, each to the result of those before; a completed move
 * keeps its effect. An orbit turns eye and up around the vertical (z) through the target, then
 * tilts them around the picture's horizontal: up follows, so that a tilt past a pole continues
 * beyond the pole, and the picture neither jumps nor flips. A zoom divides the distance. A pan
 * shifts eye and target along the camera's axes at that moment: what it moves aside stays there in
 * the picture, however the camera turns later.
 *
 * A new move is an entry in camera.c, with its keys in scenes/keys.c and their fields in
 * render/params.h. */
#pragma once

#include "base/status.h"
#include "render/camera/keyed.h"
#include "render/camera/project.h"
#include "render/draw.h"
#include "render/params.h"
#include "sim/view.h"

/* The path through a camera's keyframes.
 *
 * Position, target, up and field of view are interpolated between the keyframes' moments by quintic
 * polynomials, continuous in value, velocity and acceleration. The velocity at a keyframe has the
 * direction of the centripetal Catmull-Rom spline, that is of the sum of the two unit chords, which
 * makes neither cusps nor loops within a segment (C. Yuksel, S. Schaefer and J. Keyser,
 * Computer-Aided Design 43:747, 2011). Its size is the harmonic mean of the mean speeds before and
 * after (F. N. Fritsch and J. Butland, SIAM J. Sci. Stat. Comput. 5:300, 1984), times half the
 * length of that sum, so that sharp turns are taken slowly. The acceleration is the second
 * difference, limited to twice the smaller chord over the square of its duration. The camera
 * therefore does not swing past a keyframe because another is much closer in time, does not move
 * between two equal keyframes, and never overshoots on a line. Before the first and after the last
 * keyframe it is at rest. */

struct camera_path;

/* `moment` [keyframe_count >= 1]: frames. Copies. STATUS_USAGE names a keyframe that is out of
 * order, whose target is its position, that looks along its up, or whose field of view is
 * invalid. */
enum status camera_path_open(struct camera_path **out, const struct camera_params *params,
                             const double *moment);
void camera_path_close(struct camera_path **path); /* accepts a pointer to NULL */

void camera_path_at(const struct camera_path *path, double frame, struct camera_aim *out);

/* The last keyframe at or before a frame, counted from 0; 0 before the first. */
uint32_t camera_path_segment(const struct camera_path *path, double frame);

/* One kind of move. */
struct move_kind {
    const char *name, *doc;
    /* Applies the part `done`, 0 .. 1, of the whole move to the aim. */
    void (*apply)(const struct move_params *move, double done, struct camera_aim *aim);
};

struct camera_moves;

/* `from` and `to` [move_count]: frames. Copies. STATUS_USAGE names a move that ends before it
 * begins. */
enum status camera_moves_open(struct camera_moves **out, const struct camera_params *params,
                              const double *from, const double *to);
void camera_moves_close(struct camera_moves **moves); /* accepts a pointer to NULL */

/* Applies all moves as far as they are done at the frame. */
void camera_moves_apply(const struct camera_moves *moves, double frame, struct camera_aim *aim);

/* Where a picture is taken from at each frame. Right-handed world, z up; angles in degrees; lengths
 * in the scene's unit. A camera is constant once open; thread-safe. */

struct camera_setup {
    const struct camera_params *params; /* copied */
    struct camera_found found;          /* its arrays are copied */
    const struct camera_part *parts;    /* copied */
    int part_count;
    struct camera_bodies bodies;
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
/* camera_dome_lean at a frame of a film with keyframes. */
double camera_dome_lean_at(const struct renderer_params *params, double frame);

void camera_close(struct camera **camera); /* accepts a pointer to NULL */

/* Checks what does not depend on the camera's moments or distance: names that do not exist, and
 * keyframes that are invalid by themselves. */
enum status camera_check_picture(const struct renderer_params *params, int picture);

/* The target of a picture's camera in this view, without keyframes and moves: camera.target, plus
 * the followed centre. Needs neither the distance nor the camera's moments. */
enum status camera_find_target(const struct renderer_params *params, int picture,
                               const struct view *view, double target[3]);

/* The aim at the view's frame; depends on the view alone. Applied in this order: the keyframes'
 * path, or else azimuth, elevation, distance, orbit and zoom; the followed centre (follow.h, from
 * the view's sample); the moves; the framing's shift; the panel's azimuth, elevation and zoom. */
void camera_aim(const struct camera *camera, const struct view *view, struct camera_aim *out);

/* The aims in the middle, at the opening and at the closing of the shutter, which is open for a
 * part of the time between frames. A followed centre moves along its velocity. */
enum { AIM_MIDDLE, AIM_OPENING, AIM_CLOSING, AIMS };
void camera_aim_exposed(const struct camera *camera, const struct view *view, double part,
                        struct camera_aim out[AIMS]);
