/* Places along the curve that bodies are sorted by, and what scales them. */
#ifndef KERNELS_CUDA_TREE_CURVE_CUH
#define KERNELS_CUDA_TREE_CURVE_CUH

#include "kernels/bits.h"

enum { SAMPLE = 256 }; /* bodies that a scale is found from, one a thread */

/* The value of that rank among `taken` <= SAMPLE, one a thread; for a whole block. */
static __device__ double of_rank(double value, unsigned taken, unsigned rank, double *shared,
                                 double *found)
{
    __syncthreads();
    shared[threadIdx.x] = value;
    __syncthreads();
    unsigned below = 0;
    for (unsigned i = 0; i < taken; i++)
        below += shared[i] < value || (shared[i] == value && i < threadIdx.x);
    if (threadIdx.x < taken && below == rank)
        *found = value;
    __syncthreads();
    return *found;
}

#endif
