/* Whether the bodies of two films moved alike. Bits on the same platform; else by what round-off
 * may do (divergence.h), and, once bodies have parted, by what chaos leaves alone. Pure, but for
 * the stored states that name a body. */
#ifndef CMD_REGRESSION_JUDGE_PHYSICS_H
#define CMD_REGRESSION_JUDGE_PHYSICS_H

#include "cmd/regression/judge/comparison.h"
#include "cmd/regression/judge/divergence.h"

enum status judge_physics(const struct comparison *comparison, struct stage_report *stage);

/* What two right programs' forces may differ by, as the baseline's force mode says. */
double physics_force_limit(const struct comparison *comparison);

/* RMS distance that bodies may have at pair i; INFINITY where only statistics are compared. */
double physics_allowed(const struct comparison *comparison, const struct divergence *divergence,
                       uint64_t i);

#endif
