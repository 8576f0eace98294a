/* Functions that cover all bodies where each rank has a share of them (struct bodies, `shared`).
 * For bodies that are not shared, they cover just these.
 *
 * Functions marked as collective (base/ranks/ranks.h) are so only for shared bodies. */
#pragma once

#include "base/hash.h"
#include "base/whole.h"
#include "sim/bodies/bodies.h"

struct whole bodies_whole(const struct bodies *bodies); /* number of all bodies */
/* The number of body i among all bodies, from 0 on. */
size_t whole_number(const struct bodies *bodies, size_t i);

/* The opposite, SIZE_MAX for a body of another rank. */
size_t whole_index(const struct bodies *bodies, uint64_t number);

/* Collective: replaces the values by their sums over all ranks, added in the order of ranks. */
enum status whole_sum(const struct bodies *bodies, double *values, size_t count);

/* Collective: continues sums over component c in the order of the bodies' numbers, so that they
 * have the bits of one process: `add` adds bodies first .. first + count - 1 of this rank to
 * sums[n]. */
typedef void (*whole_add)(const void *user, const struct bodies *bodies, size_t first, size_t count,
                          double *sums);
enum status whole_continue(const struct bodies *bodies, size_t c, whole_add add, const void *user,
                           double *sums, size_t n);
/* Collective: moves components from .. to - 1 so that their centre of mass is at rest at the
 * origin. Without mass, does nothing. */
enum status whole_centre(struct bodies *bodies, size_t from, size_t to);

/* Makes a component of all bodies one of share `part` of `parts` (edit.h), whose bodies begin with
 * `first`. */
void whole_divide(struct component *component, size_t first, unsigned part, unsigned parts);
/* Makes a slice of each component of a file (format_read_slice) share `part` of the bodies, of
 * whose component c there are whole[c] in all; components without any are left out. */
void whole_take(struct bodies *bodies, const uint64_t *whole, unsigned part, unsigned parts);
/* whole_continue with the masses of component c, from 0 on. */
enum status whole_mass(const struct bodies *bodies, size_t c, double *mass);

/* Collective: a hash of all bodies that ranks find alike: names and numbers of the components, and
 * the sums of their masses, positions and velocities in the order of the bodies' numbers. Tells
 * starts apart; bodies in another order may have the same. */
enum status whole_hash(const struct bodies *bodies, char out[HASH_TEXT]);

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

/* Collective: copies rows of component c to every rank: the i-th of `picks` is row(user, i, number
 * of the component's bodies), which ascends with i. The copies, one component, are not shared. */
typedef uint64_t (*whole_row)(const void *user, size_t i, uint64_t count);
enum status whole_rows(const struct bodies *bodies, size_t c, size_t picks, whole_row row,
                       const void *user, struct bodies **out);

/* Collective: takes every stride-th of all bodies, like the sample of a view (sim/view.h). position
 * and velocity [bodies->count][4]: of this rank's bodies; velocity NULL: 0. out: [2 * rows][4],
 * rows = ceil(bodies_whole / stride): positions, then velocities. Only for shared bodies. */
enum status whole_sample(const struct bodies *bodies, const float *position, const float *velocity,
                         size_t stride, float *out);
