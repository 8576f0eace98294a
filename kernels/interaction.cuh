/* Shared by the force kernels: the softened distance and its reciprocal root. */
#pragma once

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
