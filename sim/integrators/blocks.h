/* A step for each body within a frame: block time steps, kick-drift-kick (T. Quinn et al.,
 * arXiv:astro-ph/9710043, 1997; V. Springel, MNRAS 364:1105, 2005, section 4).
 *
 * A body's step is the longest T / 2^k that its own acceleration and softening allow
 * (sim/solver/solver.h) and that may begin where its last step ended: a step can become shorter at
 * any time, but longer only at a multiple of the longer step. A body is kicked by half of its own
 * step at both ends of the step. All bodies drift together, from one end of a step to the next, and
 * only bodies whose step ends there get new accelerations. All steps end at frames. If all bodies
 * have the same length of step, they move as with adaptive.h, to the last bit. */
#pragma once

#include "sim/integrators/adaptive.h"

extern const struct integrator integrator_blocks; /* repeats blocks_step; adapts steps of kdk */

/* Whether this solver can give each body its own step. */
bool blocks_possible(const struct solver *solver);

/* Advances from one end of a step of some bodies to the next. adaptive: as for adaptive_step,
 * except that its softening is not used. made[k]: increased by the number of bodies that began a
 * step on rung k. */
enum status blocks_step(struct adaptive *adaptive, struct solver *solver, uint64_t made[RUNGS],
                        bool *done);
