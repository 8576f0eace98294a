/* Softening lengths of the bodies: a component's own, or the simulation's (`fallback`) where it has
 * none. A pair's is eps_ij^2 = (eps_i^2 + eps_j^2) / 2 = h_i + h_j with h = eps^2 / 2, alike for
 * both, so that momentum is conserved. */
#ifndef SIM_SOLVER_SOFTENING_H
#define SIM_SOLVER_SOFTENING_H

#include "sim/bodies/bodies.h"

/* The softening of body `from` and the end of the bodies behind it that share it: a walk through
 * all is for (i = 0; i < count; i = softening_run(bodies, fallback, i, &eps)). */
size_t softening_run(const struct bodies *bodies, double fallback, size_t from, double *softening);

/* The least and the largest among the bodies; fallback where there are none. */
void softening_range(const struct bodies *bodies, double fallback, double *least, double *most);

/* halves[i] = eps_i^2 / 2 for i < padded, in numbers of `number` bytes: sizeof(float) or
 * sizeof(double); rows beyond the bodies have that of the first. At least one body. */
void softening_halves(const struct bodies *bodies, double fallback, size_t padded, size_t number,
                      void *halves);

#endif
