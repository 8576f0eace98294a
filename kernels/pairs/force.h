/* Direct summation on the CPU: the kernels of each instruction set.
 *
 * `fast` and `fast_potential` take all bodies as sources (pairs_isa.h, square_isa.h); the others
 * are those of kernels/direct.h. Everything is added in a fixed order: the number of threads never
 * changes a bit. Rows are described in rows.h; massless rows may be anywhere among them. Potentials
 * are out[i - first] = -sum_{j != i} m_j / sqrt(r^2 + eps^2) for the rows from `first`, a multiple
 * of FORCE_TILE, to before `end`. Thread-safe. */
#pragma once

#include "kernels/rows.h"

#include <stdbool.h>

struct force_cpu {
    const char *name; /* "avx512" */
    const char *doc;  /* "AVX-512" */
    int lanes;        /* floats per vector */
    bool (*usable)(void);
    void (*fast)(size_t count, const float (*rows)[4], float softening, force_centres centres,
                 double (*out)[3]);
    void (*fast_potential)(size_t count, const float (*rows)[4], size_t first, size_t end,
                           float softening, force_centres centres, double *out);
    void (*exact)(size_t targets, const float (*target)[4], size_t sources,
                  const float (*source)[4], float softening, const float *target_halves,
                  const float *source_halves, force_centres target_centres,
                  force_centres source_centres, double (*out)[3]);
    void (*quick)(size_t targets, const float (*target)[4], size_t sources,
                  const float (*source)[4], float softening, const float *target_halves,
                  const float *source_halves, force_centres target_centres,
                  force_centres source_centres, double (*out)[3]);
    void (*exact_potential)(size_t count, const float (*rows)[4], size_t first, size_t end,
                            float softening, const float *halves, force_centres centres,
                            double *out);
    void (*in_double)(size_t targets, const double (*target)[4], size_t sources,
                      const double (*source)[4], double softening, const double *target_halves,
                      const double *source_halves, double (*out)[3]);
    void (*double_potential)(size_t count, const double (*rows)[4], size_t first, size_t end,
                             double softening, const double *halves, double *out);
    /* The same kernels with spline softening (kernels/spline.h), by the larger half of each pair;
     * in that table fast, fast_potential and spline are NULL. */
    const struct force_cpu *spline;
};

extern const struct force_cpu *const force_cpus[]; /* NULL-terminated, best first */

/* Finds the kernels by name; "auto" is the best that this machine can run. NULL if the name is
 * unknown or this machine cannot run it. */
const struct force_cpu *force_cpu_find(const char *name);
