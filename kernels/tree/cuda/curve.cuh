/* Places along the curve that bodies are sorted by, and what scales them. */
#ifndef KERNELS_TREE_CUDA_CURVE_CUH
#define KERNELS_TREE_CUDA_CURVE_CUH

#include "kernels/bits.h"

enum { SAMPLE = 256 }; /* bodies that a scale is found from, one a thread */

/* The value of that rank among `taken` <= SAMPLE, one a thread, whose number is `own`; for a whole
 * block, of which each SAMPLE threads may have a sample of their own. */
static __device__ double of_rank(double value, unsigned own, unsigned taken, unsigned rank,
                                 double *shared, double *found)
{
    __syncthreads();
    shared[own] = value;
    __syncthreads();
    unsigned below = 0;
#pragma unroll 8
    for (unsigned i = 0; i < taken; i++)
        below += shared[i] < value || (shared[i] == value && i < own);
    if (own < taken && below == rank)
        *found = value;
    __syncthreads();
    return *found;
}

#endif
