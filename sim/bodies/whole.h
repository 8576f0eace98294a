/* What concerns all bodies where each rank has a share of them (struct bodies, `shared`). For
 * bodies that are not shared the functions are about these alone.
 *
 * Those called collective are so only for shared bodies: within a task (base/ranks/tasks.h), on
 * every rank in the same order. */
#pragma once

#include "sim/bodies/bodies.h"

uint64_t bodies_whole(const struct bodies *bodies); /* how many there are */

/* Collective: replaces the values by their sums over all ranks, added in the order of ranks. */
enum status whole_sum(const struct bodies *bodies, double *values, size_t count);

/* Collective: whether it is true on any rank. */
enum status whole_any(const struct bodies *bodies, bool *is);

/* Collective: of the values of all ranks, none NaN and each rank's in ascending order, the one that
 * has the part `fraction` of the others below it; if it lies between two, the lower or, with
 * `above`, the higher. 0 if there are none. */
enum status whole_percentile(const struct bodies *bodies, const double *sorted, size_t count,
                             double fraction, bool above, double *out);

/* Collective: bodies_thin. */
enum status whole_keep(struct bodies *bodies, size_t count);

/* Collective: the same bodies on every rank, not shared: those that bodies_thin would keep of all.
 */
enum status whole_thin(const struct bodies *bodies, size_t count, struct bodies **out);

/* Collective: every stride-th of all bodies, as a sample of views (sim/view.h) has them. position
 * and velocity [bodies->count][4]: of this rank's; velocity NULL: 0. out: [2 * rows][4], rows =
 * ceil(bodies_whole / stride): positions, then velocities. Only for shared bodies. */
enum status whole_sample(const struct bodies *bodies, const float *position, const float *velocity,
                         size_t stride, float *out);
