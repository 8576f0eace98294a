/* Steps per body within a frame: block time steps, kick-drift-kick (T. Quinn et al.,
 * arXiv:astro-ph/9710043, 1997; V. Springel, MNRAS 364:1105, 2005, section 4).
 *
 * A body's step is the longest T / 2^k that its own acceleration and softening allow (rungs.h) and
 * that may begin where its last one ended: shorter at once, longer only where a longer one begins.
 * A body is kicked by half of its own step at either end of it; all bodies drift together, from one
 * end of a step to the next, and only those whose step ends there get new accelerations. At frames
 * all steps end. Bodies that all have one length of step move as by adaptive.h's, to the last bit.
 */
#ifndef SIM_INTEGRATORS_BLOCKS_H
#define SIM_INTEGRATORS_BLOCKS_H

#include "sim/integrators/adaptive.h"

extern const struct integrator integrator_blocks; /* repeats blocks_step; adapts steps of kdk */

/* From the end of a step of some bodies to the next such moment. adaptive: as for adaptive_step;
 * its softening is not used. made[k]: increased by the bodies that began a step on rung k. */
enum status blocks_step(struct adaptive *adaptive, struct solver *solver, uint64_t made[RUNGS],
                        bool *done);

#endif
