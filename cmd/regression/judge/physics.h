/* How far apart the bodies of two films may be. Pure. */
#ifndef CMD_REGRESSION_JUDGE_PHYSICS_H
#define CMD_REGRESSION_JUDGE_PHYSICS_H

#include "cmd/regression/judge/comparison.h"
#include "cmd/regression/judge/divergence.h"

/* What two right programs' forces may differ by, as the baseline's force mode says. */
double physics_force_limit(const struct comparison *comparison);

/* RMS distance that bodies may have at pair i; INFINITY where only statistics are compared. */
double physics_allowed(const struct comparison *comparison, const struct divergence *divergence,
                       uint64_t i);

#endif
