/* Makes bodies that ranks share (whole.h) out of those that one rank has. */
#pragma once

#include "sim/bodies/bodies.h"

/* Collective: gives each rank its share of *all, which rank 0 has; NULL elsewhere. DIVIDE_EVENLY: a
 * rank gets its part of each component (share.h). DIVIDE_FIRST: rank 0 keeps *all, which then is
 * NULL, and the others get its components without bodies. */
enum status bodies_spread(struct bodies **all, enum division division, struct bodies **out);
