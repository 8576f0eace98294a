/* Idea: another way to get more threads: `stride` blocks share one block of bodies. Block s takes
 * the tiles s, s + stride, ... and adds its sums to the bodies' with atomics, as published. The
 * hardware chooses the order of those additions: the last digits differ from run to run, so no
 * kernel of the simulation works like this. Source: stride, "shared". Against the tile rung: the
 * step over tiles, the atomics, and clearing the sums first, which is part of the launch and of its
 * time. */
#include "kernels/ladder/pair.cuh"

__global__ void stride_kernel(size_t count, unsigned tiles, unsigned stride, const float4 *rows,
                              float softening2, float4 *out)
{
    extern __shared__ float4 tile[];
    size_t i = (size_t)(blockIdx.x / stride) * blockDim.x + threadIdx.x;
    float3 a = {0, 0, 0};
    float4 body = rows[i];
    for (unsigned t = blockIdx.x % stride; t < tiles; t += stride) {
        tile[threadIdx.x] = rows[(size_t)t * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll 8
        for (unsigned j = 0; j < blockDim.x; j++)
            pull(a, body.x, body.y, body.z, tile[j].x, tile[j].y, tile[j].z, tile[j].w, softening2);
        __syncthreads();
    }
    if (i < count) {
        atomicAdd(&out[i].x, a.x);
        atomicAdd(&out[i].y, a.y);
        atomicAdd(&out[i].z, a.z);
    }
}

extern "C" LADDER_LAUNCHER(ladder_stride)
{
    (void)rung;
    (void)turn;
    unsigned p = shape->block, stride = shape->stride;
    if (p == 0 || p > LADDER_PAD || LADDER_PAD % p != 0 || stride == 0)
        return cudaErrorInvalidValue;
    cudaError_t error = cudaMemsetAsync(bodies->acceleration, 0, bodies->count * sizeof(float4),
                                        (cudaStream_t)stream);
    if (error != cudaSuccess)
        return error;
    unsigned tiles = blocks_for(bodies->count, p);
    stride_kernel<<<tiles * stride, p, p * sizeof(float4), (cudaStream_t)stream>>>(
        bodies->count, tiles, stride, (const float4 *)bodies->rows,
        bodies->softening * bodies->softening, (float4 *)bodies->acceleration);
    return cudaGetLastError();
}
