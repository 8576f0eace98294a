/* The published CUDA kernels: a block reads a tile of sources together, one per thread, and every
 * thread then loops over all of them. Rows after the last body are massless, so that no thread
 * needs to leave before a barrier. */
#include "kernels/ladder/ladder.h"

#include <cuda_runtime.h>

enum { TILE = 256 };

/* One interaction: 3 subtractions, 6 multiply-adds and multiplications for the squared distance and
 * the weight, one reciprocal root, 3 multiply-adds. */
static __device__ __forceinline__ void pull(float3 &a, float4 to, float4 from, float softening2)
{
    float dx = from.x - to.x, dy = from.y - to.y, dz = from.z - to.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + softening2);
    float weight = from.w * inverse * inverse * inverse;
    a.x += weight * dx;
    a.y += weight * dy;
    a.z += weight * dz;
}

static __device__ __forceinline__ void store(float4 *out, size_t i, size_t count, float3 a)
{
    if (i < count)
        out[i] = make_float4(a.x, a.y, a.z, 0);
}

/* Idea: sources are read from global memory once per block instead of once per thread; then
 * (UNROLL) the loop's counting and branch are shared by several interactions. Source: gems3,
 * listing of the tile calculation, "p" and "unroll"; p is the number of threads. */
template <int UNROLL>
__global__ void tile_kernel(size_t count, unsigned tiles, const float4 *rows, float softening2,
                            float4 *out)
{
    extern __shared__ float4 tile[];
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    float3 a = {0, 0, 0};
    float4 body = rows[i];
    for (unsigned t = 0; t < tiles; t++) {
        tile[threadIdx.x] = rows[(size_t)t * blockDim.x + threadIdx.x];
        __syncthreads();
#pragma unroll UNROLL
        for (unsigned j = 0; j < blockDim.x; j++)
            pull(a, body, tile[j], softening2);
        __syncthreads();
    }
    store(out, i, count, a);
}

/* Idea: the tile is a constant and its loop unrolled by 128: the shape of the sample program that
 * most people have measured. Source: the shape of the vendor's n-body sample; the code is new. The
 * sample lets threads after the last body leave before a barrier; here they stay. */
__global__ void __launch_bounds__(TILE)
    sample_kernel(size_t count, unsigned tiles, const float4 *rows, float softening2, float4 *out)
{
    __shared__ float4 tile[TILE];
    size_t i = (size_t)blockIdx.x * TILE + threadIdx.x;
    float3 a = {0, 0, 0};
    float4 body = rows[i];
    for (unsigned t = 0; t < tiles; t++) {
        tile[threadIdx.x] = rows[(size_t)t * TILE + threadIdx.x];
        __syncthreads();
#pragma unroll 128
        for (unsigned j = 0; j < TILE; j++)
            pull(a, body, tile[j], softening2);
        __syncthreads();
    }
    store(out, i, count, a);
}

typedef void kernel(size_t count, unsigned tiles, const float4 *rows, float softening2,
                    float4 *out);

static int launch(kernel *which, size_t shared, const struct ladder_bodies *bodies, void *stream)
{
    unsigned tiles = (unsigned)((bodies->count + TILE - 1) / TILE);
    which<<<tiles, TILE, shared, (cudaStream_t)stream>>>(
        bodies->count, tiles, (const float4 *)bodies->rows, bodies->softening * bodies->softening,
        (float4 *)bodies->acceleration);
    return cudaGetLastError();
}

template <int UNROLL> static int launch_tile(const struct ladder_bodies *bodies, void *stream)
{
    return launch(tile_kernel<UNROLL>, TILE * sizeof(float4), bodies, stream);
}

static int launch_sample(const struct ladder_bodies *bodies, void *stream)
{
    return launch(sample_kernel, 0, bodies, stream);
}

static const struct ladder_rung rung_tile = {"shared tile", true, NULL, launch_tile<1>},
                                rung_unroll = {"shared tile, unroll 4", true, NULL, launch_tile<4>},
                                rung_sample = {"sample's shape", true, NULL, launch_sample};

const struct ladder_rung *const ladder_cuda_rungs[] = {&rung_tile, &rung_unroll, &rung_sample,
                                                       NULL};
