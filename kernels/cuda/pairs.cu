#include "kernels/cuda/pairs.h"
#include "kernels/cuda/interaction.cuh"
#include "kernels/cuda/split.cuh"

/* ---- pairs: Newton's third law between two tiles ---- */

/* A chunk is 32 sources, stored twice in a row so that lane l finds source (l + s) mod 32 at l + s.
 */
enum { CHUNK = 32 };

template <int BODIES> struct targets {
    float x[BODIES], y[BODIES], z[BODIES], mass[BODIES];
    float ax[BODIES], ay[BODIES], az[BODIES];
};

/* A warp's targets against one chunk, both directions. At step s lane l works on source (l + s) mod
 * 32 and holds that source's sums, which then move on to lane l - 1; after 32 steps each sum is
 * back in the lane of its source. EQUAL leaves out the masses: the caller multiplies the sums
 * instead. */
template <int BODIES, bool EQUAL>
static __device__ __forceinline__ float3 walk_chunk(const float4 *__restrict__ source,
                                                    struct targets<BODIES> &t, unsigned lane,
                                                    float softening2)
{
    /* Measured on sm_90: eight bodies of equal mass gain from all their distances first, other
     * shapes from a longer stretch. */
    constexpr int TOGETHER = EQUAL && BODIES == 8 ? BODIES : 1, UNROLL = TOGETHER > 1 ? 2 : 4;
    float gx = 0, gy = 0, gz = 0;
#pragma unroll UNROLL
    for (int s = 0; s < CHUNK; s++) {
        float4 b = source[lane + s];
#pragma unroll
        for (int first = 0; first < BODIES; first += TOGETHER) {
            float dx[TOGETHER], dy[TOGETHER], dz[TOGETHER], e[TOGETHER];
#pragma unroll
            for (int k = 0; k < TOGETHER; k++) {
                dx[k] = b.x - t.x[first + k];
                dy[k] = b.y - t.y[first + k];
                dz[k] = b.z - t.z[first + k];
                e[k] = inverse_root(softened(dx[k], dy[k], dz[k], softening2));
            }
#pragma unroll
            for (int k = 0; k < TOGETHER; k++) {
                int i = first + k;
                float cube = e[k] * (e[k] * e[k]);
                float pull = EQUAL ? cube : cube * b.w;
                float back = EQUAL ? cube : cube * t.mass[i];
                t.ax[i] = fmaf(pull, dx[k], t.ax[i]);
                t.ay[i] = fmaf(pull, dy[k], t.ay[i]);
                t.az[i] = fmaf(pull, dz[k], t.az[i]);
                gx = fmaf(-back, dx[k], gx);
                gy = fmaf(-back, dy[k], gy);
                gz = fmaf(-back, dz[k], gz);
            }
        }
        gx = __shfl_sync(0xffffffffu, gx, lane + 1, CHUNK);
        gy = __shfl_sync(0xffffffffu, gy, lane + 1, CHUNK);
        gz = __shfl_sync(0xffffffffu, gz, lane + 1, CHUNK);
    }
    return make_float3(gx, gy, gz);
}

/* All chunks of the tile, each warp starting at another one. In a round no two warps have the same
 * chunk, and a barrier ends the round, so that sums of a chunk are added in a fixed order. */
template <int WARPS, int BODIES, bool EQUAL>
static __device__ __forceinline__ void walk_tile(const float4 *__restrict__ source, float *sx,
                                                 float *sy, float *sz, struct targets<BODIES> &t,
                                                 float softening2)
{
    constexpr unsigned CHUNKS = WARPS * BODIES;
    unsigned lane = threadIdx.x % CHUNK, chunk = threadIdx.x / CHUNK * BODIES;
    for (unsigned round = 0; round < CHUNKS; round++) {
        float3 g = walk_chunk<BODIES, EQUAL>(source + 2 * CHUNK * chunk, t, lane, softening2);
        unsigned place = chunk * CHUNK + lane;
        sx[place] += g.x;
        sy[place] += g.y;
        sz[place] += g.z;
        chunk = chunk + 1 == CHUNKS ? 0 : chunk + 1;
        __syncthreads();
    }
}

/* EQUAL does the pairs of tiles that have one mass each, the other kernel the rest: as two kernels
 * each has the registers and the shape that suit it. */
template <int WARPS, int BODIES, bool EQUAL>
__global__ void __launch_bounds__(WARPS *CHUNK, 1) /* registers count for more than warps */
    pairs_kernel(const float4 *__restrict__ rows, const float *__restrict__ tile_mass,
                 unsigned tiles, unsigned first_distance, float softening2, size_t stride,
                 float *__restrict__ slots)
{
    constexpr int THREADS = WARPS * CHUNK, TILE = THREADS * BODIES;
    __shared__ float4 source[2 * TILE];
    __shared__ float sx[TILE], sy[TILE], sz[TILE];

    unsigned distance = first_distance + blockIdx.y, tile_i = blockIdx.x;
    if (2 * distance == tiles && tile_i >= distance)
        return; /* the whole block: tile_i - distance has this pair */
    unsigned tile_j = tile_i + distance < tiles ? tile_i + distance : tile_i + distance - tiles;
    float mass_i = tile_mass[tile_i], mass_j = tile_mass[tile_j];
    if ((mass_i >= 0 && mass_j >= 0) != EQUAL)
        return; /* the whole block */
    size_t first_i = (size_t)tile_i * TILE + threadIdx.x;
    size_t first_j = (size_t)tile_j * TILE + threadIdx.x;

    struct targets<BODIES> t;
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        unsigned j = k * THREADS + threadIdx.x, place = j / CHUNK * (2 * CHUNK) + j % CHUNK;
        float4 b = rows[first_j + k * THREADS];
        source[place] = b;
        source[place + CHUNK] = b;
        sx[j] = sy[j] = sz[j] = 0;

        float4 body = rows[first_i + k * THREADS];
        t.x[k] = body.x;
        t.y[k] = body.y;
        t.z[k] = body.z;
        t.mass[k] = body.w;
        t.ax[k] = t.ay[k] = t.az[k] = 0;
    }
    __syncthreads();

    walk_tile<WARPS, BODIES, EQUAL>(source, sx, sy, sz, t, softening2);
    float scale_i = EQUAL ? mass_j : 1, scale_j = EQUAL ? mass_i : 1;

    float *slot_i = slots + 2 * (size_t)blockIdx.y * 3 * stride + first_i;
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        slot_i[k * THREADS] = scale_i * t.ax[k];
        slot_i[k * THREADS + stride] = scale_i * t.ay[k];
        slot_i[k * THREADS + 2 * stride] = scale_i * t.az[k];
    }
    if (distance == 0)
        return;
    float *slot_j = slots + (2 * (size_t)blockIdx.y + 1) * 3 * stride + first_j;
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        unsigned j = k * THREADS + threadIdx.x;
        slot_j[k * THREADS] = scale_j * sx[j];
        slot_j[k * THREADS + stride] = scale_j * sy[j];
        slot_j[k * THREADS + 2 * stride] = scale_j * sz[j];
    }
}

/* Adds the slots that a wave of distances has filled, in the order of the distances; one thread a
 * body and coordinate (blockIdx.y). */
__global__ void __launch_bounds__(ADD_THREADS)
    add_pairs_kernel(const float *__restrict__ slots, unsigned tile, unsigned tiles,
                     unsigned first_distance, unsigned distances, size_t stride, size_t count,
                     double *__restrict__ acceleration)
{
    size_t i = (size_t)blockIdx.x * ADD_THREADS + threadIdx.x;
    if (i >= count)
        return;
    bool lower = 2 * (i / tile) < tiles; /* the half that is tile_i at distance tiles / 2 */
    double sum = first_distance == 0 ? 0 : acceleration[3 * i + blockIdx.y];
    const float *slot = slots + blockIdx.y * stride + i;
#pragma unroll 4
    for (unsigned d = first_distance; d < first_distance + distances; d++) {
        bool half = 2 * d == tiles;
        if (!half || lower)
            sum += slot[0];
        if (d != 0 && (!half || !lower))
            sum += slot[3 * stride];
        slot += 6 * stride;
    }
    acceleration[3 * i + blockIdx.y] = sum;
}

/* The same for all distances at once, where there are few tiles: PARTS threads share a sum, each a
 * contiguous part of the distances. */
template <int PARTS>
__global__ void __launch_bounds__(ADD_THREADS)
    add_few_pairs_kernel(const float *__restrict__ slots, unsigned tile, unsigned tiles,
                         unsigned distances, size_t stride, size_t count,
                         double *__restrict__ acceleration)
{
    constexpr unsigned BODIES = ADD_THREADS / PARTS;
    __shared__ double sums[ADD_THREADS];
    unsigned body = threadIdx.x % BODIES, part = threadIdx.x / BODIES;
    size_t i = (size_t)blockIdx.x * BODIES + body;
    double sum = 0;
    if (i < count) {
        bool lower = 2 * (i / tile) < tiles;
        unsigned share = (distances + PARTS - 1) / PARTS, begin = part * share;
        unsigned end = min(begin + share, distances);
        const float *slot = slots + blockIdx.y * stride + i + (size_t)begin * 6 * stride;
#pragma unroll 4
        for (unsigned d = begin; d < end; d++) {
            bool half = 2 * d == tiles;
            if (!half || lower)
                sum += slot[0];
            if (d != 0 && (!half || !lower))
                sum += slot[3 * stride];
            slot += 6 * stride;
        }
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (part != 0 || i >= count)
        return;
    for (unsigned p = 1; p < PARTS; p++)
        sum += sums[p * BODIES + body];
    acceleration[3 * i + blockIdx.y] = sum;
}

__global__ void __launch_bounds__(CHUNK)
    tile_mass_kernel(const float4 *__restrict__ rows, unsigned tile, float *__restrict__ tile_mass)
{
    const float4 *body = rows + (size_t)blockIdx.x * tile;
    float mass = body[0].w;
    bool equal = true;
    for (unsigned i = threadIdx.x; i < tile; i += CHUNK)
        equal = equal && body[i].w == mass;
    equal = __all_sync(0xffffffffu, equal);
    if (threadIdx.x == 0)
        tile_mass[blockIdx.x] = equal ? mass : -1;
}

/* ---- potential ---- */

__global__ void __launch_bounds__(SOURCES)
    potential_kernel(const float4 *__restrict__ rows, size_t count, float softening2,
                     double *__restrict__ out)
{
    __shared__ float4 tile[SOURCES];
    size_t i = (size_t)blockIdx.x * SOURCES + threadIdx.x;
    float4 body = rows[i];
    double total = 0;
    for (size_t first = 0; first < count; first += SOURCES) {
        __syncthreads();
        tile[threadIdx.x] = rows[first + threadIdx.x];
        __syncthreads();
        float sum = 0;
#pragma unroll 8
        for (int j = 0; j < SOURCES; j++) {
            float4 b = tile[j];
            float r2 = softened(b.x - body.x, b.y - body.y, b.z - body.z, softening2);
            float term = b.w * inverse_root(r2);
            sum += first + j == i ? 0 : term;
        }
        total -= sum;
    }
    if (i < count)
        out[i] = total;
}

/* ---- launchers ---- */

template <int WARPS, int BODIES, bool EQUAL>
static void launch_pairs(const struct force_cuda_plan *plan, const float4 *rows,
                         const float *tile_mass, unsigned first, unsigned distances,
                         float softening2, float *slots, cudaStream_t stream)
{
    pairs_kernel<WARPS, BODIES, EQUAL><<<dim3(plan->tiles, distances), WARPS * CHUNK, 0, stream>>>(
        rows, tile_mass, plan->tiles, first, softening2, plan->stride, slots);
}

/* Shapes as measured on sm_90: with masses fewer warps with more bodies each are quicker. */
static void launch_wave(const struct force_cuda_plan *plan, const float4 *rows,
                        const float *tile_mass, unsigned first, unsigned distances,
                        float softening2, float *slots, cudaStream_t stream)
{
    typedef void launcher(const struct force_cuda_plan *, const float4 *, const float *, unsigned,
                          unsigned, float, float *, cudaStream_t);
    launcher *equal, *mixed;
    if (plan->tile == 128) {
        equal = launch_pairs<1, 4, true>;
        mixed = launch_pairs<1, 4, false>;
    } else if (plan->tile == 256) {
        equal = launch_pairs<1, 8, true>;
        mixed = launch_pairs<1, 8, false>;
    } else if (plan->tile == 512) {
        equal = launch_pairs<2, 8, true>;
        mixed = launch_pairs<1, 16, false>;
    } else {
        equal = launch_pairs<4, 8, true>;
        mixed = launch_pairs<2, 16, false>;
    }
    if (plan->equal_tiles)
        equal(plan, rows, tile_mass, first, distances, softening2, slots, stream);
    if (plan->mixed_tiles)
        mixed(plan, rows, tile_mass, first, distances, softening2, slots, stream);
}

static int accelerate_pairs(const struct force_cuda_plan *plan, const float4 *rows,
                            const float *tile_mass, float softening2, float *slots,
                            double *acceleration, cudaStream_t stream)
{
    for (unsigned first = 0; first < plan->distances; first += plan->wave) {
        unsigned rest = plan->distances - first, distances = rest < plan->wave ? rest : plan->wave;
        launch_wave(plan, rows, tile_mass, first, distances, softening2, slots, stream);
        cudaError_t error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
        if (plan->whole)
            add_few_pairs_kernel<4><<<add_grid(plan->count, 4), ADD_THREADS, 0, stream>>>(
                slots, plan->tile, plan->tiles, distances, plan->stride, plan->count, acceleration);
        else
            add_pairs_kernel<<<add_grid(plan->count, 1), ADD_THREADS, 0, stream>>>(
                slots, plan->tile, plan->tiles, first, distances, plan->stride, plan->count,
                acceleration);
        error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

extern "C" int force_cuda_accelerate(const struct force_cuda_plan *plan, const float *rows,
                                     const float *tile_mass, float softening, float *slots,
                                     double *acceleration, void *stream)
{
    const float4 *bodies = (const float4 *)rows;
    float softening2 = softening * softening;
    if (plan->scheme == FORCE_CUDA_SPLIT)
        return accelerate_split(plan, bodies, softening2, slots, acceleration,
                                (cudaStream_t)stream);
    return accelerate_pairs(plan, bodies, tile_mass, softening2, slots, acceleration,
                            (cudaStream_t)stream);
}

extern "C" int force_cuda_tile_masses(const struct force_cuda_plan *plan, const float *rows,
                                      float *tile_mass, void *stream)
{
    tile_mass_kernel<<<plan->tiles, CHUNK, 0, (cudaStream_t)stream>>>((const float4 *)rows,
                                                                      plan->tile, tile_mass);
    return cudaGetLastError();
}

extern "C" int force_cuda_potential(size_t count, const float *rows, float softening, double *out,
                                    void *stream)
{
    unsigned blocks = (unsigned)((count + SOURCES - 1) / SOURCES);
    potential_kernel<<<blocks, SOURCES, 0, (cudaStream_t)stream>>>((const float4 *)rows, count,
                                                                   softening * softening, out);
    return cudaGetLastError();
}

extern "C" int force_cuda_supported(void)
{
    cudaFuncAttributes attributes;
    cudaError_t error = cudaFuncGetAttributes(&attributes, potential_kernel);
    if (error != cudaSuccess)
        (void)cudaGetLastError();
    return error;
}
