/* What moves do to an aim. Pure, thread-safe.
 *
 * Moves apply in the order of their list, each to the result of those before; a completed move
 * keeps its effect. An orbit turns eye and up around the vertical (z) through the target, then
 * tilts them around the picture's horizontal: up follows, so that a tilt past a pole continues
 * beyond the pole, and the picture neither jumps nor flips. A zoom divides the distance. A pan
 * shifts eye and target along the camera's axes at that moment: what it moves aside stays there in
 * the picture, however the camera turns later. */
#pragma once

#include "base/status.h"
#include "render/camera/aim.h"
#include "render/params.h"

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
