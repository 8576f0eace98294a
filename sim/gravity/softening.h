/* Softening: how, and the lengths of the bodies: a component's own, or the simulation's
 * (`fallback`) where it has none. A pair's is alike for both, so that momentum is conserved. With h
 * = eps^2 / 2 it is eps_ij^2 = (eps_i^2 + eps_j^2) / 2 = h_i + h_j where softening is Plummer's,
 * and the larger of the two, as in GADGET, where it is by a spline (kernels/spline.h). */
#ifndef SIM_GRAVITY_SOFTENING_H
#define SIM_GRAVITY_SOFTENING_H

#include "base/choice.h"
#include "sim/bodies/bodies.h"

struct softening_kernel {
    const char *name, *doc;
};

extern const struct softening_kernel softening_plummer, softening_spline;
extern const struct registry softening_kernel_registry; /* of struct softening_kernel */

/* What the name of a force's kernel ends with. */
const char *softening_words(bool spline, bool mixed);

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
