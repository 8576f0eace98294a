/* Idea: few bodies give few threads, too few to hide the latency of memory and arithmetic. So q
 * threads share a body: the block is p x q threads, the tile p * q sources, and row y of the block
 * sums the sources of the tile's part y. The q sums meet in shared memory at the end.
 * Source: gems3, "multiple threads per body" (q).
 * Against the tile rung: the second dimension of the block and the addition at the end. */
#include "kernels/ladder/pair.cuh"

__global__ void threads_per_body_kernel(size_t count, unsigned tiles, const float4 *rows,
                                        float softening2, float4 *out)
{
    extern __shared__ float4 tile[];
    unsigned p = blockDim.x, q = blockDim.y, thread = threadIdx.y * p + threadIdx.x;
    size_t i = (size_t)blockIdx.x * p + threadIdx.x;
    const float4 *part = tile + threadIdx.y * p;
    float3 a = {0, 0, 0};
    float4 body = rows[i];
    for (unsigned t = 0; t < tiles; t++) {
        tile[thread] = rows[(size_t)t * (p * q) + thread];
        __syncthreads();
#pragma unroll 8
        for (unsigned j = 0; j < p; j++)
            pull(a, body.x, body.y, body.z, part[j].x, part[j].y, part[j].z, part[j].w, softening2);
        __syncthreads();
    }

    tile[thread] = make_float4(a.x, a.y, a.z, 0);
    __syncthreads();
    if (threadIdx.y != 0 || i >= count)
        return;
    for (unsigned y = 1; y < q; y++) {
        float4 b = tile[y * p + threadIdx.x];
        a.x += b.x;
        a.y += b.y;
        a.z += b.z;
    }
    out[i] = make_float4(a.x, a.y, a.z, 0);
}

extern "C" LADDER_LAUNCHER(ladder_threads_per_body)
{
    (void)rung;
    (void)turn;
    unsigned p = shape->block, q = shape->rows;
    if (p == 0 || q == 0 || p * q > LADDER_PAD || LADDER_PAD % (p * q) != 0)
        return cudaErrorInvalidValue;
    threads_per_body_kernel<<<blocks_for(bodies->count, p), dim3(p, q), p * q * sizeof(float4),
                              (cudaStream_t)stream>>>(
        bodies->count, blocks_for(bodies->count, p * q), (const float4 *)bodies->rows,
        bodies->softening * bodies->softening, (float4 *)bodies->acceleration);
    return cudaGetLastError();
}
