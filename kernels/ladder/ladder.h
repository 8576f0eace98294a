/* The ladder's rungs by name, the memory that they work on, and what is right: see rung.h. */
#ifndef KERNELS_LADDER_LADDER_H
#define KERNELS_LADDER_LADDER_H

#include "kernels/ladder/rungs_cpu.h"
#include "kernels/ladder/rungs_cuda.h"

/* By name; NULL when there is none. */
const struct ladder_rung *ladder_find(enum ladder_backend backend, const char *name);

/* The rows of that many bodies, padded; both layouts take LADDER_INPUT floats per row, with the
 * accelerations behind them LADDER_MEMORY. */
enum { LADDER_INPUT = 8, LADDER_MEMORY = 12 };
size_t ladder_rows(size_t count);

/* Where the bodies lie in such memory of the host or of a device, which is 64-byte aligned. */
struct ladder_bodies ladder_lay_out(float *memory, size_t count, float softening);

/* Fills both layouts in host memory. */
void ladder_fill(float *memory, size_t count, const double *mass, const double (*position)[3]);

/* The double reference for `targets` bodies, the i of which are in `which`, against the sources
 * that a rung of `subset` takes at `turn`, times subset. */
void ladder_reference(size_t count, const double *mass, const double (*position)[3],
                      double softening, unsigned subset, unsigned turn, size_t targets,
                      const size_t *which, double (*acceleration)[3]);

#endif
