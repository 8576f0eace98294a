/* Shared memory: a block reads p sources together, one per thread, and every thread then loops over
 * all p. Rows after the last body are massless, so that no thread needs to leave before a
 * barrier. */
#include "kernels/ladder/pair.cuh"

static __device__ __forceinline__ void store(float4 *out, size_t i, size_t count, float3 a)
{
    if (i < count)
        out[i] = make_float4(a.x, a.y, a.z, 0);
}

/* Idea: p sources are read from global memory once per block instead of once per thread; then
 * (UNROLL) the loop's counting and branch are shared by several interactions.
 * Source: gems3, listing of the tile calculation, "p" and "unroll"; evl2008, "shared tile",
 * "unroll 8"; p is the number of threads.
 * Against naive float4: the tile and its two barriers. */
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
            pull(a, body.x, body.y, body.z, tile[j].x, tile[j].y, tile[j].z, tile[j].w, softening2);
        __syncthreads();
    }
    store(out, i, count, a);
}

/* Idea: the tile kernel with its threads numbered in two dimensions. Source: evl2008, "1-D and 2-D
 * blocks". */
template <int UNROLL>
__global__ void tile_2d_kernel(size_t count, unsigned tiles, const float4 *rows, float softening2,
                               float4 *out)
{
    extern __shared__ float4 tile[];
    unsigned block = blockDim.x * blockDim.y, thread = threadIdx.y * blockDim.x + threadIdx.x;
    size_t i = (size_t)blockIdx.x * block + thread;
    float3 a = {0, 0, 0};
    float4 body = rows[i];
    for (unsigned t = 0; t < tiles; t++) {
        tile[thread] = rows[(size_t)t * block + thread];
        __syncthreads();
#pragma unroll UNROLL
        for (unsigned j = 0; j < block; j++)
            pull(a, body.x, body.y, body.z, tile[j].x, tile[j].y, tile[j].z, tile[j].w, softening2);
        __syncthreads();
    }
    store(out, i, count, a);
}

/* Idea: the tile is a constant, 256, and its loop unrolled by 128: the shape of the sample program
 * that most people have measured. Source: the shape of the vendor's n-body sample; the code is new.
 * The sample lets threads after the last body leave before a barrier; here they stay. */
enum { SAMPLE_TILE = 256 };

__global__ void __launch_bounds__(SAMPLE_TILE)
    sample_kernel(size_t count, unsigned tiles, const float4 *rows, float softening2, float4 *out)
{
    __shared__ float4 tile[SAMPLE_TILE];
    size_t i = (size_t)blockIdx.x * SAMPLE_TILE + threadIdx.x;
    float3 a = {0, 0, 0};
    float4 body = rows[i];
    for (unsigned t = 0; t < tiles; t++) {
        tile[threadIdx.x] = rows[(size_t)t * SAMPLE_TILE + threadIdx.x];
        __syncthreads();
#pragma unroll 128
        for (unsigned j = 0; j < SAMPLE_TILE; j++)
            pull(a, body.x, body.y, body.z, tile[j].x, tile[j].y, tile[j].z, tile[j].w, softening2);
        __syncthreads();
    }
    store(out, i, count, a);
}

/* A block of p threads reads rows up to the next multiple of p: the padding must reach that far. */
static bool fits(unsigned block)
{
    return block > 0 && block <= LADDER_PAD && LADDER_PAD % block == 0;
}

template <int UNROLL>
static int launch_tile(const struct ladder_shape *shape, const struct ladder_bodies *bodies,
                       void *stream)
{
    unsigned p = shape->block, tiles = blocks_for(bodies->count, p);
    tile_kernel<UNROLL><<<tiles, p, p * sizeof(float4), (cudaStream_t)stream>>>(
        bodies->count, tiles, (const float4 *)bodies->rows, bodies->softening * bodies->softening,
        (float4 *)bodies->acceleration);
    return cudaGetLastError();
}

extern "C" LADDER_LAUNCHER(ladder_tile)
{
    (void)rung;
    (void)turn;
    if (!fits(shape->block))
        return cudaErrorInvalidValue;
    switch (shape->unroll) {
    case 1:
        return launch_tile<1>(shape, bodies, stream);
    case 2:
        return launch_tile<2>(shape, bodies, stream);
    case 4:
        return launch_tile<4>(shape, bodies, stream);
    case 8:
        return launch_tile<8>(shape, bodies, stream);
    case 16:
        return launch_tile<16>(shape, bodies, stream);
    case 32:
        return launch_tile<32>(shape, bodies, stream);
    default:
        return cudaErrorInvalidValue;
    }
}

extern "C" LADDER_LAUNCHER(ladder_tile_2d)
{
    (void)rung;
    (void)turn;
    if (!fits(shape->block) || shape->rows == 0 || shape->block % shape->rows != 0 ||
        shape->unroll != 8)
        return cudaErrorInvalidValue;
    unsigned p = shape->block, tiles = blocks_for(bodies->count, p);
    tile_2d_kernel<8>
        <<<tiles, dim3(p / shape->rows, shape->rows), p * sizeof(float4), (cudaStream_t)stream>>>(
            bodies->count, tiles, (const float4 *)bodies->rows,
            bodies->softening * bodies->softening, (float4 *)bodies->acceleration);
    return cudaGetLastError();
}

extern "C" LADDER_LAUNCHER(ladder_tile_sample)
{
    (void)rung;
    (void)turn;
    if (shape->block != SAMPLE_TILE)
        return cudaErrorInvalidValue;
    unsigned tiles = blocks_for(bodies->count, SAMPLE_TILE);
    sample_kernel<<<tiles, SAMPLE_TILE, 0, (cudaStream_t)stream>>>(
        bodies->count, tiles, (const float4 *)bodies->rows, bodies->softening * bodies->softening,
        (float4 *)bodies->acceleration);
    return cudaGetLastError();
}
