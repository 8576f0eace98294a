/* Functions that cover all bodies where each rank has a share of them (struct bodies, `shared`).
 * For bodies that are not shared, they cover just these.
 *
 * Functions marked as collective are so only for shared bodies: call them within a task
 * (base/ranks/tasks.h), on every rank in the same order. */
#pragma once

#include "sim/bodies/bodies.h"

uint64_t bodies_whole(const struct bodies *bodies); /* number of all bodies */

/* Collective: replaces the values by their sums over all ranks, added in the order of ranks. */
enum status whole_sum(const struct bodies *bodies, double *values, size_t count);

/* Collective: sets *is to whether it is true on any rank. */
enum status whole_any(const struct bodies *bodies, bool *is);

/* Collective: finds the value below which the part `fraction` of the other values of all ranks
 * lies; between two values, the lower or, with `above`, the higher. sorted: this rank's values,
 * ascending, without NaN. 0 if there are no values. */
enum status whole_percentile(const struct bodies *bodies, const double *sorted, size_t count,
                             double fraction, bool above, double *out);

/* Collective: bodies_thin for the bodies of all ranks. */
enum status whole_keep(struct bodies *bodies, size_t count);

/* Collective: copies the bodies that bodies_thin would keep of all to every rank. The copies are
 * not shared. */
enum status whole_thin(const struct bodies *bodies, size_t count, struct bodies **out);

/* Collective: takes every stride-th of all bodies, like the sample of a view (sim/view.h). position
 * and velocity [bodies->count][4]: of this rank's bodies; velocity NULL: 0. out: [2 * rows][4],
 * rows = ceil(bodies_whole / stride): positions, then velocities. Only for shared bodies. */
enum status whole_sample(const struct bodies *bodies, const float *position, const float *velocity,
                         size_t stride, float *out);
