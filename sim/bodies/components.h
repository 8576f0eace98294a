/* Which bodies of a file are which component. */
#ifndef SIM_BODIES_COMPONENTS_H
#define SIM_BODIES_COMPONENTS_H

#include "sim/bodies/bodies.h"
#include "sim/params.h"

/* Sorts the bodies, which are in the order of the file, into components: the ranges of rows, or
 * of ids where params->by_id, that `params` lists, without the bodies of no range, or, where it
 * lists none, those that bodies has already, without the empty ones. `group` says which of these
 * each body belongs to, and their `first` and `count` are then not read; NULL: they are ranges
 * already. It is used up. Ranges that do not fit the rows are STATUS_USAGE, or a warning and left
 * out where params->components_optional; STATUS_RUNTIME when memory is short. */
enum status bodies_arrange(struct bodies *bodies, const struct bodies_params *params,
                           uint32_t *group);

/* The same without ranges. */
void bodies_arrange_own(struct bodies *bodies, uint32_t *group);

#endif
