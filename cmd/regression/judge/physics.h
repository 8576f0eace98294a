/* How far apart the bodies of two films may be. Pure functions. */
#pragma once

#include "cmd/regression/judge/comparison.h"
#include "cmd/regression/judge/divergence.h"

/* Returns how much the forces of two correct programs may differ in the baseline's force mode. */
double physics_force_limit(const struct comparison *comparison);

/* Returns the RMS distance allowed at pair i; INFINITY where only statistics are compared. */
double physics_allowed(const struct comparison *comparison, const struct divergence *divergence,
                       uint64_t i);
