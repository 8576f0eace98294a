/* The first rungs: one thread per body, sources straight from global memory. */
#include "kernels/ladder/pair.cuh"

/* Idea: the CPU's outer loop becomes the threads, and nothing else changes: one float array per
 * coordinate, four loads per source. Source: evl2008, "naive, float arrays". */
__global__ void naive_arrays(size_t count, const float *x, const float *y, const float *z,
                             const float *mass, float softening2, float4 *out)
{
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count)
        return;
    float3 a = {0, 0, 0};
    float xi = x[i], yi = y[i], zi = z[i];
#pragma unroll 1
    for (size_t j = 0; j < count; j++)
        pull(a, xi, yi, zi, x[j], y[j], z[j], mass[j], softening2);
    out[i] = make_float4(a.x, a.y, a.z, 0);
}

/* Idea: position and mass of a body are one aligned float4, so that a source is one load instead of
 * four. Source: evl2008, "float4"; "basic" in the stride table is this rung with different block
 * sizes. */
static __device__ __forceinline__ void float4_body(size_t i, size_t count, const float4 *rows,
                                                   float softening2, float4 *out)
{
    if (i >= count)
        return;
    float3 a = {0, 0, 0};
    float4 body = rows[i];
#pragma unroll 1
    for (size_t j = 0; j < count; j++) {
        float4 b = rows[j];
        pull(a, body.x, body.y, body.z, b.x, b.y, b.z, b.w, softening2);
    }
    out[i] = make_float4(a.x, a.y, a.z, 0);
}

__global__ void naive_float4(size_t count, const float4 *rows, float softening2, float4 *out)
{
    float4_body((size_t)blockIdx.x * blockDim.x + threadIdx.x, count, rows, softening2, out);
}

/* Idea: the same threads numbered in two dimensions; shows that the shape of a block is bookkeeping
 * and costs nothing. Source: evl2008, "1-D and 2-D blocks". */
__global__ void naive_float4_2d(size_t count, const float4 *rows, float softening2, float4 *out)
{
    unsigned thread = threadIdx.y * blockDim.x + threadIdx.x;
    float4_body((size_t)blockIdx.x * (blockDim.x * blockDim.y) + thread, count, rows, softening2,
                out);
}

extern "C" LADDER_LAUNCHER(ladder_naive_arrays)
{
    (void)rung;
    (void)turn;
    naive_arrays<<<blocks_for(bodies->count, shape->block), shape->block, 0,
                   (cudaStream_t)stream>>>(bodies->count, bodies->x, bodies->y, bodies->z,
                                           bodies->mass, bodies->softening * bodies->softening,
                                           (float4 *)bodies->acceleration);
    return cudaGetLastError();
}

extern "C" LADDER_LAUNCHER(ladder_naive_float4)
{
    (void)rung;
    (void)turn;
    naive_float4<<<blocks_for(bodies->count, shape->block), shape->block, 0,
                   (cudaStream_t)stream>>>(bodies->count, (const float4 *)bodies->rows,
                                           bodies->softening * bodies->softening,
                                           (float4 *)bodies->acceleration);
    return cudaGetLastError();
}

/* shape: `block` bodies per block, arranged in `rows` rows. */
extern "C" LADDER_LAUNCHER(ladder_naive_float4_2d)
{
    (void)rung;
    (void)turn;
    if (shape->rows == 0 || shape->block % shape->rows != 0)
        return cudaErrorInvalidValue;
    naive_float4_2d<<<blocks_for(bodies->count, shape->block),
                      dim3(shape->block / shape->rows, shape->rows), 0, (cudaStream_t)stream>>>(
        bodies->count, (const float4 *)bodies->rows, bodies->softening * bodies->softening,
        (float4 *)bodies->acceleration);
    return cudaGetLastError();
}
