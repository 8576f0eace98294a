/* Interactions, and the addition of the slots. */
#include "kernels/tensor/tensor.h"
#include "kernels/interaction.cuh"
#include "kernels/tensor/space.cuh"

enum { STRIPS = UNIT / STRIP, ADDERS = 64, LIST = 2048, KEY_LEVELS = 13 };

/* A pair of tiles. Offsets times `scale`, and x y z, the vector from the centre of the sources to
 * that of the sinks, are in the unit of length; results of products times `by` are forces. */
struct tile_pair {
    float x, y, z, scale, beside; /* beside: D^2 */
    float sink_length, source_length, by_sinks, by_sources;
    float close2; /* squared distance below which bodies are near */
    bool far;
};

/* A block's shared memory for matrix units; it holds the tile of sources. */
template <int WARPS> struct far_memory {
    uint4 source[STRIPS * WARPS][LANES];
    uint2 weighted[STRIPS * WARPS][LANES];
    uint2 beside[UNIT * WARPS];   /* n of the sinks, in three halves */
    float mean[2][WARPS][WARPS];  /* weights of pairs of units of sinks and sources, 0: near;
                                   * double-buffered */
    float sum[UNIT * WARPS][8];   /* forces on the sources from this tile of sinks */
    float force[3][UNIT * WARPS]; /* forces on the sources from all tiles so far */
};

/* A block's shared memory for near units. */
template <int WARPS> struct near_memory {
    float4 source[WARPS][UNIT];
    float half[WARPS][UNIT], sum[WARPS][3][UNIT];
    unsigned list[LIST], before[WARPS], count;
};

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800

/* The smallest softened distance for matrix units, in units of length: w is then at most 8,000 of
 * 65,504, and the relative error of r^2 at most 2e-4. */
static const float NEARNESS = 0.05f;

/* The largest power of two that is at most the root of `square`. */
static __device__ __forceinline__ float power_within(float square)
{
    return __uint_as_float(__float_as_uint(sqrtf(square)) & 0x7f800000u);
}

/* Squared distance between two boxes; the same bits in both directions. */
static __device__ __forceinline__ float gap2(float x, float y, float z, const float *one,
                                             const float *other)
{
    x = fmaxf(fabsf(x) - (one[0] + other[0]), 0.f);
    y = fmaxf(fabsf(y) - (one[1] + other[1]), 0.f);
    z = fmaxf(fabsf(z) - (one[2] + other[2]), 0.f);
    return x * x + (y * y + z * z);
}

/* Whether two units are far enough apart for matrix units: the softened distance is at least the
 * root of close2, and no spline softening applies. */
static __device__ __forceinline__ bool apart(float gap2, const tensor_softening &one,
                                             const tensor_softening &other, float close2)
{
    return gap2 + (one.least + other.least) >= close2 &&
           gap2 >= fmaxf(one.support2, other.support2);
}

static __device__ __forceinline__ tile_pair meet(const tensor_tile &sinks,
                                                 const tensor_tile &sources)
{
    tile_pair p;
    p.x = (float)(sinks.centre[0] - sources.centre[0]);
    p.y = (float)(sinks.centre[1] - sources.centre[1]);
    p.z = (float)(sinks.centre[2] - sources.centre[2]);
    const float distance2 = p.x * p.x + (p.y * p.y + p.z * p.z);
    const float radii = sinks.radius + sources.radius;
    const float softening2 = sinks.soft.most + sources.soft.most;
    const float reach2 = fmaxf(fmaxf(distance2, radii * radii), softening2);
    p.close2 = NEARNESS * NEARNESS * reach2;
    p.far = !(sinks.heavy | sources.heavy) && apart(gap2(p.x, p.y, p.z, sinks.half, sources.half),
                                                    sinks.soft, sources.soft, p.close2);
    p.scale = 1 / power_within(reach2);
    p.x *= p.scale;
    p.y *= p.scale;
    p.z *= p.scale;
    p.beside = distance2 * p.scale * p.scale;
    p.sink_length = sinks.length * p.scale;
    p.source_length = sources.length * p.scale;
    p.by_sinks = sinks.mass * p.scale * p.scale;
    p.by_sources = sources.mass * p.scale * p.scale;
    return p;
}

/* Whether two units of these tiles are near, and so left to plain interactions. */
static __device__ __forceinline__ bool is_near(const tile_pair &p, const tensor_unit &one,
                                               const tensor_unit &other)
{
    const float x = (float)(one.centre[0] - other.centre[0]);
    const float y = (float)(one.centre[1] - other.centre[1]);
    const float z = (float)(one.centre[2] - other.centre[2]);
    return (one.heavy | other.heavy) ||
           !apart(gap2(x, y, z, one.half, other.half), one.soft, other.soft, p.close2);
}

/* The weight w of a pair of bodies at the medians of these units. The products contain only
 * differences from this weight. */
static __device__ __forceinline__ float mean_weight(const tile_pair &p, const tensor_unit &one,
                                                    const tensor_unit &other)
{
    const float x = (float)(one.origin[0] - other.origin[0]);
    const float y = (float)(one.origin[1] - other.origin[1]);
    const float z = (float)(one.origin[2] - other.origin[2]);
    const float square = softened(x, y, z, one.soft.most + other.soft.most);
    const float root = inverse_root(square * p.scale * p.scale);
    return root * (root * root);
}

/* A warp's sinks: one unit as left operands, its weights as right operands, and its sums. */
struct sinks {
    unsigned left[STRIPS][4], weighted[STRIPS][2];
    float sum[STRIPS][4];
};

static __device__ __forceinline__ float4 scaled(float4 row, float by)
{
    return make_float4(row.x * by, row.y * by, row.z * by, row.w);
}

/* The squared length of a row's offset, plus half of the squared softening. */
static __device__ __forceinline__ float square(float4 row, float by)
{
    return row.x * row.x + row.y * row.y + row.z * row.z + row.w * by * by;
}

/* Loads the sources of a unit in the unit of length of these tiles, and n of each source. */
static __device__ __forceinline__ void take_sources(uint4 (*source)[LANES],
                                                    uint2 (*weighted)[LANES],
                                                    const tensor_space &space, size_t first,
                                                    const tile_pair &p, unsigned lane)
{
    const __half length = __float2half_rn(p.sink_length * p.source_length);
    const unsigned all = two(length, length);
    const unsigned last =
        lane % 4 == 0 ? two(length, __float2half(1.f)) : two(__float2half(1.f), __float2half(1.f));
#pragma unroll
    for (int s = 0; s < STRIPS; s++) {
        const size_t at = (first / STRIP + s) * LANES + lane;
        const uint4 word = space.source[at];
        source[s][lane] = make_uint4(multiplied(word.x, all), multiplied(word.y, last),
                                     multiplied(word.z, all), multiplied(word.w, last));
        weighted[s][lane] = space.weighted[at];
    }
    __syncwarp();
#pragma unroll
    for (unsigned k = lane; k < UNIT; k += LANES) {
        const float4 y = scaled(space.offset[first + k], p.scale);
        const uint2 n = in_three(square(y, p.scale) - 2 * (p.x * y.x + p.y * y.y + p.z * y.z));
        unsigned *word = (unsigned *)&source[k / STRIP][k % 8 * 4] + k / 8 % 2 * 2 + 1;
        ((unsigned short *)word)[1] = (unsigned short)(n.x >> 16);
        word[4] = n.y;
    }
}

/* n of a sink. */
static __device__ __forceinline__ uint2 sink_beside(const tile_pair &p, float4 row)
{
    const float4 x = scaled(row, p.scale);
    return in_three(p.beside + (2 * (p.x * x.x + p.y * x.y + p.z * x.z) + square(x, p.scale)));
}

static __device__ __forceinline__ void take_sinks(sinks &own, const tensor_space &space,
                                                  size_t first, unsigned lane)
{
#pragma unroll
    for (int s = 0; s < STRIPS; s++) {
        const size_t at = (first / STRIP + s) * LANES + lane;
        const uint4 word = space.sink[at];
        const uint2 weighted = space.weighted[at];
        own.left[s][0] = word.x;
        own.left[s][1] = word.y;
        own.left[s][2] = word.z;
        own.left[s][3] = word.w;
        own.weighted[s][0] = weighted.x;
        own.weighted[s][1] = weighted.y;
#pragma unroll
        for (int k = 0; k < 4; k++)
            own.sum[s][k] = 0;
    }
}

/* Distributes n of the sinks, which two of every four lanes hold. */
static __device__ __forceinline__ void set_beside(sinks &own, const uint2 *beside, unsigned lane)
{
    const unsigned group = lane / 4, t = lane % 4;
#pragma unroll
    for (int s = 0; s < STRIPS; s++) {
        const unsigned *n = (const unsigned *)(beside + STRIP * s + group) + t % 2;
        own.left[s][2] = t < 2 ? own.left[s][2] : n[0];
        own.left[s][3] = t < 2 ? own.left[s][3] : n[16];
    }
}

static __device__ __forceinline__ float weight_of(float square, float less)
{
    const float root = inverse_root(square);
    return fmaf(root, root * root, -less);
}

/* The pulls between the warp's sinks and 16 sources; sum: the forces on the sources. */
static __device__ __forceinline__ void pull(sinks &own, uint4 source, uint2 weights, float less,
                                            float *sum)
{
    const float zero[4] = {0, 0, 0, 0};
    const unsigned right[2][2] = {{source.x, source.y}, {source.z, source.w}};
    const unsigned weighted[2] = {weights.x, weights.y};
#pragma unroll
    for (int s = 0; s < STRIPS; s++) {
        float w[8];
        product(w, own.left[s], right[0], zero);
        product(w + 4, own.left[s], right[1], zero);
        unsigned pair[4];
#pragma unroll
        for (int k = 0; k < 4; k++)
            pair[k] = rounded(weight_of(w[2 * k], less), weight_of(w[2 * k + 1], less));
        product(own.sum[s], pair, weighted, own.sum[s]);
        const unsigned across[4] = {transposed(pair[0]), transposed(pair[2]), transposed(pair[1]),
                                    transposed(pair[3])};
        product(sum, across, own.weighted[s], sum);
    }
}

/* The element of a product's result that holds this lane's two columns. */
static __device__ __forceinline__ float2 *cell(float (*sum)[8], unsigned row, unsigned lane)
{
    return (float2 *)&sum[row + lane / 4][2 * (lane % 4)];
}

static __device__ __forceinline__ void add(float2 *to, float x, float y)
{
    *to = make_float2(to->x + x, to->y + y);
}

/* The sum of a tile's moments; each lane supplies the weight of its unit. */
template <int WARPS>
static __device__ __forceinline__ float4 weighted_moments(const float4 *moment, float mean,
                                                          unsigned lane)
{
    float4 sum = {0, 0, 0, 0};
    if (lane < WARPS) {
        sum = moment[lane];
        sum = make_float4(mean * sum.x, mean * sum.y, mean * sum.z, mean * sum.w);
    }
#pragma unroll
    for (int step = WARPS / 2; step > 0; step /= 2) {
        sum.x += __shfl_xor_sync(0xffffffffu, sum.x, step);
        sum.y += __shfl_xor_sync(0xffffffffu, sum.y, step);
        sum.z += __shfl_xor_sync(0xffffffffu, sum.z, step);
        sum.w += __shfl_xor_sync(0xffffffffu, sum.w, step);
    }
    return make_float4(__shfl_sync(0xffffffffu, sum.x, 0), __shfl_sync(0xffffffffu, sum.y, 0),
                       __shfl_sync(0xffffffffu, sum.z, 0), __shfl_sync(0xffffffffu, sum.w, 0));
}

/* The force on a body at this offset: from the eight columns of the products, and from the moments
 * with the mean weights. */
static __device__ __forceinline__ float3 force_of(const float *column, float4 moment, float x,
                                                  float y, float z, float length, float by,
                                                  const tile_pair &p)
{
    const float4 high = *(const float4 *)column, low = *(const float4 *)(column + 4);
    const float mass = high.w + low.w, mean = p.scale * p.scale;
    return make_float3(
        by * (length * (high.x + low.x) - x * mass) + mean * (moment.x * p.scale - x * moment.w),
        by * (length * (high.y + low.y) - y * mass) + mean * (moment.y * p.scale - y * moment.w),
        by * (length * (high.z + low.z) - z * mass) + mean * (moment.z * p.scale - z * moment.w));
}

/* Whether warp `sink` of a tile handles the pair with the unit `phase` further on, so that only one
 * of the two warps does. */
static __device__ __forceinline__ bool has_pair(unsigned sink, unsigned source, unsigned phase,
                                                unsigned warps)
{
    return phase > 0 && (2 * phase < warps || (2 * phase == warps && sink < source));
}

/* A tile of sinks against the tile of sources in shared memory, on matrix units. In each phase
 * every warp has different sources, and a barrier ends the phase, so that sums have a fixed
 * order. */
template <int WARPS>
static __device__ void pull_tile(far_memory<WARPS> &shared, const tensor_space &space,
                                 unsigned tile_i, unsigned tile_j, unsigned turn, size_t stride,
                                 float *slot)
{
    constexpr unsigned TILE = UNIT * WARPS;
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, unit = UNIT * warp;
    const size_t first_i = (size_t)tile_i * TILE + unit, first_j = (size_t)tile_j * TILE + unit;
    sinks own;
    take_sinks(own, space, first_i, lane);
    const tile_pair p = meet(space.tile[tile_i], space.tile[tile_j]);
    const bool whole = p.far && tile_i != tile_j;
    take_sources(shared.source + STRIPS * warp, shared.weighted + STRIPS * warp, space, first_j, p,
                 lane);
#pragma unroll
    for (unsigned k = lane; k < UNIT; k += LANES) {
        shared.beside[unit + k] = sink_beside(p, space.offset[first_i + k]);
        *(float4 *)shared.sum[unit + k] = make_float4(0, 0, 0, 0);
        *(float4 *)(shared.sum[unit + k] + 4) = make_float4(0, 0, 0, 0);
    }
    float mean = 0;
    if (lane < WARPS) {
        const tensor_unit &one = space.unit[tile_i * WARPS + warp];
        const tensor_unit &other = space.unit[tile_j * WARPS + lane];
        const bool pair =
            tile_i != tile_j || has_pair(warp, lane, (lane + WARPS - warp) % WARPS, WARPS);
        if (whole || (pair && !is_near(p, one, other)))
            mean = mean_weight(p, one, other);
        shared.mean[turn][warp][lane] = mean;
    }
    __syncwarp();
    set_beside(own, shared.beside + unit, lane);
    __syncthreads();

#pragma unroll 1
    for (unsigned phase = 0; phase < WARPS; phase++) {
        const unsigned j = (warp + phase) % WARPS;
        const float less = __shfl_sync(0xffffffffu, mean, j);
        if (less > 0) {
#pragma unroll 1
            for (unsigned s = STRIPS * j; s < STRIPS * (j + 1); s += 2) {
                float sum[2][4] = {};
#pragma unroll
                for (int k = 0; k < 2; k++)
                    pull(own, shared.source[s + k][lane], shared.weighted[s + k][lane], less,
                         sum[k]);
#pragma unroll
                for (int k = 0; k < 2; k++) {
                    add(cell(shared.sum, STRIP * (s + k), lane), sum[k][0], sum[k][1]);
                    add(cell(shared.sum, STRIP * (s + k) + 8, lane), sum[k][2], sum[k][3]);
                }
            }
        }
        __syncthreads();
    }

    /* The sources of this warp's unit are no longer needed; the sinks' sums take their place. */
    float(*sum)[8] = (float(*)[8])shared.source[STRIPS * warp];
#pragma unroll
    for (int s = 0; s < STRIPS; s++) {
        *cell(sum, STRIP * s, lane) = make_float2(own.sum[s][0], own.sum[s][1]);
        *cell(sum, STRIP * s + 8, lane) = make_float2(own.sum[s][2], own.sum[s][3]);
    }
    __syncwarp();
    const float4 of_sources = weighted_moments<WARPS>(space.moment + tile_j * WARPS, mean, lane);
    const float4 of_sinks = weighted_moments<WARPS>(
        space.moment + tile_i * WARPS, lane < WARPS ? shared.mean[turn][lane][warp] : 0, lane);
#pragma unroll
    for (unsigned k = lane; k < UNIT; k += LANES) {
        const float4 x = scaled(space.offset[first_i + k], p.scale);
        const float3 on = force_of(sum[k], of_sources, p.x + x.x, p.y + x.y, p.z + x.z,
                                   p.source_length, p.by_sources, p);
        slot[first_i + k] = on.x;
        slot[first_i + k + stride] = on.y;
        slot[first_i + k + 2 * stride] = on.z;
        const float4 y = scaled(space.offset[first_j + k], p.scale);
        const float3 back = force_of(shared.sum[unit + k], of_sinks, y.x - p.x, y.y - p.y,
                                     y.z - p.z, p.sink_length, p.by_sinks, p);
        shared.force[0][unit + k] += back.x;
        shared.force[1][unit + k] += back.y;
        shared.force[2][unit + k] += back.z;
    }
    __syncwarp();
}

/* A tile of sources against the tiles of sinks at a group of distances. */
template <int WARPS>
static __device__ void pull_far(far_memory<WARPS> &shared, const tensor_space &space,
                                unsigned tiles, unsigned tile_j, unsigned first, unsigned begin,
                                unsigned end, unsigned group_slot, size_t stride)
{
    const unsigned own = threadIdx.x / LANES * UNIT + threadIdx.x % LANES;
#pragma unroll
    for (int c = 0; c < 3; c++)
        shared.force[c][own] = shared.force[c][own + LANES] = 0;
#pragma unroll 1
    for (unsigned d = begin; d < end; d++) {
        const unsigned distance = first + d;
        const unsigned tile_i = tile_j >= distance ? tile_j - distance : tile_j + tiles - distance;
        if (2 * distance == tiles && tile_i >= distance)
            continue; /* handled by tile_j, with this tile as its sources */
        pull_tile<WARPS>(shared, space, tile_i, tile_j, d % 2, stride,
                         space.slots + (size_t)d * 3 * stride);
    }
    float *slot = space.slots + (size_t)group_slot * 3 * stride + (size_t)tile_j * UNIT * WARPS;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        slot[c * stride + own] = shared.force[c][own];
        slot[c * stride + own + LANES] = shared.force[c][own + LANES];
    }
}

/* Appends to the list the units of this thread's tile that are near the sinks', in the order of the
 * bits and of the threads. */
template <int WARPS>
static __device__ void append(near_memory<WARPS> &shared, unsigned tile, unsigned bits)
{
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES;
    unsigned at = __popc(bits);
    const unsigned own = at;
#pragma unroll
    for (int step = 1; step < LANES; step *= 2) {
        const unsigned other = __shfl_up_sync(0xffffffffu, at, step);
        at += lane >= step ? other : 0;
    }
    if (lane == LANES - 1)
        shared.before[warp] = at;
    __syncthreads();
    at -= own;
    unsigned all = 0;
    for (unsigned w = 0; w < WARPS; w++) {
        at += w < warp ? shared.before[w] : 0;
        all += shared.before[w];
    }
    if (threadIdx.x == 0)
        shared.count = all;
    for (; bits; bits &= bits - 1)
        shared.list[at++] = tile * WARPS + (unsigned)__ffs((int)bits) - 1;
    __syncthreads();
}

struct quick_root {
    static __device__ __forceinline__ float inverse(float x)
    {
        return inverse_root(x);
    }
};

/* The weight of a pair with this squared distance and these halves of softening. */
template <bool SPLINE>
static __device__ __forceinline__ float weigh(float dx, float dy, float dz, float one, float other)
{
    const float square = softened(dx, dy, dz, SPLINE ? 0 : one + other);
    const float root = inverse_root(square), point = root * (root * root);
    const float support2 = SPLINE ? (float)SPLINE_SUPPORT2 * fmaxf(one, other) : 0;
    return SPLINE && square < support2 ? spline_pull<quick_root>(square, support2, point) : point;
}

/* The sinks of a unit, two per lane, against a listed unit, whose rows the warp has moved to the
 * sinks' origin. */
template <bool SPLINE>
static __device__ __forceinline__ void pull_unit(const float4 *source, const float *source_half,
                                                 const float4 *sink, const float *sink_half,
                                                 float (*sum)[3])
{
    float part[2][3] = {};
#pragma unroll 8
    for (int j = 0; j < UNIT; j++) {
        const float4 b = source[j];
#pragma unroll
        for (int k = 0; k < 2; k++) {
            const float dx = b.x - sink[k].x, dy = b.y - sink[k].y, dz = b.z - sink[k].z;
            const float by = b.w * weigh<SPLINE>(dx, dy, dz, sink_half[k], source_half[j]);
            part[k][0] = fmaf(by, dx, part[k][0]);
            part[k][1] = fmaf(by, dy, part[k][1]);
            part[k][2] = fmaf(by, dz, part[k][2]);
        }
    }
#pragma unroll
    for (int k = 0; k < 2; k++)
#pragma unroll
        for (int c = 0; c < 3; c++)
            sum[k][c] += part[k][c];
}

/* Sums all units near the sinks of a unit, in a unit of length of their own. */
template <int WARPS>
static __device__ void pull_near(near_memory<WARPS> &shared, const tensor_space &space,
                                 unsigned tiles, unsigned unit, bool spline, size_t stride,
                                 float *slot)
{
    constexpr unsigned THREADS = LANES * WARPS;
    static_assert(LIST >= THREADS * WARPS, "all units of a round of tiles");
    const unsigned lane = threadIdx.x % LANES, warp = threadIdx.x / LANES, own = unit / WARPS;
    const tensor_unit sinks = space.unit[unit];
    const float radius = space.tile[own].radius;
    const tensor_softening soft = space.tile[own].soft;
    const float soft2 = fmaxf(2 * soft.most, soft.support2);
    const float scale = 1 / power_within(fmaxf(radius * radius, soft2)), scale2 = scale * scale;
    const size_t row = (size_t)unit * UNIT + lane;
    const float4 sink[2] = {scaled(space.beside[row], scale),
                            scaled(space.beside[row + LANES], scale)};
    const float half[2] = {space.half[row] * scale2, space.half[row + LANES] * scale2};
    float sum[2][3] = {};
    for (unsigned first = 0; first < tiles; first += THREADS) {
        const unsigned tile = first + threadIdx.x;
        unsigned bits = 0;
        if (tile < tiles) {
            const tile_pair p = meet(space.tile[own], space.tile[tile]);
            if (tile == own || !p.far)
                for (unsigned u = 0; u < WARPS; u++)
                    bits |= (unsigned)(tile * WARPS + u == unit ||
                                       is_near(p, sinks, space.unit[tile * WARPS + u]))
                            << u;
        }
        append<WARPS>(shared, tile, bits);
        for (unsigned l = warp; l < shared.count; l += WARPS) {
            const unsigned from = shared.list[l];
            const tensor_unit sources = space.unit[from];
            const float x = (float)(sources.origin[0] - sinks.origin[0]);
            const float y = (float)(sources.origin[1] - sinks.origin[1]);
            const float z = (float)(sources.origin[2] - sinks.origin[2]);
#pragma unroll
            for (unsigned k = lane; k < UNIT; k += LANES) {
                const float4 b = space.beside[(size_t)from * UNIT + k];
                shared.source[warp][k] = scaled(make_float4(b.x + x, b.y + y, b.z + z, b.w), scale);
                shared.half[warp][k] = space.half[(size_t)from * UNIT + k] * scale2;
            }
            __syncwarp();
            if (spline)
                pull_unit<true>(shared.source[warp], shared.half[warp], sink, half, sum);
            else
                pull_unit<false>(shared.source[warp], shared.half[warp], sink, half, sum);
            __syncwarp();
        }
        __syncthreads();
    }
#pragma unroll
    for (int k = 0; k < 2; k++)
#pragma unroll
        for (int c = 0; c < 3; c++)
            shared.sum[warp][c][k * LANES + lane] = sum[k][c];
    __syncthreads();
    for (unsigned k = threadIdx.x; k < 3 * UNIT; k += THREADS) {
        float all = 0;
        for (unsigned w = 0; w < WARPS; w++)
            all += shared.sum[w][k / UNIT][k % UNIT];
        slot[k / UNIT * stride + (size_t)unit * UNIT + k % UNIT] = all * scale * scale;
    }
}

#endif

/* The first blocks each handle one unit and everything near it, the others a tile of sources and a
 * group of distances. Interleaving the two kinds takes a tenth longer at 65,536 bodies. */
template <int WARPS>
__global__ void __launch_bounds__(LANES *WARPS, 16 / WARPS)
    pull_kernel(tensor_space space, unsigned tiles, unsigned near_units, unsigned first,
                unsigned wave, const __grid_constant__ tensor_cuda_groups groups, bool spline,
                size_t stride)
{
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
    extern __shared__ __align__(16) char memory[];
    if (blockIdx.x < near_units) {
        pull_near<WARPS>(*(near_memory<WARPS> *)memory, space, tiles, blockIdx.x, spline, stride,
                         space.slots + (size_t)(wave + groups.count) * 3 * stride);
        return;
    }
    const unsigned block = blockIdx.x - near_units, group = block / tiles;
    pull_far<WARPS>(*(far_memory<WARPS> *)memory, space, tiles, block % tiles, first,
                    groups.begin[group], groups.begin[group + 1], wave + group, stride);
#endif
}

/* Adds a wave's slots: first those of sinks in the order of distances, then those of sources in the
 * order of groups, then the near units. One thread per row and coordinate (blockIdx.y). */
__global__ void __launch_bounds__(ADDERS)
    add_kernel(tensor_space space, size_t bodies, unsigned tile, unsigned tiles, unsigned first,
               unsigned wave, unsigned groups, size_t stride, double *__restrict__ acceleration)
{
    const size_t i = (size_t)blockIdx.x * ADDERS + threadIdx.x;
    if (i >= bodies)
        return;
    const bool lower = 2 * (i / tile) < tiles; /* handles the pair at distance tiles / 2 as sinks */
    double *out = acceleration + 3 * (size_t)space.curve.body[1][i] + blockIdx.y;
    const float *slot = space.slots + blockIdx.y * stride + i;
    double sum = first == 0 ? 0 : *out;
    /* at distance tiles / 2, the last, half of the tiles have no slot as sinks */
    const unsigned met = 2 * (first + wave - 1) == tiles && !lower ? wave - 1 : wave;
#pragma unroll 8
    for (unsigned d = 0; d < met; d++)
        sum += slot[d * 3 * stride];
    slot += wave * 3 * stride;
#pragma unroll 8
    for (unsigned g = 0; g < groups; g++)
        sum += slot[g * 3 * stride];
    if (first == 0)
        sum += slot[groups * 3 * stride];
    *out = sum;
}

extern "C" int tensor_cuda_runs(int device)
{
    int major;
    const cudaError_t error =
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    return error != cudaSuccess ? error : major >= 8 ? cudaSuccess : cudaErrorNotSupported;
}

extern "C" int tensor_cuda_plan(size_t bodies, struct tensor_cuda_plan *plan)
{
    tensor_plan_tiles(bodies, plan);
    const cudaError_t error = hilbert_cuda_scratch(bodies, &plan->sort_bytes);
    (void)tensor_space_of(plan, NULL, &plan->bytes);
    return error;
}

template <int WARPS>
static int pull_all(const struct tensor_cuda_plan *plan, const struct tensor_space &space,
                    bool spline, double *acceleration, cudaStream_t stream)
{
    const size_t bytes = sizeof(far_memory<WARPS>) > sizeof(near_memory<WARPS>)
                             ? sizeof(far_memory<WARPS>)
                             : sizeof(near_memory<WARPS>);
    cudaError_t error = cudaFuncSetAttribute(
        pull_kernel<WARPS>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
    for (unsigned first = 0; error == cudaSuccess && first < plan->distances; first += plan->wave) {
        const unsigned rest = plan->distances - first;
        const unsigned wave = rest < plan->wave ? rest : plan->wave;
        const unsigned near_units = first == 0 ? (unsigned)(plan->rows / UNIT) : 0;
        struct tensor_cuda_groups groups;
        tensor_plan_groups(wave, &groups);
        pull_kernel<WARPS>
            <<<near_units + groups.count * plan->tiles, LANES * WARPS, bytes, stream>>>(
                space, plan->tiles, near_units, first, wave, groups, spline, plan->rows);
        add_kernel<<<dim3((unsigned)((plan->bodies + ADDERS - 1) / ADDERS), 3), ADDERS, 0,
                     stream>>>(space, plan->bodies, UNIT * WARPS, plan->tiles, first, wave,
                               groups.count, plan->rows, acceleration);
        error = cudaGetLastError();
    }
    return error;
}

extern "C" int tensor_cuda_prepare(const struct tensor_cuda_plan *plan, const double *rows,
                                   double heavy, void *work, void *stream)
{
    size_t bytes;
    const struct tensor_space space = tensor_space_of(plan, work, &bytes);
    return tensor_cuda_weigh(plan, &space, rows, heavy, (cudaStream_t)stream);
}

extern "C" int tensor_cuda_accelerate(const struct tensor_cuda_plan *plan, const double *rows,
                                      double softening, const double *halves, bool spline,
                                      void *work, double *acceleration, void *on)
{
    size_t bytes;
    cudaStream_t stream = (cudaStream_t)on;
    const struct tensor_space space = tensor_space_of(plan, work, &bytes);
    int error = hilbert_cuda_sort(plan->bodies, rows, 4, NULL, KEY_LEVELS, &space.curve, stream);
    if (error == cudaSuccess)
        error =
            tensor_cuda_rows(plan, &space, rows, softening * softening / 2, halves, spline, stream);
    if (error != cudaSuccess)
        return error;
    return plan->warps == 4 ? pull_all<4>(plan, space, spline, acceleration, stream)
                            : pull_all<8>(plan, space, spline, acceleration, stream);
}
