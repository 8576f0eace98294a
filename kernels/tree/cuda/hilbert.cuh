/* Sorts bodies along Hilbert's curve, so that successive bodies are close together. */
#pragma once

#include "kernels/bits.h"

#include <cuda_runtime_api.h>

/* Positions along the space-filling curve that bodies are sorted by, and the scale of its box. */

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

struct hilbert_frame {
    double centre[3], scale;
};

/* Device memory; element [1] of each pair holds the sorted result. */
struct hilbert_space {
    hilbert_frame *frame;
    unsigned long long *key[2]; /* [bodies] */
    unsigned *body[2];          /* [bodies]; [1]: the body at each place of the order */
    void *scratch;
    size_t scratch_bytes;
};

/* Lays out the arrays by calling take(&pointer, bytes) for each. */
template <class TAKE>
static void hilbert_take(hilbert_space *space, size_t bodies, size_t scratch_bytes,
                         const TAKE &take)
{
    char *scratch = NULL;
    take(&space->frame, sizeof *space->frame);
    for (int k = 0; k < 2; k++) {
        take(&space->key[k], bodies * sizeof *space->key[k]);
        take(&space->body[k], bodies * sizeof *space->body[k]);
    }
    take(&scratch, scratch_bytes);
    space->scratch = scratch;
    space->scratch_bytes = scratch_bytes;
}

cudaError_t hilbert_cuda_scratch(size_t bodies, size_t *bytes);

enum { HILBERT_LEVELS = 21 }; /* levels of the keys, 3 bits each */

/* Only launches. position: x y z at every stride-th number. of: the bodies that take part, NULL:
 * all of them, in their order. levels: the number of key levels to sort by. Bodies with equal keys
 * keep their order. */
int hilbert_cuda_sort(size_t bodies, const double *position, unsigned stride, const unsigned *of,
                      int levels, const hilbert_space *space, cudaStream_t stream);
