/* The loop over all sources that the exact, quick and double kernels share. A policy defines the
 * number type and the reciprocal root:
 *
 *     number, row                          float and float4, or double and double4
 *     inverse_cube(number r2), inverse(number r2)
 *     TILED                                whether rows may be offsets from centres (rows.h)
 *     SPLINE                               whether softening is by a spline (kernels/spline.h);
 *                                          then rows have their halves, and there are also
 *     pull(r2, half), phi(r2, half)        P and F of the spline
 *
 * Every multiplication that is followed by an addition is an explicit fused multiply-add. */
#pragma once

#include "kernels/bits.h"
#include "kernels/interaction.cuh"
#include "kernels/pairs/cuda/force_plan.h"

enum { SOURCES = FORCE_DIRECT_TILE, ADD_THREADS = 64 };

static __device__ __forceinline__ float fused(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}

static __device__ __forceinline__ double fused(double a, double b, double c)
{
    return __fma_rn(a, b, c);
}

template <class NUMBER>
static __device__ __forceinline__ NUMBER softened(NUMBER dx, NUMBER dy, NUMBER dz,
                                                  NUMBER softening2)
{
    return fused(dx, dx, fused(dy, dy, fused(dz, dz, softening2)));
}

/* eps_ij^2 = h_i + h_j where each row has its own half (MIXED). */
template <bool MIXED, class NUMBER>
static __device__ __forceinline__ NUMBER pair_softening2(NUMBER softening2, NUMBER own,
                                                         NUMBER other)
{
    return MIXED ? own + other : softening2;
}

/* The pull of unit mass at a distance, divided by the distance. */
template <class POLICY, bool MIXED>
static __device__ __forceinline__ typename POLICY::number
pull_of(typename POLICY::number dx, typename POLICY::number dy, typename POLICY::number dz,
        typename POLICY::number softening2, typename POLICY::number own,
        typename POLICY::number other)
{
    typedef typename POLICY::number number;
    if constexpr (POLICY::SPLINE)
        return POLICY::pull(softened(dx, dy, dz, (number)0), own > other ? own : other);
    else
        return POLICY::inverse_cube(
            softened(dx, dy, dz, pair_softening2<MIXED>(softening2, own, other)));
}

/* The potential of unit mass, without its sign. */
template <class POLICY, bool MIXED>
static __device__ __forceinline__ typename POLICY::number
phi_of(typename POLICY::number dx, typename POLICY::number dy, typename POLICY::number dz,
       typename POLICY::number softening2, typename POLICY::number own,
       typename POLICY::number other)
{
    typedef typename POLICY::number number;
    if constexpr (POLICY::SPLINE)
        return POLICY::phi(softened(dx, dy, dz, (number)0), own > other ? own : other);
    else
        return POLICY::inverse(
            softened(dx, dy, dz, pair_softening2<MIXED>(softening2, own, other)));
}

/* The shifts of force_shift in rows.h for TARGETS successive tiles from `first` on, computed by the
 * first threads of a block. */
template <int TARGETS, class NUMBER>
static __device__ __forceinline__ void find_shifts(const struct force_tiles &tiles, unsigned first,
                                                   unsigned source, NUMBER (*shift)[3])
{
    unsigned k = threadIdx.x / 3, c = threadIdx.x % 3;
    if (k < TARGETS)
        shift[k][c] = tiles.centres ? (NUMBER)(tiles.from_centres[3 * (size_t)source + c] -
                                               tiles.centres[3 * (size_t)(first + k) + c])
                                    : 0;
}

/* Block (I, g): TARGETS targets per thread, kept in registers, against group g of the sources.
 * Every source read from shared memory serves TARGETS pairs. The order of additions does not depend
 * on the grid: a block always processes a whole group. */
template <class POLICY, int TARGETS, bool MIXED>
__global__ void __launch_bounds__(SOURCES)
    direct_kernel(const typename POLICY::row *__restrict__ target,
                  const typename POLICY::row *__restrict__ source, unsigned tiles, unsigned share,
                  typename POLICY::number softening2,
                  const typename POLICY::number *__restrict__ target_halves,
                  const typename POLICY::number *__restrict__ source_halves,
                  struct force_tiles centred, size_t stride, double *__restrict__ slots)
{
    typedef typename POLICY::number number;
    constexpr int UNROLL = POLICY::SPLINE ? 2 : 8;
    __shared__ typename POLICY::row tile[SOURCES];
    __shared__ number shift[TARGETS][3];
    __shared__ number halves[MIXED ? SOURCES : 1];
    size_t first = (size_t)blockIdx.x * (SOURCES * TARGETS) + threadIdx.x;
    number x[TARGETS], y[TARGETS], z[TARGETS], own[TARGETS];
    double ax[TARGETS] = {}, ay[TARGETS] = {}, az[TARGETS] = {};
#pragma unroll
    for (int k = 0; k < TARGETS; k++) {
        typename POLICY::row body = target[first + k * SOURCES];
        x[k] = body.x;
        y[k] = body.y;
        z[k] = body.z;
        own[k] = MIXED ? target_halves[first + k * SOURCES] : 0;
    }

    unsigned begin = blockIdx.y * share, end = min(begin + share, tiles);
    for (unsigned t = begin; t < end; t++) {
        __syncthreads();
        tile[threadIdx.x] = source[(size_t)t * SOURCES + threadIdx.x];
        if (MIXED)
            halves[threadIdx.x] = source_halves[(size_t)t * SOURCES + threadIdx.x];
        if (POLICY::TILED)
            find_shifts<TARGETS>(centred, blockIdx.x * TARGETS, t, shift);
        __syncthreads();
        if (POLICY::TILED) {
#pragma unroll
            for (int k = 0; k < TARGETS; k++) {
                typename POLICY::row body = target[first + k * SOURCES];
                x[k] = body.x - shift[k][0];
                y[k] = body.y - shift[k][1];
                z[k] = body.z - shift[k][2];
            }
        }
        number sx[TARGETS] = {}, sy[TARGETS] = {}, sz[TARGETS] = {};
#pragma unroll UNROLL
        for (int j = 0; j < SOURCES; j++) {
            typename POLICY::row b = tile[j];
            number other = halves[MIXED ? j : 0];
#pragma unroll
            for (int k = 0; k < TARGETS; k++) {
                number dx = b.x - x[k], dy = b.y - y[k], dz = b.z - z[k];
                number pull = b.w * pull_of<POLICY, MIXED>(dx, dy, dz, softening2, own[k], other);
                sx[k] = fused(pull, dx, sx[k]);
                sy[k] = fused(pull, dy, sy[k]);
                sz[k] = fused(pull, dz, sz[k]);
            }
        }
#pragma unroll
        for (int k = 0; k < TARGETS; k++) {
            ax[k] += (double)sx[k];
            ay[k] += (double)sy[k];
            az[k] += (double)sz[k];
        }
    }

    double *slot = slots + blockIdx.y * 3 * stride + first;
#pragma unroll
    for (int k = 0; k < TARGETS; k++) {
        slot[k * SOURCES] = ax[k];
        slot[k * SOURCES + stride] = ay[k];
        slot[k * SOURCES + 2 * stride] = az[k];
    }
}

/* One thread per target and coordinate (blockIdx.y). */
static __global__ void __launch_bounds__(ADD_THREADS)
    add_groups_kernel(const double *__restrict__ slots, unsigned groups, size_t stride,
                      size_t targets, const unsigned *__restrict__ order,
                      double *__restrict__ acceleration)
{
    size_t i = (size_t)blockIdx.x * ADD_THREADS + threadIdx.x;
    if (i >= targets)
        return;
    const double *slot = slots + blockIdx.y * stride + i;
    double sum = 0;
#pragma unroll 8
    for (unsigned g = 0; g < groups; g++)
        sum += slot[g * 3 * stride];
    acceleration[3 * (order ? order[i] : i) + blockIdx.y] = sum;
}

/* One thread per target. Rows beyond `count` have no mass. */
template <class POLICY, bool MIXED>
__global__ void __launch_bounds__(SOURCES)
    direct_potential_kernel(const typename POLICY::row *__restrict__ rows, size_t count,
                            typename POLICY::number softening2,
                            const typename POLICY::number *__restrict__ all_halves,
                            struct force_tiles centred, double *__restrict__ out)
{
    typedef typename POLICY::number number;
    constexpr int UNROLL = POLICY::SPLINE ? 2 : 8;
    __shared__ typename POLICY::row tile[SOURCES];
    __shared__ number shift[1][3];
    __shared__ number halves[MIXED ? SOURCES : 1];
    size_t i = (size_t)blockIdx.x * SOURCES + threadIdx.x;
    typename POLICY::row own_row = rows[i], body = own_row;
    number own = MIXED ? all_halves[i] : 0;
    double total = 0;
    for (size_t first = 0; first < count; first += SOURCES) {
        __syncthreads();
        tile[threadIdx.x] = rows[first + threadIdx.x];
        if (MIXED)
            halves[threadIdx.x] = all_halves[first + threadIdx.x];
        if (POLICY::TILED)
            find_shifts<1>(centred, blockIdx.x, (unsigned)(first / SOURCES), shift);
        __syncthreads();
        if (POLICY::TILED) {
            body.x = own_row.x - shift[0][0];
            body.y = own_row.y - shift[0][1];
            body.z = own_row.z - shift[0][2];
        }
        number phi = 0;
#pragma unroll UNROLL
        for (int j = 0; j < SOURCES; j++) {
            typename POLICY::row b = tile[j];
            number dx = b.x - body.x, dy = b.y - body.y, dz = b.z - body.z;
            number term = phi_of<POLICY, MIXED>(dx, dy, dz, softening2, own, halves[MIXED ? j : 0]);
            phi = fused(b.w, first + j == i ? 0 : term, phi);
        }
        total += (double)phi;
    }
    if (i < count)
        out[centred.order ? centred.order[i] : i] = -total;
}

template <class POLICY, int TARGETS>
static void direct_launch(const struct force_direct_plan *plan, const typename POLICY::row *to,
                          const typename POLICY::row *from, typename POLICY::number softening,
                          const typename POLICY::number *to_halves,
                          const typename POLICY::number *from_halves,
                          const struct force_tiles &centred, double *slots, cudaStream_t stream)
{
    unsigned tiles = (unsigned)((plan->sources + SOURCES - 1) / SOURCES);
    dim3 grid((unsigned)(plan->stride / plan->tile), plan->groups);
    if (POLICY::SPLINE || to_halves)
        direct_kernel<POLICY, TARGETS, true><<<grid, SOURCES, 0, stream>>>(
            to, from, tiles, plan->share, 0, to_halves, from_halves, centred, plan->stride, slots);
    else if constexpr (!POLICY::SPLINE)
        direct_kernel<POLICY, TARGETS, false>
            <<<grid, SOURCES, 0, stream>>>(to, from, tiles, plan->share, softening * softening,
                                           NULL, NULL, centred, plan->stride, slots);
}

template <class POLICY>
static int
direct_accelerate(const struct force_direct_plan *plan, const void *target, const void *source,
                  typename POLICY::number softening, const typename POLICY::number *target_halves,
                  const typename POLICY::number *source_halves, const struct force_tiles &centred,
                  double *slots, double *acceleration, cudaStream_t stream)
{
    const typename POLICY::row *to = (const typename POLICY::row *)target;
    const typename POLICY::row *from = (const typename POLICY::row *)source;
    if (plan->tile == 2 * SOURCES)
        direct_launch<POLICY, 2>(plan, to, from, softening, target_halves, source_halves, centred,
                                 slots, stream);
    else
        direct_launch<POLICY, 4>(plan, to, from, softening, target_halves, source_halves, centred,
                                 slots, stream);
    int error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    dim3 adders((unsigned)((plan->targets + ADD_THREADS - 1) / ADD_THREADS), 3);
    add_groups_kernel<<<adders, ADD_THREADS, 0, stream>>>(
        slots, plan->groups, plan->stride, plan->targets, centred.order, acceleration);
    return cudaGetLastError();
}

template <class POLICY>
static int direct_potential(size_t count, const void *rows, typename POLICY::number softening,
                            const typename POLICY::number *halves,
                            const struct force_tiles &centred, double *out, cudaStream_t stream)
{
    const typename POLICY::row *all = (const typename POLICY::row *)rows;
    unsigned blocks = (unsigned)((count + SOURCES - 1) / SOURCES);
    if (POLICY::SPLINE || halves)
        direct_potential_kernel<POLICY, true>
            <<<blocks, SOURCES, 0, stream>>>(all, count, 0, halves, centred, out);
    else if constexpr (!POLICY::SPLINE)
        direct_potential_kernel<POLICY, false>
            <<<blocks, SOURCES, 0, stream>>>(all, count, softening * softening, NULL, centred, out);
    return cudaGetLastError();
}

/* The double-precision policy. */

/* Replaces CUDA's double4, whose alignment differs between versions. */
struct __align__(16) double_row
{
    double x, y, z, w;
};

struct in_double {
    typedef double number;
    typedef struct double_row row;
    static constexpr bool TILED = false;
    static constexpr bool SPLINE = false;

    /* The instruction's guess has about 20 bits, in the upper half of the number. */
    static __device__ __forceinline__ double guess(double x)
    {
        double y;
        asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
        return y;
    }

    /* With h = 1 - x e^2: e^3 (1 - h)^(-3/2) as a series. */
    static __device__ __forceinline__ double inverse_cube(double x)
    {
        double e = guess(x), e2 = e * e, h = fused(-x, e2, 1.0);
        return e * e2 * fused(h, fused(h, fused(h, 2.1875, 1.875), 1.5), 1.0);
    }

    static __device__ __forceinline__ double inverse(double x)
    {
        double e = guess(x), h = fused(-x, e * e, 1.0);
        return e * fused(h, fused(h, fused(h, 0.3125, 0.375), 0.5), 1.0);
    }
};

/* Single-precision policies for direct.cuh; compile the exact one with the flags described in
 * exact.cu. */

struct exact {
    typedef float number;
    typedef float4 row;
    static constexpr bool TILED = true;
    static constexpr bool SPLINE = false;

    static __device__ __forceinline__ float root(float x, float *g)
    {
        float y = __int_as_float(EXACT_GUESS - (__float_as_int(x) >> 1));
        y = y * fused(-x, y * y, EXACT_NEWTON);
        *g = fused(-x, y * y, EXACT_SQUARE);
        return y;
    }

    static __device__ __forceinline__ float inverse_cube(float x)
    {
        float g, y = root(x, &g);
        return (y * (y * y)) * fused(g, fused(g, EXACT_CUBE_2, EXACT_CUBE_1), EXACT_CUBE_0);
    }

    static __device__ __forceinline__ float inverse(float x)
    {
        float g, y = root(x, &g);
        return y * fused(g, fused(g, EXACT_ROOT_2, EXACT_ROOT_1), EXACT_ROOT_0);
    }
};

struct quick {
    typedef float number;
    typedef float4 row;
    static constexpr bool TILED = true;
    static constexpr bool SPLINE = false;

    static __device__ __forceinline__ float inverse_cube(float x)
    {
        float e = inverse_root(x);
        return e * (e * e);
    }
};
