/* The CUDA rungs, in the order in which they build on each other. */
#ifndef KERNELS_LADDER_RUNGS_CUDA_H
#define KERNELS_LADDER_RUNGS_CUDA_H

#include "kernels/ladder/rung.h"

/* NULL-terminated; none when built without CUDA. */
extern const struct ladder_rung *const ladder_cuda_rungs[];

#endif
