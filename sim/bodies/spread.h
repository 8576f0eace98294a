/* Makes bodies that ranks share (whole.h) out of those that one rank has. */
#pragma once

#include "sim/bodies/bodies.h"

/* Collective: gives each rank its share of `all`, which rank 0 has; NULL elsewhere. A rank gets its
 * part of each component (share.h). */
enum status bodies_spread(const struct bodies *all, struct bodies **out);
