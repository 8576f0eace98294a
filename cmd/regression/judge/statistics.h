/* Compares what chaos leaves unchanged: energy, momentum, angular momentum, centre of mass and
 * half-mass radius of two films, frame by frame. Pure functions. */
#pragma once

#include "cmd/regression/judge/comparison.h"
#include "cmd/regression/judge/divergence.h"

/* Adds a finding for each quantity, at the frame that uses most of its limit. The limit is the
 * rule's own plus what the distance of the bodies explains. The latter is capped by a multiple of
 * the film's own drift (for the half-mass radius, of 1 / sqrt(N)). Returns the first frame beyond a
 * limit; -1: none. */
int64_t statistics_judge(const struct comparison *comparison, const struct divergence *divergence,
                         struct stage_report *stage);
