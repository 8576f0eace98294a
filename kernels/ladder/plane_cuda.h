/* The CUDA rungs of plane.h, and the kernels that each launches per iteration. The rules of the
 * launchers in kernels/pairs/cuda/pairs.h hold: a stream as void *, a cudaError_t as int, no
 * allocation, no synchronization. No thread leaves before a barrier; a count that is not a multiple
 * of the block is handled by bounds checks, not by padding.
 *
 * Source of every step: Bondarenko, "N-Body Simulation - CUDA Optimizations". */
#pragma once

#include "kernels/ladder/plane.h"

enum { PLANE_BLOCK = 256 };

#ifdef __cplusplus
extern "C" {
#endif

typedef int plane_launch(const struct plane *plane, const struct plane_memory *memory,
                         unsigned turn, void *stream);

plane_launch plane_cuda_baseline, plane_cuda_compute, plane_cuda_activity, plane_cuda_soa,
    plane_cuda_read_only, plane_cuda_shared, plane_cuda_rsqrt1, plane_cuda_rsqrt2;

/* NULL-terminated, in the published order; empty when built without CUDA. */
extern const struct plane_rung *const plane_cuda_rungs[];

#ifdef __cplusplus
}
#endif
