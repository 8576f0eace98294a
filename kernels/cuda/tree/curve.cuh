/* Places along the curve that bodies are sorted by, and what scales them. */
#ifndef KERNELS_CUDA_TREE_CURVE_CUH
#define KERNELS_CUDA_TREE_CURVE_CUH

enum { SAMPLE = 256 }; /* bodies that a scale is found from, one a thread */

/* The lower 21 bits, two zeros behind each. */
static __device__ __forceinline__ unsigned long long spread_bits(unsigned long long bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffff;
    bits = (bits | bits << 16) & 0x001f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    return (bits | bits << 2) & 0x1249249249249249;
}

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
