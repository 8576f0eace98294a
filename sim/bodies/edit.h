/* Changes bodies in place: selects components, reduces their number, converts units, centres. */
#pragma once

#include "sim/bodies/bodies.h"

#include <stddef.h>

/* Whole shares of a number. Thread-safe. */

/* Divides `count` in proportion to weight[0 .. n - 1] (>= 0, not all zero) by the largest
 * remainder; the earlier one wins a tie. */
void share_out(size_t count, size_t n, const double *weight, size_t *share);

/* Whether shares are as unequal as can be, for tests ($GRAVREEL_RANKS_SKEW): the first has one, the
 * last the rest, and the others nothing, so that no decision can depend on a rank's own number
 * unnoticed. */
bool share_is_skewed(void);

/* Where share `part` begins if `count` is divided into `parts` >= 1 equal shares; the share before
 * it ends there. */
static inline size_t share_begin(size_t count, unsigned part, unsigned parts)
{
    if (part > 0 && part < parts && share_is_skewed())
        return count > 0;
    return (size_t)((unsigned __int128)count * part / parts);
}

/* Keeps the components that `use` names (see bodies_params) and drops the rest. STATUS_USAGE names
 * an unknown component and lists the existing ones. */
enum status bodies_select(struct bodies *bodies, const char *use);

/* Drops the marked bodies, and components without any left. */
void bodies_drop(struct bodies *bodies, const bool *dropped);

/* Keeps `count` bodies, taken evenly from each component in proportion to its size (largest
 * remainder; every component keeps at least one if count allows). Scales masses to keep each
 * component's total mass, and the column BODY_KERNEL by the cube root of the reduction.
 * STATUS_USAGE when there are fewer than count. */
enum status bodies_thin(struct bodies *bodies, size_t count);

/* Copies body `from` to the place `to`. */
void bodies_move(struct bodies *bodies, size_t to, size_t from);

/* The steps of bodies_thin, for bodies_whole.h. share[component]: how many bodies it keeps if
 * `count` of all are kept. */
void thin_share(const struct bodies *bodies, size_t count, size_t *share);
/* The row, among a component's `count`, of the i-th of the `share` bodies that it keeps: the middle
 * of the i-th stretch. */
uint64_t thin_row(size_t i, size_t share, uint64_t count);
/* Scales the masses and kernels of the bodies kept. `ratio`: of all bodies to those kept; `before`
 * and `after`: the sums of the masses of all and of those kept. */
void thin_weigh(struct bodies *bodies, size_t first, size_t share, double ratio, double before,
                double after);

/* Keeps share `part` of `parts` of each component, which may be empty, and frees the
 * memory of the other bodies. */
enum status bodies_slice(struct bodies *bodies, unsigned part, unsigned parts);

/* Multiplies positions (and the column BODY_KERNEL), velocities and masses. */
void bodies_scale(struct bodies *bodies, double position, double velocity, double mass);

/* Sorts the bodies by group[0 .. count - 1], each below `groups`, keeping their order within a
 * group; size[groups]: the number of bodies in each. Overwrites `group`, ignores components. */
void bodies_sort(struct bodies *bodies, uint32_t *group, size_t groups, size_t *size);
