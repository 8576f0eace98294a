/* One interaction, as all CUDA rungs compute it: 3 subtractions, 6 multiply-adds and
 * multiplications for the squared distance and the weight, one reciprocal root, 3 multiply-adds. */
#pragma once

#include "kernels/ladder/launchers.h"

#include <cuda_runtime.h>

static __device__ __forceinline__ void pull(float3 &a, float x, float y, float z, float bx,
                                            float by, float bz, float bm, float softening2)
{
    float dx = bx - x, dy = by - y, dz = bz - z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening2);
    float weight = bm * inverse * inverse * inverse;
    a.x += weight * dx;
    a.y += weight * dy;
    a.z += weight * dz;
}

static inline unsigned blocks_for(size_t count, unsigned block)
{
    return (unsigned)((count + block - 1) / block);
}
