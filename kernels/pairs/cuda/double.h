/* Launchers of the double kernels (kernels/direct.h). The rules of the launchers in cuda/pairs.h
 * hold; all rows are padded to FORCE_CUDA_PAD. */
#pragma once

#include "kernels/pairs/cuda/direct.h"

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
