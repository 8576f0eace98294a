/* Launchers of the fast force of all bodies on a CUDA device, planned by force_plan.h.
 *
 * Launchers take a stream (cudaStream_t as void *), return a cudaError_t as int, never allocate and
 * never synchronize. Pointers are device memory of the current device. Rows are padded to a
 * multiple of FORCE_CUDA_PAD. There are no floating-point atomics: each partial sum has its own
 * slot, and the slots of a body are added in double in a fixed order, so that a plan always gives
 * the same bits. */
#pragma once

#include "kernels/pairs/cuda/force_plan.h"
#include "kernels/rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether this program contains code for the current device: cudaSuccess or the reason. */
int force_cuda_supported(void);

/* tile_mass[tiles]: the mass that all bodies of a tile share, or -1. Pairs only. */
int force_cuda_tile_masses(const struct force_cuda_plan *plan, const float *rows, float *tile_mass,
                           void *stream);

/* acceleration[count][3] from rows; `tiles` needs no sources' centres; `slots` has
 * plan->slot_bytes. */
int force_cuda_accelerate(const struct force_cuda_plan *plan, const float *rows,
                          const float *tile_mass, float softening, const struct force_tiles *tiles,
                          float *slots, double *acceleration, void *stream);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2) for i < count. */
int force_cuda_potential(size_t count, const float *rows, float softening,
                         const struct force_tiles *tiles, double *out, void *stream);

#ifdef __cplusplus
}
#endif

/* Launchers of the double kernels (kernels/rows.h). The rules above
 * hold; all rows are padded to FORCE_CUDA_PAD. */

#ifdef __cplusplus
extern "C" {
#endif

/* acceleration[targets][3]; `slots` has plan->slot_bytes. */
int force_double_accelerate(const struct force_direct_plan *plan, const double *target,
                            const double *source, double softening, const double *target_halves,
                            const double *source_halves, double *slots, double *acceleration,
                            void *stream);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2) for i < count. */
int force_double_potential(size_t count, const double *rows, double softening, const double *halves,
                           double *out, void *stream);

#ifdef __cplusplus
}
#endif

/* Launchers of the exact and quick kernels (kernels/rows.h). The rules of the launchers in
 * cuda/pairs.h hold; all rows are padded to FORCE_CUDA_PAD. */

#ifdef __cplusplus
extern "C" {
#endif

/* acceleration[targets][3]; `slots` has plan->slot_bytes. */
int force_exact_accelerate(const struct force_direct_plan *plan, const float *target,
                           const float *source, float softening, const float *target_halves,
                           const float *source_halves, const struct force_tiles *tiles,
                           double *slots, double *acceleration, void *stream);
int force_quick_accelerate(const struct force_direct_plan *plan, const float *target,
                           const float *source, float softening, const float *target_halves,
                           const float *source_halves, const struct force_tiles *tiles,
                           double *slots, double *acceleration, void *stream);

/* out[i] = -sum_{j != i} m_j / sqrt(r^2 + eps^2) for i < count. */
int force_exact_potential(size_t count, const float *rows, float softening, const float *halves,
                          const struct force_tiles *tiles, double *out, void *stream);

#ifdef __cplusplus
}
#endif

/* Launchers of the exact, quick and double kernels (kernels/rows.h) with spline softening
 * (kernels/spline.h): one kernel for every number of bodies and for any part of the sources. Used
 * as those above; rows have halves. */

#ifdef __cplusplus
extern "C" {
#endif

int force_spline_exact_accelerate(const struct force_direct_plan *plan, const float *target,
                                  const float *source, const float *target_halves,
                                  const float *source_halves, const struct force_tiles *tiles,
                                  double *slots, double *acceleration, void *stream);
int force_spline_quick_accelerate(const struct force_direct_plan *plan, const float *target,
                                  const float *source, const float *target_halves,
                                  const float *source_halves, const struct force_tiles *tiles,
                                  double *slots, double *acceleration, void *stream);
int force_spline_double_accelerate(const struct force_direct_plan *plan, const double *target,
                                   const double *source, const double *target_halves,
                                   const double *source_halves, double *slots, double *acceleration,
                                   void *stream);

int force_spline_exact_potential(size_t count, const float *rows, const float *halves,
                                 const struct force_tiles *tiles, double *out, void *stream);
int force_spline_double_potential(size_t count, const double *rows, const double *halves,
                                  double *out, void *stream);

#ifdef __cplusplus
}
#endif
