/* Pairs of halves, and matrix products on matrix units (PTX ISA, "Warp Level Matrix Instructions").
 *
 * Columns of the product that gives squared distances: sinks left and sources right, in the units
 * of the tiles; n, in three halves, is the part of the squared distance besides the mixed term:
 *
 *     sinks    x y z  x y z  x' y' z'  1 1 1 0  n n' n"
 *     sources  X Y Z  X' Y' Z'  X Y Z  n n' n" 0  1 1 1      X = -2 x, x' the rest of x */
#pragma once

#include <cuda_fp16.h>

static __device__ __forceinline__ unsigned bits_of(__half2 x)
{
    unsigned bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static __device__ __forceinline__ unsigned two(__half low, __half high)
{
    return bits_of(__halves2half2(low, high));
}

static __device__ __forceinline__ unsigned multiplied(unsigned a, unsigned b)
{
    __half2 x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return bits_of(__hmul2(x, y));
}

/* Splits x into the sum of three halves, stored as: zero, first; second, third. */
static __device__ __forceinline__ uint2 in_three(float x)
{
    const __half first = __float2half_rn(x);
    x -= __half2float(first);
    const __half second = __float2half_rn(x);
    x -= __half2float(second);
    return make_uint2(two(__float2half(0.f), first), two(second, __float2half_rn(x)));
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
/* sum = left * right + before, 16 x 16 by 16 x 8 */
static __device__ __forceinline__ void product(float *sum, const unsigned *left,
                                               const unsigned *right, const float *before)
{
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%10, %11, %12, %13};"
        : "=f"(sum[0]), "=f"(sum[1]), "=f"(sum[2]), "=f"(sum[3])
        : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "r"(right[0]), "r"(right[1]),
          "f"(before[0]), "f"(before[1]), "f"(before[2]), "f"(before[3]));
}

/* The transpose of 8 x 8 halves. */
static __device__ __forceinline__ unsigned transposed(unsigned x)
{
    unsigned y;
    asm("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(y) : "r"(x));
    return y;
}

static __device__ __forceinline__ unsigned rounded(float low, float high)
{
    unsigned pair;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
    return pair;
}
#endif
