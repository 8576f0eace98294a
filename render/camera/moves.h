/* What moves do to an aim. Pure, thread-safe.
 *
 * Moves add up in the order of their list, each on what the ones before it have left; a move that
 * is done stays done. An orbit turns eye and up around the vertical (z) through the target, then
 * tilts them around the picture's horizontal: up follows, so that a tilt past a pole continues over
 * it, and the picture neither jumps nor turns round. A zoom divides the distance. A pan shifts eye
 * and target along the camera's own axes of the moment: what it has moved aside stays where it is
 * in the picture, however the camera turns later in the film. */
#ifndef RENDER_CAMERA_MOVES_H
#define RENDER_CAMERA_MOVES_H

#include "base/status.h"
#include "render/camera/aim.h"
#include "render/params.h"

/* What a move is. */
struct move_kind {
    const char *name, *doc;
    /* Moves the aim by the part `done`, 0 .. 1, of the whole move. */
    void (*apply)(const struct move_params *move, double done, struct camera_aim *aim);
};

struct camera_moves;

/* `from` and `to` [move_count]: frames. Copies. STATUS_USAGE names the move that ends before it
 * begins. */
enum status camera_moves_open(struct camera_moves **out, const struct camera_params *params,
                              const double *from, const double *to);
void camera_moves_close(struct camera_moves **moves); /* accepts a pointer to NULL */

/* What they have done by the frame. */
void camera_moves_apply(const struct camera_moves *moves, double frame, struct camera_aim *aim);

#endif
