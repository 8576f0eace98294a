/* The split scheme of force_plan.h: a few targets per thread, a share of the sources per block. */
#pragma once

#include "kernels/pairs/cuda/force_plan.h"
#include "kernels/interaction.cuh"
#include "kernels/rows.h"

enum { SOURCES = FORCE_TILE, ADD_THREADS = 64 };

/* One coordinate of force_shift in rows.h; 0 without centres. */
static __device__ __forceinline__ float centre_shift(const struct force_tiles &tiles, unsigned from,
                                                     unsigned to, unsigned c)
{
    return tiles.centres
               ? (float)(tiles.centres[3 * (size_t)to + c] - tiles.centres[3 * (size_t)from + c])
               : 0;
}

/* Every source read from shared memory serves TARGETS bodies that stay in registers, so that the
 * loop is bound by arithmetic. Sums over a tile of sources are added to the total afterwards: short
 * sums keep the rounding small. */
template <int TARGETS>
__global__ void __launch_bounds__(SOURCES)
    split_kernel(const float4 *__restrict__ rows, unsigned sources, unsigned share,
                 float softening2, struct force_tiles centred, size_t stride,
                 float *__restrict__ slots)
{
    __shared__ float4 tile[SOURCES];
    __shared__ float shift[TARGETS][3];
    size_t first = (size_t)blockIdx.x * (SOURCES * TARGETS) + threadIdx.x;
    float4 own[TARGETS];
    float x[TARGETS], y[TARGETS], z[TARGETS];
    float ax[TARGETS] = {}, ay[TARGETS] = {}, az[TARGETS] = {};
#pragma unroll
    for (int k = 0; k < TARGETS; k++)
        own[k] = rows[first + k * SOURCES];
    unsigned begin = blockIdx.y * share, end = min(begin + share, sources);
    for (unsigned t = begin; t < end; t++) {
        __syncthreads();
        tile[threadIdx.x] = rows[(size_t)t * SOURCES + threadIdx.x];
        if (threadIdx.x < 3 * TARGETS)
            shift[threadIdx.x / 3][threadIdx.x % 3] =
                centre_shift(centred, blockIdx.x * TARGETS + threadIdx.x / 3, t, threadIdx.x % 3);
        __syncthreads();
#pragma unroll
        for (int k = 0; k < TARGETS; k++) {
            x[k] = own[k].x - shift[k][0];
            y[k] = own[k].y - shift[k][1];
            z[k] = own[k].z - shift[k][2];
        }
        float sx[TARGETS] = {}, sy[TARGETS] = {}, sz[TARGETS] = {};
#pragma unroll 16
        for (int j = 0; j < SOURCES; j++) {
            float4 b = tile[j];
#pragma unroll
            for (int k = 0; k < TARGETS; k++) {
                float dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
                float e = inverse_root(softened(dx, dy, dz, softening2));
                float pull = b.w * e * (e * e);
                sx[k] = fmaf(pull, dx, sx[k]);
                sy[k] = fmaf(pull, dy, sy[k]);
                sz[k] = fmaf(pull, dz, sz[k]);
            }
        }
#pragma unroll
        for (int k = 0; k < TARGETS; k++) {
            ax[k] += sx[k];
            ay[k] += sy[k];
            az[k] += sz[k];
        }
    }

    float *slot = slots + blockIdx.y * 3 * stride + first;
#pragma unroll
    for (int k = 0; k < TARGETS; k++) {
        slot[k * SOURCES] = ax[k];
        slot[k * SOURCES + stride] = ay[k];
        slot[k * SOURCES + 2 * stride] = az[k];
    }
}

/* One thread per body and coordinate (blockIdx.y). */
__global__ void __launch_bounds__(ADD_THREADS)
    add_splits_kernel(const float *__restrict__ slots, unsigned splits, size_t stride, size_t count,
                      const unsigned *__restrict__ order, double *__restrict__ acceleration)
{
    size_t i = (size_t)blockIdx.x * ADD_THREADS + threadIdx.x;
    if (i >= count)
        return;
    const float *slot = slots + blockIdx.y * stride + i;
    double sum = 0;
#pragma unroll 8
    for (unsigned s = 0; s < splits; s++)
        sum += slot[s * 3 * stride];
    acceleration[3 * (order ? order[i] : i) + blockIdx.y] = sum;
}

static dim3 add_grid(size_t count, unsigned parts)
{
    return dim3((unsigned)((count * parts + ADD_THREADS - 1) / ADD_THREADS), 3);
}

template <int TARGETS>
static void launch_split(const struct force_cuda_plan *plan, const float4 *rows, float softening2,
                         const struct force_tiles &tiles, float *slots, cudaStream_t stream)
{
    unsigned sources = (unsigned)((plan->count + SOURCES - 1) / SOURCES);
    split_kernel<TARGETS><<<dim3(plan->tiles, plan->splits), SOURCES, 0, stream>>>(
        rows, sources, plan->share, softening2, tiles, plan->stride, slots);
}

static int accelerate_split(const struct force_cuda_plan *plan, const float4 *rows,
                            float softening2, const struct force_tiles &tiles, float *slots,
                            double *acceleration, cudaStream_t stream)
{
    if (plan->tile == SOURCES)
        launch_split<1>(plan, rows, softening2, tiles, slots, stream);
    else
        launch_split<4>(plan, rows, softening2, tiles, slots, stream);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    add_splits_kernel<<<add_grid(plan->count, 1), ADD_THREADS, 0, stream>>>(
        slots, plan->splits, plan->stride, plan->count, tiles.order, acceleration);
    return cudaGetLastError();
}
