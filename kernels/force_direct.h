/* Direct summation of sources upon targets, which need not be the same bodies: what the force modes
 * `exact` and `double` are made of, and evaluations with a part of the sources.
 *
 * - exact: single precision with IEEE-exact operations alone (subtract, multiply, fused
 *   multiply-add, integer shift) in an order that depends on nothing but the number of sources.
 *   Every path here, any number of threads, and CUDA give the same bits. See force_exact_root.h.
 * - quick: single precision with the hardware's reciprocal root.
 * - double: double precision; the same bits for any number of threads.
 *
 * The order of exact sums: the sources are cut into tiles of FORCE_DIRECT_TILE, each summed in
 * single precision in the order of the sources; force_direct_share() successive tiles are a group,
 * whose tile sums are added in double, from zero; the groups' sums are added in double, from zero.
 * The potential's tile sums are added in double without groups. Rows of no mass change nothing.
 *
 * Softening: `softening` for every pair; or, where halves are given, that of the pair's two rows,
 * eps_ij^2 = (eps_i^2 + eps_j^2) / 2, which is h_i + h_j, added first, with one half-square
 * h = eps^2 / 2 > 0 a row, padding included. Give both arrays of halves or neither (NULL). */
#ifndef KERNELS_FORCE_DIRECT_H
#define KERNELS_FORCE_DIRECT_H

#include "kernels/force.h"

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { FORCE_DIRECT_TILE = 128 };

/* Tiles of a group. */
size_t force_direct_share(size_t sources);

/* ---- CPU: rows of targets padded as force.h says, rows of sources not necessarily ---- */

struct force_direct_cpu {
    const char *name; /* the same as in force_cpu.h */
    const char *doc;
    bool (*usable)(void);
    void (*exact)(size_t targets, const float (*target)[4], size_t sources,
                  const float (*source)[4], float softening, const float *target_halves,
                  const float *source_halves, double (*out)[3]);
    void (*quick)(size_t targets, const float (*target)[4], size_t sources,
                  const float (*source)[4], float softening, const float *target_halves,
                  const float *source_halves, double (*out)[3]);
    void (*in_double)(size_t targets, const double (*target)[4], size_t sources,
                      const double (*source)[4], double softening, const double *target_halves,
                      const double *source_halves, double (*out)[3]);
    /* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2) */
    void (*exact_potential)(size_t count, const float (*rows)[4], float softening,
                            const float *halves, double *out);
    void (*double_potential)(size_t count, const double (*rows)[4], double softening,
                             const double *halves, double *out);
};

extern const struct force_direct_cpu *const force_direct_cpus[]; /* NULL-terminated, best first */

/* As force_cpu_find(). */
const struct force_direct_cpu *force_direct_find(const char *name);

/* ---- CUDA: the rules of force_cuda.h hold; all rows padded to FORCE_CUDA_PAD ---- */

struct force_direct_plan {
    size_t targets, sources;
    size_t stride;     /* targets a slot has room for */
    unsigned tile;     /* targets of a block */
    unsigned share;    /* tiles of sources in a group */
    unsigned groups;   /* a slot of 3 * stride doubles each */
    size_t slot_bytes; /* of all slots together, and enough for `targets` doubles */
};

/* Depends on the two numbers alone. Both are at least 1. */
void force_direct_plan(size_t targets, size_t sources, struct force_direct_plan *plan);

/* acceleration[targets][3]; `slots` has plan->slot_bytes. */
int force_exact_accelerate(const struct force_direct_plan *plan, const float *target,
                           const float *source, float softening, const float *target_halves,
                           const float *source_halves, double *slots, double *acceleration,
                           void *stream);
int force_quick_accelerate(const struct force_direct_plan *plan, const float *target,
                           const float *source, float softening, const float *target_halves,
                           const float *source_halves, double *slots, double *acceleration,
                           void *stream);
int force_double_accelerate(const struct force_direct_plan *plan, const double *target,
                            const double *source, double softening, const double *target_halves,
                            const double *source_halves, double *slots, double *acceleration,
                            void *stream);

/* out[i] for i < count as above. */
int force_exact_potential(size_t count, const float *rows, float softening, const float *halves,
                          double *out, void *stream);
int force_double_potential(size_t count, const double *rows, double softening, const double *halves,
                           double *out, void *stream);

#ifdef __cplusplus
}
#endif

#endif
