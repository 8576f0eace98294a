/* Single-precision policies for direct.cuh; compile the exact one with the flags described in
 * exact.cu. */
#pragma once

#include "kernels/pairs/cuda/direct.cuh"
#include "kernels/interaction.cuh"
#include "kernels/bits.h"

struct exact {
    typedef float number;
    typedef float4 row;
    static constexpr bool TILED = true;
    static constexpr bool SPLINE = false;

    static __device__ __forceinline__ float root(float x, float *g)
    {
        float y = __int_as_float(EXACT_GUESS - (__float_as_int(x) >> 1));
        y = y * fused(-x, y * y, EXACT_NEWTON);
        *g = fused(-x, y * y, EXACT_SQUARE);
        return y;
    }

    static __device__ __forceinline__ float inverse_cube(float x)
    {
        float g, y = root(x, &g);
        return (y * (y * y)) * fused(g, fused(g, EXACT_CUBE_2, EXACT_CUBE_1), EXACT_CUBE_0);
    }

    static __device__ __forceinline__ float inverse(float x)
    {
        float g, y = root(x, &g);
        return y * fused(g, fused(g, EXACT_ROOT_2, EXACT_ROOT_1), EXACT_ROOT_0);
    }
};

struct quick {
    typedef float number;
    typedef float4 row;
    static constexpr bool TILED = true;
    static constexpr bool SPLINE = false;

    static __device__ __forceinline__ float inverse_cube(float x)
    {
        float e = inverse_root(x);
        return e * (e * e);
    }
};
