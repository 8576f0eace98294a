/* Idea: each step uses only a part of the sources, another part the next time, and multiplies the
 * sum so that its mean over the turns is right. This is an approximation, not a faster kernel. The
 * part is every n-th source and not a contiguous piece: components are contiguous, and a piece
 * would be one galaxy without the other. Source: evl2008, "subset 1/2, 1/4, 1/8, 1/16". Against the
 * naive float4 rung: the loop's start and step. */
#include "kernels/ladder/pair.cuh"

__global__ void subset_kernel(size_t count, unsigned first, unsigned step, const float4 *rows,
                              float softening2, float4 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float3 a = {0, 0, 0};
    float4 body = rows[i];
#pragma unroll 1
    for (size_t j = first; j < count; j += step) {
        float4 b = rows[j];
        pull(a, body.x, body.y, body.z, b.x, b.y, b.z, b.w, softening2);
    }
    float scale = (float)step;
    out[i] = make_float4(scale * a.x, scale * a.y, scale * a.z, 0);
}

extern "C" LADDER_LAUNCHER(ladder_subset)
{
    subset_kernel<<<blocks_for(bodies->count, shape->block), shape->block, 0,
                    (cudaStream_t)stream>>>(
        bodies->count, turn % rung->subset, rung->subset, (const float4 *)bodies->rows,
        bodies->softening * bodies->softening, (float4 *)bodies->acceleration);
    return cudaGetLastError();
}
