/* Changes to bodies in place: which components, how many bodies, in which units, about which point.
 */
#ifndef SIM_BODIES_EDIT_H
#define SIM_BODIES_EDIT_H

#include "sim/bodies/bodies.h"

/* Keeps the components that `use` names (see bodies_params) and drops the rest. STATUS_USAGE names
 * the unknown component and lists those there are. */
enum status bodies_select(struct bodies *bodies, const char *use);

/* Drops the bodies that are marked, and components that have none left. */
void bodies_drop(struct bodies *bodies, const bool *dropped);

/* Keeps `count` bodies, taken evenly from each component in proportion to its size (largest
 * remainder; every component keeps at least one where count allows), with every component's total
 * mass kept by scaling the masses of those that stay, and the column BODY_KERNEL scaled by the
 * cube root of how many times fewer they are. STATUS_USAGE when there are fewer than count.
 */
enum status bodies_thin(struct bodies *bodies, size_t count);

/* Multiplies positions, with the column BODY_KERNEL, velocities and masses. */
void bodies_scale(struct bodies *bodies, double position, double velocity, double mass);

/* Moves bodies first .. first + count - 1 so that their centre of mass is at the origin at rest.
 * Without mass nothing happens. */
void bodies_centre(struct bodies *bodies, size_t first, size_t count);

/* Sorts the bodies by group[0 .. count - 1], each below `groups`, those of a group in the order
 * that they had; `size` [groups] is how many each has. `group` is used up. Components are not
 * looked at. */
void bodies_sort(struct bodies *bodies, uint32_t *group, size_t groups, size_t *size);

#endif
