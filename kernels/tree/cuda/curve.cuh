/* Positions along the space-filling curve that bodies are sorted by, and the scale of its box. */
#pragma once

#include "kernels/bits.h"

enum { SAMPLE = 256 }; /* bodies in the sample that a scale is derived from, one per thread */

/* Returns the value of the given rank among `taken` <= SAMPLE values, one per thread; `own` is the
 * thread's index. The whole block must call it; each group of SAMPLE threads may have a sample of
 * its own. */
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
