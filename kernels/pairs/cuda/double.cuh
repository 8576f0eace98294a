/* The double-precision policy for direct.cuh. */
#pragma once

#include "kernels/pairs/cuda/direct.cuh"

/* Replaces CUDA's double4, whose alignment differs between versions. */
struct __align__(16) double_row
{
    double x, y, z, w;
};

struct in_double {
    typedef double number;
    typedef struct double_row row;
    static constexpr bool TILED = false;
    static constexpr bool SPLINE = false;

    /* The instruction's guess has about 20 bits, in the upper half of the number. */
    static __device__ __forceinline__ double guess(double x)
    {
        double y;
        asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
        return y;
    }

    /* With h = 1 - x e^2: e^3 (1 - h)^(-3/2) as a series. */
    static __device__ __forceinline__ double inverse_cube(double x)
    {
        double e = guess(x), e2 = e * e, h = fused(-x, e2, 1.0);
        return e * e2 * fused(h, fused(h, fused(h, 2.1875, 1.875), 1.5), 1.0);
    }

    static __device__ __forceinline__ double inverse(double x)
    {
        double e = guess(x), h = fused(-x, e * e, 1.0);
        return e * fused(h, fused(h, fused(h, 0.3125, 0.375), 0.5), 1.0);
    }
};
