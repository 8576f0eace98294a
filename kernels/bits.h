/* Takes numbers apart and puts them together by their bits: one text for C and CUDA. */
#pragma once

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#define KERNELS_INLINE static __host__ __device__ __forceinline__
#else
#define KERNELS_INLINE static inline
#endif

/* Inserts two zero bits between each two of the lowest 21 bits. */
KERNELS_INLINE uint64_t bits_spread(uint64_t bits)
{
    bits = (bits | bits << 32) & 0x001f00000000ffff;
    bits = (bits | bits << 16) & 0x001f0000ff0000ff;
    bits = (bits | bits << 8) & 0x100f00f00f00f00f;
    bits = (bits | bits << 4) & 0x10c30c30c30c30c3;
    return (bits | bits << 2) & 0x1249249249249249;
}

/* x = hi + lo. Works on the bits, because some compilers (gcc 12), when they vectorize two
 * conversions, take a double that went through float and back for the original double, so that lo
 * would be 0. */
KERNELS_INLINE void bits_halve(double x, float *hi, float *lo)
{
    uint64_t bits;
    double upper;
    memcpy(&bits, &x, sizeof bits);
    bits &= ~(uint64_t)0x1fffffff;
    memcpy(&upper, &bits, sizeof upper);
    *hi = (float)upper;
    *lo = (float)(x - upper);
}
