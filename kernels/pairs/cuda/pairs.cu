#include "kernels/pairs/cuda/pairs.h"
#include "kernels/interaction.cuh"
#include "kernels/pairs/cuda/split.cuh"

#include <float.h>

/* ---- launches that overlap (from compute capability 9.0 on) ---- */

/* Lets the blocks of the next kernel take their places, if launch_early launches it. */
static __device__ __forceinline__ void let_next_begin(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

/* Waits until all that was launched before has ended and its results are there. */
static __device__ __forceinline__ void await_last(void)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* For kernels that wait by await_last. */
template <class... PARAMETERS>
static int launch_early(void (*kernel)(PARAMETERS...), dim3 grid, unsigned threads,
                        cudaStream_t stream, PARAMETERS... parameters)
{
    cudaFuncAttributes code;
    cudaLaunchAttribute early = {};
    cudaLaunchConfig_t config = {};
    const cudaError_t error = cudaFuncGetAttributes(&code, (const void *)kernel);
    if (error != cudaSuccess)
        return error;
    early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    early.val.programmaticStreamSerializationAllowed = 1;
    config.gridDim = grid;
    config.blockDim = dim3(threads);
    config.stream = stream;
    config.attrs = &early;
    config.numAttrs = code.ptxVersion >= 90; /* otherwise await_last does not wait */
    return cudaLaunchKernelEx(&config, kernel, parameters...);
}

/* ---- pairs: Newton's third law between two tiles ---- */

/* A chunk is 32 sources, stored twice in a row so that lane l finds source (l + s) mod 32 at l + s.
 */
enum { CHUNK = 32 };

/* Number of chunks whose pull on a target is summed in registers before the sum is added
 * elsewhere. */
enum { CHUNKS_AT_ONCE = 8 };

template <int BODIES> struct targets {
    float x[BODIES], y[BODIES], z[BODIES], mass[BODIES];
    float ax[BODIES], ay[BODIES], az[BODIES];
};

/* The value of the lane `by` places higher. */
static __device__ __forceinline__ float3 from_lane(float3 value, unsigned lane, unsigned by)
{
    return make_float3(__shfl_sync(0xffffffffu, value.x, lane + by, CHUNK),
                       __shfl_sync(0xffffffffu, value.y, lane + by, CHUNK),
                       __shfl_sync(0xffffffffu, value.z, lane + by, CHUNK));
}

/* The pulls between a lane's targets and one source, whose sums are g; distances are computed for
 * TOGETHER targets at a time. EQUAL leaves out the masses: the caller multiplies the sums
 * instead. */
template <int BODIES, bool EQUAL, int TOGETHER>
static __device__ __forceinline__ void meet(float4 b, struct targets<BODIES> &t, float3 &g,
                                            float softening2)
{
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
            g.x = fmaf(-back, dx[k], g.x);
            g.y = fmaf(-back, dy[k], g.y);
            g.z = fmaf(-back, dz[k], g.z);
        }
    }
}

/* A warp's targets against one chunk, both directions. At step s lane l works on source (l + s) mod
 * 32 and holds that source's sums, which then move on to lane l - 1; after 32 steps each sum is
 * back in the lane of its source. If masses differ, one may outweigh all others; the contributions
 * of a stretch of steps are then summed on their own, and added to the earlier sums, which move by
 * as many lanes at once. */
template <int BODIES, bool EQUAL>
static __device__ __forceinline__ float3 walk_chunk(const float4 *__restrict__ source,
                                                    struct targets<BODIES> &t, unsigned lane,
                                                    float softening2)
{
    /* Measured on sm_90: with eight bodies of equal mass it is faster to compute all distances
     * first, with other shapes to unroll the loop further. */
    constexpr int TOGETHER = EQUAL && BODIES == 8 ? BODIES : 1, UNROLL = TOGETHER > 1 ? 2 : 4;
    constexpr int STRETCH = BODIES == 4 ? 8 : 4;
    const float4 *own = source + lane;
    float3 all = {0, 0, 0};
    if constexpr (EQUAL) {
#pragma unroll UNROLL
        for (int s = 0; s < CHUNK; s++) {
            meet<BODIES, EQUAL, TOGETHER>(own[s], t, all, softening2);
            all = from_lane(all, lane, 1);
        }
        return all;
    } else {
#pragma unroll 1
        for (int start = 0; start < CHUNK; start += STRETCH) {
            float3 g = {0, 0, 0};
#pragma unroll
            for (int s = 0; s < STRETCH; s++) {
                if (s > 0)
                    g = from_lane(g, lane, 1);
                meet<BODIES, EQUAL, TOGETHER>(own[start + s], t, g, softening2);
            }
            all = from_lane(all, lane, STRETCH);
            all = make_float3(all.x + g.x, all.y + g.y, all.z + g.z);
        }
        return from_lane(all, lane, 1);
    }
}

template <int BODIES>
static __device__ __forceinline__ void clear(float *slot, unsigned threads, size_t stride)
{
#pragma unroll
    for (int k = 0; k < 3 * BODIES; k++)
        slot[k % BODIES * threads + k / BODIES * stride] = 0;
}

/* Adds the targets' register sums to the stored sums, each body at its own place. */
template <int BODIES>
static __device__ __forceinline__ void put_aside(struct targets<BODIES> &t, float *aside,
                                                 unsigned threads, size_t stride, bool first)
{
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        float *at = aside + k * threads;
        at[0] = first ? t.ax[k] : at[0] + t.ax[k];
        at[stride] = first ? t.ay[k] : at[stride] + t.ay[k];
        at[2 * stride] = first ? t.az[k] : at[2 * stride] + t.az[k];
        t.ax[k] = t.ay[k] = t.az[k] = 0;
    }
}

/* All chunks of the tile; each warp starts at a different chunk. In a round no two warps have the
 * same chunk, and a barrier ends the round, so that sums of a chunk are added in a fixed order. */
template <int WARPS, int BODIES, bool EQUAL>
static __device__ __forceinline__ void walk_tile(const float4 *__restrict__ source, float *sx,
                                                 float *sy, float *sz, struct targets<BODIES> &t,
                                                 float softening2, float *aside, size_t stride)
{
    constexpr unsigned CHUNKS = WARPS * BODIES;
    unsigned lane = threadIdx.x % CHUNK, chunk = threadIdx.x / CHUNK * BODIES;
    for (unsigned round = 0; round < CHUNKS; round++) {
        float3 g = walk_chunk<BODIES, EQUAL>(source + 2 * CHUNK * chunk, t, lane, softening2);
        unsigned place = chunk * CHUNK + lane;
        sx[place] += g.x;
        sy[place] += g.y;
        sz[place] += g.z;
        if (CHUNKS > CHUNKS_AT_ONCE && round % CHUNKS_AT_ONCE == CHUNKS_AT_ONCE - 1 &&
            round + 1 < CHUNKS)
            put_aside<BODIES>(t, aside, WARPS * CHUNK, stride, round < CHUNKS_AT_ONCE);
        chunk = chunk + 1 == CHUNKS ? 0 : chunk + 1;
        __syncthreads();
    }
}

static __device__ __forceinline__ float4 moved(float4 row, const float *shift)
{
    return make_float4(row.x - shift[0], row.y - shift[1], row.z - shift[2], row.w);
}

/* One coordinate of the common centre that both tiles' rows are moved to: the weighted mean of
 * their parts' centres, where rounding costs least. */
template <int PARTS>
static __device__ __forceinline__ double
common_centre(const struct force_tiles &tiles, unsigned first_i, unsigned first_j, unsigned c)
{
    double origin = tiles.centres[3 * (size_t)first_i + c], sum = 0, all = 0, inverse;
#pragma unroll 4
    for (unsigned p = 0; p < 2 * PARTS; p++) {
        unsigned part = p < PARTS ? first_i + p : first_j + p - PARTS;
        double weight = tiles.weights[part] + DBL_MIN;
        sum += weight * (tiles.centres[3 * (size_t)part + c] - origin);
        all += weight;
    }
    /* Twenty bits are enough, since all rows use the same centre. */
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(inverse) : "d"(all));
    return origin + sum * inverse;
}

/* The kernel with EQUAL handles pairs of tiles in each of which all bodies have one mass; the other
 * kernel handles the rest. As two kernels, each has the registers and the shape that suit it. */
template <int WARPS, int BODIES, bool EQUAL>
__global__ void __launch_bounds__(WARPS *CHUNK, 1) /* registers count for more than warps */
    pairs_kernel(const float4 *__restrict__ rows, const float *__restrict__ tile_mass,
                 unsigned tiles, unsigned first_distance, float softening2,
                 struct force_tiles centred, size_t stride, float *__restrict__ slots)
{
    constexpr int THREADS = WARPS * CHUNK, TILE = THREADS * BODIES, PARTS = TILE / FORCE_TILE;
    __shared__ float4 source[2 * TILE];
    __shared__ float shift[2 * PARTS][3]; /* of the parts of tile_i, then of tile_j */
    __shared__ float sx[TILE], sy[TILE], sz[TILE];

    let_next_begin();
    unsigned distance = first_distance + blockIdx.y, tile_i = blockIdx.x;
    if (2 * distance == tiles && tile_i >= distance)
        return; /* the whole block: tile_i - distance handles this pair */
    unsigned tile_j = tile_i + distance < tiles ? tile_i + distance : tile_i + distance - tiles;
    float mass_i = tile_mass[tile_i], mass_j = tile_mass[tile_j];
    bool idle = mass_i == 0 && mass_j == 0; /* neither tile has mass; either kernel may be launched
                                             * alone */
    if (!idle && (mass_i >= 0 && mass_j >= 0) != EQUAL)
        return; /* the whole block */
    size_t first_i = (size_t)tile_i * TILE + threadIdx.x;
    size_t first_j = (size_t)tile_j * TILE + threadIdx.x;
    float *slot_i = slots + 2 * (size_t)blockIdx.y * 3 * stride + first_i;
    float *slot_j = slots + (2 * (size_t)blockIdx.y + 1) * 3 * stride + first_j;
    if (idle) {
        clear<BODIES>(slot_i, THREADS, stride);
        clear<BODIES>(slot_j, THREADS, stride);
        return;
    }

    float4 row_i[BODIES], row_j[BODIES]; /* loads in flight while centres are computed */
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        row_i[k] = rows[first_i + k * THREADS];
        row_j[k] = rows[first_j + k * THREADS];
    }
    if (threadIdx.x < 6 * PARTS) {
        unsigned part = threadIdx.x / 3, c = threadIdx.x % 3;
        unsigned from = part < PARTS ? tile_i * PARTS + part : tile_j * PARTS + part - PARTS;
        double to = common_centre<PARTS>(centred, tile_i * PARTS, tile_j * PARTS, c);
        shift[part][c] = (float)(to - centred.centres[3 * (size_t)from + c]);
    }
    __syncthreads();

    struct targets<BODIES> t;
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        unsigned j = k * THREADS + threadIdx.x, place = j / CHUNK * (2 * CHUNK) + j % CHUNK;
        float4 b = moved(row_j[k], shift[PARTS + j / FORCE_TILE]);
        source[place] = b;
        source[place + CHUNK] = b;
        sx[j] = sy[j] = sz[j] = 0;

        float4 body = moved(row_i[k], shift[j / FORCE_TILE]);
        t.x[k] = body.x;
        t.y[k] = body.y;
        t.z[k] = body.z;
        t.mass[k] = body.w;
        t.ax[k] = t.ay[k] = t.az[k] = 0;
    }
    __syncthreads();

    walk_tile<WARPS, BODIES, EQUAL>(source, sx, sy, sz, t, softening2, slot_i, stride);
    float scale_i = EQUAL ? mass_j : 1, scale_j = EQUAL ? mass_i : 1;
    constexpr bool ASIDE = TILE > CHUNK * CHUNKS_AT_ONCE;
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        float *at = slot_i + k * THREADS;
        at[0] = scale_i * (ASIDE ? at[0] + t.ax[k] : t.ax[k]);
        at[stride] = scale_i * (ASIDE ? at[stride] + t.ay[k] : t.ay[k]);
        at[2 * stride] = scale_i * (ASIDE ? at[2 * stride] + t.az[k] : t.az[k]);
    }
    if (distance == 0)
        return;
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        unsigned j = k * THREADS + threadIdx.x;
        slot_j[k * THREADS] = scale_j * sx[j];
        slot_j[k * THREADS + stride] = scale_j * sy[j];
        slot_j[k * THREADS + 2 * stride] = scale_j * sz[j];
    }
}

enum { SPLIT = 4 };

/* Tiles of FORCE_TILE bodies, for so few bodies that a multiprocessor has few blocks: SPLIT warps
 * share the targets, and each has chunks of the sources of its own. */
template <bool EQUAL>
__global__ void __launch_bounds__(SPLIT *CHUNK)
    few_pairs_kernel(const float4 *__restrict__ rows, const float *__restrict__ tile_mass,
                     unsigned tiles, unsigned first_distance, float softening2,
                     struct force_tiles centred, size_t stride, float *__restrict__ slots)
{
    constexpr int BODIES = FORCE_TILE / CHUNK, OWN = BODIES / SPLIT;
    __shared__ float4 source[2 * FORCE_TILE];
    __shared__ float sums[SPLIT][3 * BODIES][CHUNK];
    const unsigned lane = threadIdx.x % CHUNK, warp = threadIdx.x / CHUNK;

    let_next_begin();
    await_last();
    const unsigned distance = first_distance + blockIdx.y, tile_i = blockIdx.x;
    if (2 * distance == tiles && tile_i >= distance)
        return;
    const unsigned tile_j =
        tile_i + distance < tiles ? tile_i + distance : tile_i + distance - tiles;
    const float mass_i = tile_mass[tile_i], mass_j = tile_mass[tile_j];
    const bool idle = mass_i == 0 && mass_j == 0;
    if (!idle && (mass_i >= 0 && mass_j >= 0) != EQUAL)
        return;
    const size_t first_i = (size_t)tile_i * FORCE_TILE + lane;
    const size_t first_j = (size_t)tile_j * FORCE_TILE + lane + warp * OWN * CHUNK;
    float *const slot_i =
        slots + 2 * (size_t)blockIdx.y * 3 * stride + first_i + warp * OWN * CHUNK;
    float *const slot_j = slots + (2 * (size_t)blockIdx.y + 1) * 3 * stride + first_j;
    if (idle) {
        clear<OWN>(slot_i, CHUNK, stride);
        clear<OWN>(slot_j, CHUNK, stride);
        return;
    }

    float4 row_i[BODIES], row_j[OWN]; /* loads in flight while centres are computed */
#pragma unroll
    for (int k = 0; k < BODIES; k++)
        row_i[k] = rows[first_i + k * CHUNK];
#pragma unroll
    for (int k = 0; k < OWN; k++)
        row_j[k] = rows[first_j + k * CHUNK];
    /* Lanes 0 to 2 have the shift of tile_i, 3 to 5 that of tile_j. */
    const unsigned c = lane % 3, from = lane % 6 < 3 ? tile_i : tile_j;
    const float shift = (float)(common_centre<1>(centred, tile_i, tile_j, c) -
                                centred.centres[3 * (size_t)from + c]);
    float shift_i[3], shift_j[3];
#pragma unroll
    for (int k = 0; k < 3; k++) {
        shift_i[k] = __shfl_sync(0xffffffffu, shift, k);
        shift_j[k] = __shfl_sync(0xffffffffu, shift, k + 3);
    }
    struct targets<BODIES> t;
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        const float4 body = moved(row_i[k], shift_i);
        t.x[k] = body.x;
        t.y[k] = body.y;
        t.z[k] = body.z;
        t.mass[k] = body.w;
        t.ax[k] = t.ay[k] = t.az[k] = 0;
    }
    float4 *const own = source + warp * OWN * 2 * CHUNK;
#pragma unroll
    for (int k = 0; k < OWN; k++)
        own[k * 2 * CHUNK + lane] = own[(k * 2 + 1) * CHUNK + lane] = moved(row_j[k], shift_j);
    __syncwarp();

    const float scale_i = EQUAL ? mass_j : 1, scale_j = EQUAL ? mass_i : 1;
#pragma unroll 1
    for (int k = 0; k < OWN; k++) {
        const float3 g = walk_chunk<BODIES, EQUAL>(own + k * 2 * CHUNK, t, lane, softening2);
        if (distance > 0) {
            slot_j[k * CHUNK] = scale_j * g.x;
            slot_j[k * CHUNK + stride] = scale_j * g.y;
            slot_j[k * CHUNK + 2 * stride] = scale_j * g.z;
        }
    }
#pragma unroll
    for (int k = 0; k < BODIES; k++) {
        sums[warp][3 * k][lane] = t.ax[k];
        sums[warp][3 * k + 1][lane] = t.ay[k];
        sums[warp][3 * k + 2][lane] = t.az[k];
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 3 * OWN; k++) {
        const unsigned number = 3 * OWN * warp + k;
        float sum = sums[0][number][lane];
#pragma unroll
        for (int w = 1; w < SPLIT; w++)
            sum += sums[w][number][lane];
        slot_i[k / 3 * CHUNK + k % 3 * stride] = scale_i * sum;
    }
}

/* Adds the slots that a wave of distances has filled, in the order of the distances; one thread a
 * body and coordinate (blockIdx.y). */
__global__ void __launch_bounds__(ADD_THREADS)
    add_pairs_kernel(const float *__restrict__ slots, unsigned tile, unsigned tiles,
                     unsigned first_distance, unsigned distances, size_t stride, size_t count,
                     const unsigned *__restrict__ order, double *__restrict__ acceleration)
{
    size_t i = (size_t)blockIdx.x * ADD_THREADS + threadIdx.x;
    if (i >= count)
        return;
    bool lower = 2 * (i / tile) < tiles; /* the half of the tiles that acts as tile_i at distance
                                          * tiles / 2 */
    double *out = acceleration + 3 * (order ? order[i] : i) + blockIdx.y;
    double sum = first_distance == 0 ? 0 : *out;
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
    *out = sum;
}

/* The same for all distances at once, if there are few tiles: PARTS threads share a sum, each a
 * contiguous part of the distances. */
template <int PARTS>
__global__ void __launch_bounds__(ADD_THREADS)
    add_few_pairs_kernel(const float *__restrict__ slots, unsigned tile, unsigned tiles,
                         unsigned distances, size_t stride, size_t count,
                         const unsigned *__restrict__ order, double *__restrict__ acceleration)
{
    constexpr unsigned BODIES = ADD_THREADS / PARTS;
    __shared__ double sums[ADD_THREADS];
    unsigned body = threadIdx.x % BODIES, part = threadIdx.x / BODIES;
    size_t i = (size_t)blockIdx.x * BODIES + body;
    double sum = 0;
    await_last();
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
    let_next_begin(); /* late: blocks that wait among these would be spread unevenly */
    __syncthreads();
    if (part != 0 || i >= count)
        return;
    for (unsigned p = 1; p < PARTS; p++)
        sum += sums[p * BODIES + body];
    acceleration[3 * (order ? order[i] : i) + blockIdx.y] = sum;
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
                     struct force_tiles centred, double *__restrict__ out)
{
    __shared__ float4 tile[SOURCES];
    __shared__ float shift[3];
    size_t i = (size_t)blockIdx.x * SOURCES + threadIdx.x;
    float4 own = rows[i];
    double total = 0;
    for (size_t first = 0; first < count; first += SOURCES) {
        __syncthreads();
        tile[threadIdx.x] = rows[first + threadIdx.x];
        if (threadIdx.x < 3)
            shift[threadIdx.x] =
                centre_shift(centred, blockIdx.x, (unsigned)(first / SOURCES), threadIdx.x);
        __syncthreads();
        float4 body = moved(own, shift);
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
        out[centred.order ? centred.order[i] : i] = total;
}

/* ---- launchers ---- */

template <bool EQUAL>
static int launch_few(const struct force_cuda_plan *plan, const float4 *rows,
                      const float *tile_mass, unsigned first, unsigned distances, float softening2,
                      const struct force_tiles &centred, float *slots, cudaStream_t stream)
{
    return launch_early(few_pairs_kernel<EQUAL>, dim3(plan->tiles, distances), SPLIT * CHUNK,
                        stream, rows, tile_mass, plan->tiles, first, softening2, centred,
                        plan->stride, slots);
}

template <int WARPS, int BODIES, bool EQUAL>
static int launch_pairs(const struct force_cuda_plan *plan, const float4 *rows,
                        const float *tile_mass, unsigned first, unsigned distances,
                        float softening2, const struct force_tiles &centred, float *slots,
                        cudaStream_t stream)
{
    pairs_kernel<WARPS, BODIES, EQUAL><<<dim3(plan->tiles, distances), WARPS * CHUNK, 0, stream>>>(
        rows, tile_mass, plan->tiles, first, softening2, centred, plan->stride, slots);
    return cudaGetLastError();
}

/* Shapes as measured on sm_90: with different masses, fewer warps with more bodies each are
 * faster. */
static int launch_wave(const struct force_cuda_plan *plan, const float4 *rows,
                       const float *tile_mass, unsigned first, unsigned distances, float softening2,
                       const struct force_tiles &centred, float *slots, cudaStream_t stream)
{
    typedef int launcher(const struct force_cuda_plan *, const float4 *, const float *, unsigned,
                         unsigned, float, const struct force_tiles &, float *, cudaStream_t);
    launcher *equal, *mixed;
    if (plan->tile == 128) {
        equal = launch_few<true>;
        mixed = launch_few<false>;
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
    int error = cudaSuccess;
    if (plan->equal_tiles)
        error = equal(plan, rows, tile_mass, first, distances, softening2, centred, slots, stream);
    if (error == cudaSuccess && plan->mixed_tiles)
        error = mixed(plan, rows, tile_mass, first, distances, softening2, centred, slots, stream);
    return error;
}

static int accelerate_pairs(const struct force_cuda_plan *plan, const float4 *rows,
                            const float *tile_mass, float softening2,
                            const struct force_tiles &centred, float *slots, double *acceleration,
                            cudaStream_t stream)
{
    for (unsigned first = 0; first < plan->distances; first += plan->wave) {
        unsigned rest = plan->distances - first, distances = rest < plan->wave ? rest : plan->wave;
        int error = launch_wave(plan, rows, tile_mass, first, distances, softening2, centred, slots,
                                stream);
        if (error != cudaSuccess)
            return error;
        if (plan->whole)
            return launch_early(add_few_pairs_kernel<4>, add_grid(plan->count, 4), ADD_THREADS,
                                stream, (const float *)slots, plan->tile, plan->tiles, distances,
                                plan->stride, plan->count, centred.order, acceleration);
        add_pairs_kernel<<<add_grid(plan->count, 1), ADD_THREADS, 0, stream>>>(
            slots, plan->tile, plan->tiles, first, distances, plan->stride, plan->count,
            centred.order, acceleration);
        error = cudaGetLastError();
        if (error != cudaSuccess)
            return error;
    }
    return cudaSuccess;
}

extern "C" int force_cuda_accelerate(const struct force_cuda_plan *plan, const float *rows,
                                     const float *tile_mass, float softening,
                                     const struct force_tiles *centred, float *slots,
                                     double *acceleration, void *stream)
{
    const float4 *bodies = (const float4 *)rows;
    float softening2 = softening * softening;
    if (plan->scheme == FORCE_CUDA_SPLIT)
        return accelerate_split(plan, bodies, softening2, *centred, slots, acceleration,
                                (cudaStream_t)stream);
    return accelerate_pairs(plan, bodies, tile_mass, softening2, *centred, slots, acceleration,
                            (cudaStream_t)stream);
}

extern "C" int force_cuda_tile_masses(const struct force_cuda_plan *plan, const float *rows,
                                      float *tile_mass, void *stream)
{
    tile_mass_kernel<<<plan->tiles, CHUNK, 0, (cudaStream_t)stream>>>((const float4 *)rows,
                                                                      plan->tile, tile_mass);
    return cudaGetLastError();
}

extern "C" int force_cuda_potential(size_t count, const float *rows, float softening,
                                    const struct force_tiles *centred, double *out, void *stream)
{
    unsigned blocks = (unsigned)((count + SOURCES - 1) / SOURCES);
    potential_kernel<<<blocks, SOURCES, 0, (cudaStream_t)stream>>>(
        (const float4 *)rows, count, softening * softening, *centred, out);
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
