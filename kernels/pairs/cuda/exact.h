/* Launchers of the exact and quick kernels (kernels/direct.h). The rules of the launchers in
 * cuda/pairs.h hold; all rows are padded to FORCE_CUDA_PAD. */
#pragma once

#include "kernels/pairs/cuda/direct.h"

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
