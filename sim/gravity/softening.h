/* Softening: its kind, and the lengths of bodies: each component's own, or the simulation's
 * (`fallback`). The length of a pair is symmetric, so that momentum is conserved. With h = eps^2 /
 * 2, it is eps_ij^2 = (eps_i^2 + eps_j^2) / 2 = h_i + h_j for Plummer softening, and the larger of
 * the two, as in GADGET, for spline softening (kernels/spline.h). Every kernel that takes the
 * softenings of both bodies combines them so: kernels/pairs, kernels/tree, kernels/exact_tree. */
#pragma once

#include "base/choice.h"
#include "sim/bodies/bodies.h"

struct softening_kernel {
    const char *name, *doc;
};

extern const struct softening_kernel softening_plummer, softening_spline;
extern const struct registry softening_kernel_registry; /* Entries are struct softening_kernel */

/* Suffix for the name of a force's kernel. */
const char *softening_words(bool spline, bool mixed);

/* The softening of body `from`, and the end of the run of bodies that share it. To visit all: for
 * (i = 0; i < count; i = softening_run(bodies, fallback, i, &eps)). */
size_t softening_run(const struct bodies *bodies, double fallback, size_t from, double *softening);

/* The smallest and the largest among the bodies; fallback if there are none. */
void softening_range(const struct bodies *bodies, double fallback, double *least, double *most);

/* halves[i] = eps_i^2 / 2 for i < padded, in numbers of `number` bytes: sizeof(float) or
 * sizeof(double); padding rows get the value of the first body. At least one body. */
void softening_halves(const struct bodies *bodies, double fallback, size_t padded, size_t number,
                      void *halves);
