/* Judges whether two films begin with the same bodies, and whether they moved alike: by bits on the
 * same platform, else by how far round-off may move them (divergence.h) and, once the bodies have
 * diverged, by what chaos leaves unchanged. The functions of the rules start.* and physics.*, see
 * struct rule. */
#pragma once

#include "cmd/regression/judge/divergence.h"
#include "cmd/regression/judge/judge.h"

bool bodies_set_aside(struct walk *walk);

void start_bits(struct walk *walk, const struct rule *rule);
void start_bodies(struct walk *walk, const struct rule *rule);
void start_distance(struct walk *walk, const struct rule *rule);
bool start_is_other(const struct walk *walk);

double other_time(const struct walk *walk, const struct met *met);
/* Adds the findings of this rule and of those after it, for every simulation. */
void bodies_apart(struct walk *walk, const struct rule *rule);
double energy_change(const struct walk *walk, const struct met *met);

/* Fills in, for each frame of the baseline, the distance of the bodies as a share of what is
 * allowed; leaves out frames of which only statistics are compared. */
void bodies_series(const struct walk *walk, double *value);

/* Returns the RMS distance allowed at pair i; INFINITY where only statistics are compared. */
double bodies_allowed(const struct walk *walk, const struct divergence *divergence, uint64_t i);

/* Adds a finding for each quantity that chaos does not change, at the frame that uses most of its
 * limit. The limit is the rule's own plus what the distance of the bodies explains, which is at
 * most a multiple of the film's own drift up to now (for the half-mass radius, of 1 / sqrt(N)).
 * Returns the first frame beyond a limit; -1: none. */
int64_t bodies_statistics(struct walk *walk, const struct divergence *divergence);
