/* What chaos leaves alone: energy, momentum, angular momentum, the centre of mass and the half-mass
 * radius of two films, frame by frame. Pure. */
#ifndef CMD_REGRESSION_JUDGE_STATISTICS_H
#define CMD_REGRESSION_JUDGE_STATISTICS_H

#include "cmd/regression/judge/comparison.h"
#include "cmd/regression/judge/divergence.h"

/* Adds a finding for each, of the frame that uses most of its limit. A limit is the rule's, and
 * what follows from how far apart the bodies are, but no more than an ensemble's members differ by,
 * or, without one, a multiple of the film's own drift. Returns the first frame beyond one, -1. */
int64_t statistics_judge(const struct comparison *comparison, const struct divergence *divergence,
                         struct stage_report *stage);

#endif
