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
#pragma once

#include "base/status.h"
#include "render/camera/aim.h"
#include "render/params.h"

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
