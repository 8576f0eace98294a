/* The ladder: its rungs by name, the memory they work on, and the reference results; see rung.h. */
#pragma once

#include "kernels/ladder/rungs_cpu.h"
#include "kernels/ladder/rungs_cuda.h"

/* Finds a rung by name; NULL if there is none. */
const struct ladder_rung *ladder_find(enum ladder_backend backend, const char *name);

/* The number of rows for that many bodies, padded. Both layouts together take LADDER_INPUT floats
 * per row, and with the accelerations after them LADDER_MEMORY. */
enum { LADDER_INPUT = 8, LADDER_MEMORY = 12 };
size_t ladder_rows(size_t count);

/* The places of the bodies in such memory, on the host or on a device; `memory` is 64-byte
 * aligned. */
struct ladder_bodies ladder_lay_out(float *memory, size_t count, float softening);

/* Fills both layouts in host memory. */
void ladder_fill(float *memory, size_t count, const double *mass, const double (*position)[3]);

/* The double-precision reference for the `targets` bodies listed in `which`, against the sources
 * that a rung of `subset` uses at `turn`, times subset. */
void ladder_reference(size_t count, const double *mass, const double (*position)[3],
                      double softening, unsigned subset, unsigned turn, size_t targets,
                      const size_t *which, double (*acceleration)[3]);
