/* The CUDA rungs, each building on the previous one. */
#ifndef KERNELS_LADDER_RUNGS_CUDA_H
#define KERNELS_LADDER_RUNGS_CUDA_H

#include "kernels/ladder/rung.h"

/* NULL-terminated; empty when built without CUDA. */
extern const struct ladder_rung *const ladder_cuda_rungs[];

#endif
