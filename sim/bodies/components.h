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

/* ---- finds galaxies among bodies whose file does not say which galaxy they belong to ---- */

enum { DETECT_MAX = 16 };

/* Finds `galaxies` groups by friends of friends (Davis et al. 1985: bodies closer than a linking
 * length are in one group). The linking length is the longest for which that many groups have a
 * fiftieth of all bodies each. Bodies of other groups go to the group whose centre of mass is
 * nearest. Each component becomes one per galaxy, "galaxy 1" being the galaxy with most bodies.
 * *length is the linking length. STATUS_USAGE if the bodies form fewer groups, STATUS_RUNTIME when
 * memory is short. */
enum status bodies_detect(struct bodies *bodies, size_t galaxies, double *length);
