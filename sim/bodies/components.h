/* Assigns the bodies of a file to components. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/params.h"

/* Sorts the bodies, which are in file order, into components. If `params` lists ranges of rows (or
 * of ids, with params->by_id), these become the components, and bodies outside all ranges are
 * dropped. Otherwise the components of `bodies` are kept, without empty ones. `group` gives the
 * component of each body, and is consumed; the components' `first` and `count` are then not read.
 * group NULL: the components are ranges already. Ranges that do not fit the rows are STATUS_USAGE,
 * or, with params->components_optional, are left out with a warning; STATUS_RUNTIME when out of
 * memory. */
enum status bodies_arrange(struct bodies *bodies, const struct bodies_params *params,
                           uint32_t *group);

/* The same without ranges in params. */
void bodies_arrange_own(struct bodies *bodies, uint32_t *group);
