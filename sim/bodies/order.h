/* Bodies of a file in another order, in place. */
#ifndef SIM_BODIES_ORDER_H
#define SIM_BODIES_ORDER_H

#include "sim/bodies/bodies.h"

/* Sorts the bodies by group[0 .. count - 1], each below `groups`, those of a group in the order
 * that they had; `size` [groups] is how many each has. `group` is used up. Components are not
 * looked at. */
void bodies_sort(struct bodies *bodies, uint32_t *group, size_t groups, size_t *size);

#endif
