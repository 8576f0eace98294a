/* Shared by the force kernels: the softened distance and its reciprocal root. */
#pragma once

#include "kernels/spline.h"

/* One instruction; rsqrtf() would add a scaling for denormal numbers, and r^2 + eps^2 is never
 * denormal. */
static __device__ __forceinline__ float inverse_root(float x)
{
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

static __device__ __forceinline__ float softened(float dx, float dy, float dz, float softening2)
{
    return fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, softening2)));
}

/* The steps of kernels/spline.h on a device. The caller handles distances beyond the support, which
 * nearly all pairs have. */

#define SPLINE_FMA(a, b, c) spline_fma(a, b, c)
#define SPLINE_CONST(x)     ((NUMBER)(x))

static __device__ __forceinline__ float spline_fma(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}

static __device__ __forceinline__ double spline_fma(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

/* P within the support; `point` is r^-3. ROOT::inverse(x): x^(-1/2). */
template <class ROOT, class NUMBER>
static __device__ __forceinline__ NUMBER spline_pull(NUMBER r2, NUMBER support2, NUMBER point)
{
    const NUMBER inverse = ROOT::inverse(support2), inverse2 = inverse * inverse;
    const NUMBER square = r2 * inverse2, least = SPLINE_CONST(SPLINE_LEAST);
    const NUMBER q = square > least ? square : least, u = q * ROOT::inverse(q);
    const NUMBER t = 1 - u, t2 = t * t;
    return u < SPLINE_CONST(0.5) ? (inverse * inverse2) * SPLINE_INNER_PULL(q, u)
                                 : point * SPLINE_OUTER_PULL(t, t2);
}

/* F within the support; `point` is 1 / r. */
template <class ROOT, class NUMBER>
static __device__ __forceinline__ NUMBER spline_phi(NUMBER r2, NUMBER support2, NUMBER point)
{
    const NUMBER inverse = ROOT::inverse(support2), inverse2 = inverse * inverse;
    const NUMBER square = r2 * inverse2, least = SPLINE_CONST(SPLINE_LEAST);
    const NUMBER q = square > least ? square : least, u = q * ROOT::inverse(q);
    const NUMBER t = 1 - u, t2 = t * t;
    return u < SPLINE_CONST(0.5) ? inverse * SPLINE_INNER_PHI(q, u)
                                 : point * SPLINE_OUTER_PHI(t, t2);
}
