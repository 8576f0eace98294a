/* The path through a camera's keyframes.
 *
 * Position, target, up and field of view each run through their values at the keyframes' moments on
 * polynomials of fifth degree that agree in place, velocity and acceleration where they meet. The
 * velocity at a keyframe has the direction of the centripetal Catmull-Rom spline, which is that of
 * the sum of the two unit chords and makes neither cusps nor loops within a segment (C. Yuksel, S.
 * Schaefer and J. Keyser, Computer-Aided Design 43:747, 2011); its size is the harmonic mean of the
 * mean speeds before and after (F. N. Fritsch and J. Butland, SIAM J. Sci. Stat. Comput. 5:300,
 * 1984), times half that sum's length, so that sharp turns are taken slowly. The acceleration is
 * the second difference, but at most twice the smaller chord over the square of its duration. A
 * camera therefore does not swing past a keyframe because another is much nearer in time, does not
 * move between two alike, and never overshoots on a line. Before the first and after the last
 * keyframe it does not move: velocity and acceleration are zero. */
#ifndef RENDER_CAMERA_PATH_H
#define RENDER_CAMERA_PATH_H

#include "base/status.h"
#include "render/camera/aim.h"
#include "render/params.h"

struct camera_path;

/* `moment` [keyframe_count >= 1]: frames. Copies. STATUS_USAGE names the keyframe that is out of
 * order, looks at itself, along its up, or has no proper field of view. */
enum status camera_path_open(struct camera_path **out, const struct camera_params *params,
                             const double *moment);
void camera_path_close(struct camera_path **path); /* accepts a pointer to NULL */

void camera_path_at(const struct camera_path *path, double frame, struct camera_aim *out);

/* The last keyframe at or before a frame, from 0; 0 before the first. */
uint32_t camera_path_segment(const struct camera_path *path, double frame);

#endif
