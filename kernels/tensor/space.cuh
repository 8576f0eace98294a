/* Device memory that the matrix-unit kernels share. */
#pragma once

#include "kernels/tensor/tensor.h"
#include "kernels/tree/cuda/hilbert.cuh"

#include <cuda_fp16.h>
#include <cuda_runtime_api.h>

/* Pairs of halves, and matrix products on matrix units (PTX ISA, "Warp Level Matrix Instructions").
 *
 * Columns of the product that gives squared distances: sinks left and sources right, in the units
 * of the tiles; n, in three halves, is the part of the squared distance besides the mixed term:
 *
 *     sinks    x y z  x y z  x' y' z'  1 1 1 0  n n' n"
 *     sources  X Y Z  X' Y' Z'  X Y Z  n n' n" 0  1 1 1      X = -2 x, x' the rest of x */

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

enum { UNIT = TENSOR_UNIT, LANES = 32, STRIP = 16 /* rows and columns of a product */ };

/* The range of softenings in a set of bodies: the smallest and largest eps^2 / 2 or, with splines,
 * the square of the longest support, beyond which the spline has no effect. */
struct tensor_softening {
    float least, most, support2;
};

/* The bounding box of a tile, and its units of length and mass. */
struct tensor_tile {
    double centre[3];
    float half[3], radius; /* of the box: half its sides, half its diagonal */
    unsigned heavy;        /* 1: one of its units is heavy */
    tensor_softening soft;
    float length, mass; /* powers of two, at least the radius and the largest mass */
};

struct tensor_unit {
    double centre[3]; /* of its box */
    double origin[3]; /* median in each coordinate, which a single distant body does not move */
    float half[3];
    unsigned heavy; /* 1: has a body that is near to everything */
    tensor_softening soft;
};

/* Fragments have the layout that mma.m16n8k16 reads: for each strip of 16 rows the values of each
 * lane, so that a warp reads a strip in one access. */
struct tensor_space {
    hilbert_space curve; /* row k is body curve.body[1][k] */
    struct tensor_tile *tile;
    struct tensor_unit *unit;
    uint4 *sink;     /* [rows / 16][32] left operands: x in halves */
    uint4 *source;   /* the same as right operands: -2 x */
    uint2 *weighted; /* [rows / 16][32] m x and m in two halves: right operands */
    float4 *offset;  /* [rows] x y z, from the tile's centre, eps^2 / 2 or 0 (spline) */
    float4 *beside;  /* [rows] x y z m, from the unit's origin */
    float *half;     /* [rows] eps^2 / 2 */
    float4 *moment;  /* [rows / UNIT] sums of m x and m, from the tile's centre */
    float *heavy;    /* mass above which a body is near to everything; few bodies are */
    float *slots;    /* [wave] of sinks, [groups] of sources, one of near units */
};

struct tensor_space tensor_space_of(const struct tensor_cuda_plan *plan, const void *work,
                                    size_t *bytes);

/* Finds the mass above which a body is heavy: the given fraction of the total mass. */
int tensor_cuda_weigh(const struct tensor_cuda_plan *plan, const struct tensor_space *space,
                      const double *rows, double part, cudaStream_t stream);

/* Builds the tiles, units and fragments of the bodies in the curve's order. halves: eps^2 / 2 of
 * each body, or NULL if all have `half`. */
int tensor_cuda_rows(const struct tensor_cuda_plan *plan, const struct tensor_space *space,
                     const double *rows, double half, const double *halves, bool spline,
                     cudaStream_t stream);
