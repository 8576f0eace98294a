/* The ladder's rungs by name, and what is right: see rung.h. */
#ifndef KERNELS_LADDER_LADDER_H
#define KERNELS_LADDER_LADDER_H

#include "kernels/ladder/rungs_cpu.h"
#include "kernels/ladder/rungs_cuda.h"

/* By name; NULL when there is none. */
const struct ladder_rung *ladder_find(enum ladder_backend backend, const char *name);

/* The double reference for `targets` bodies, the i of which are in `which`, against the sources
 * that a rung of `subset` takes at `turn`, times subset. */
void ladder_reference(size_t count, const double *mass, const double (*position)[3],
                      double softening, unsigned subset, unsigned turn, size_t targets,
                      const size_t *which, double (*acceleration)[3]);

#endif
