/* Boxes of tiles and units, and the bodies as operands of products. */
#include "kernels/spline.h"
#include "kernels/tensor/space.cuh"

#include <type_traits>

enum { HEAVY_THREADS = 1024 };

/* The smallest power of two that is at least x; 1e-30 for 0. */
static __device__ __forceinline__ float power_above(float x)
{
    int exponent;
    (void)frexpf(fmaxf(x, 1e-30f), &exponent);
    return ldexpf(1.f, exponent);
}

/* Half of a side; rounded so that it is never too short. */
static __device__ __forceinline__ float half_side(double low, double high)
{
    return __double2float_ru((high - low) / 2);
}

/* Reduces over the lanes of a warp; all of them get the result. */
template <class NUMBER, class BETTER>
static __device__ __forceinline__ NUMBER over_lanes(NUMBER own, BETTER better)
{
#pragma unroll
    for (int step = LANES / 2; step > 0; step /= 2)
        own = better(own, __shfl_xor_sync(0xffffffffu, own, step));
    return own;
}

static __device__ __forceinline__ void split(float x, __half *high, __half *low)
{
    *high = __float2half_rn(x);
    *low = __float2half_rn(x - __half2float(*high));
}

/* Finds the mass above which a body is heavy. Launched as a single block. */
__global__ void __launch_bounds__(HEAVY_THREADS)
    heavy_kernel(size_t bodies, const double *__restrict__ rows, double part, float *heavy)
{
    __shared__ double sum[HEAVY_THREADS];
    double own = 0;
    for (size_t i = threadIdx.x; i < bodies; i += HEAVY_THREADS)
        own += fabs(rows[4 * i + 3]);
    sum[threadIdx.x] = own;
    for (int step = HEAVY_THREADS / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            sum[threadIdx.x] += sum[threadIdx.x + step];
    }
    if (threadIdx.x == 0)
        *heavy = (float)(part * sum[0]);
}

/* Whether this is the value of rank UNIT / 2 in its unit. */
static __device__ __forceinline__ bool is_median(const double *unit, unsigned own)
{
    unsigned below = 0;
#pragma unroll 8
    for (unsigned i = 0; i < UNIT; i++)
        below += unit[i] < unit[own] || (unit[i] == unit[own] && i < own);
    return below == UNIT / 2;
}

static __device__ tensor_softening softening_over(const float *least, const float *most, int count,
                                                  bool spline)
{
    float low = least[0], high = most[0];
    for (int k = 1; k < count; k++) {
        low = fminf(low, least[k]);
        high = fmaxf(high, most[k]);
    }
    if (spline)
        return {0, 0, (float)SPLINE_SUPPORT2 * high};
    return {low, high, 0};
}

/* One block per tile, one thread per row. First the extents of each gang of 32 rows are found by
 * shuffles; from these follow, for the tile and its units (64 rows, two gangs), box, origin (the
 * median body of the unit), softenings and moments. Then each thread writes its row: offsets from
 * the tile's centre and the unit's origin, and its columns of the three products, in halves. Rows
 * after the last body repeat it, without mass. */
template <int WARPS>
__global__ void __launch_bounds__(UNIT *WARPS)
    rows_kernel(size_t bodies, const double *__restrict__ rows, double same,
                const double *__restrict__ halves, bool spline, struct tensor_space space)
{
    constexpr int TILE = UNIT * WARPS, GANGS = TILE / LANES;
    __shared__ double lows[3][GANGS], highs[3][GANGS];
    __shared__ float masses[GANGS], softest[GANGS], hardest[GANGS];
    __shared__ double places[3][TILE], origins[3][WARPS];
    const size_t k = (size_t)blockIdx.x * TILE + threadIdx.x;
    const unsigned gang = threadIdx.x / LANES, lane = threadIdx.x % LANES;
    const size_t body = space.curve.body[1][k < bodies ? k : bodies - 1];
    const double *row = rows + 4 * body;
    const float mass = k < bodies ? (float)row[3] : 0, soft = (float)(halves ? halves[body] : same);
    const auto less = [](auto a, auto b) { return b < a ? b : a; };
    const auto more = [](auto a, auto b) { return b > a ? b : a; };
    double at[3];
#pragma unroll
    for (int c = 0; c < 3; c++) {
        at[c] = places[c][threadIdx.x] = row[c];
        double low = over_lanes(at[c], less), high = over_lanes(at[c], more);
        if (lane == 0) {
            lows[c][gang] = low;
            highs[c][gang] = high;
        }
    }
    const float heaviest = over_lanes(fabsf(mass), more);
    const float least = over_lanes(soft, less), most = over_lanes(soft, more);
    if (lane == 0) {
        masses[gang] = heaviest;
        hardest[gang] = least;
        softest[gang] = most;
    }
    __syncthreads();

    tensor_tile tile;
    float square = 0, largest = 0, half[3], offset[3];
    double centre[3];
    tensor_unit unit;
#pragma unroll
    for (int c = 0; c < 3; c++) {
        double low = lows[c][0], high = highs[c][0];
        for (int g = 1; g < GANGS; g++) {
            low = less(low, lows[c][g]);
            high = more(high, highs[c][g]);
        }
        centre[c] = low + (high - low) / 2;
        half[c] = half_side(low, high);
        square += half[c] * half[c];
        offset[c] = (float)(at[c] - centre[c]);
        const unsigned first = gang & ~1u;
        low = less(lows[c][first], lows[c][first + 1]);
        high = more(highs[c][first], highs[c][first + 1]);
        unit.centre[c] = low + (high - low) / 2;
        unit.half[c] = half_side(low, high);
        const unsigned begin = threadIdx.x / UNIT * UNIT;
        if (is_median(&places[c][begin], threadIdx.x - begin))
            origins[c][threadIdx.x / UNIT] = at[c];
    }
    tile.soft = softening_over(hardest, softest, GANGS, spline);
    unit.soft = softening_over(hardest + (gang & ~1u), softest + (gang & ~1u), 2, spline);
    for (int g = 0; g < GANGS; g++)
        largest = more(largest, masses[g]);
    tile.heavy = largest > *space.heavy;
    const float radius = sqrtf(square) * (1 + 1e-6f);
    const float length = power_above(radius), unit_mass = power_above(largest);
    const auto plus = [](auto a, auto b) { return a + b; };
    __shared__ double moments[4][GANGS];
#pragma unroll
    for (int c = 0; c < 4; c++) {
        const double moment = over_lanes((double)mass * (c < 3 ? offset[c] : 1.f), plus);
        if (lane == 0)
            moments[c][gang] = moment;
    }
    __syncthreads();
    float beside[3];
#pragma unroll
    for (int c = 0; c < 3; c++) {
        unit.origin[c] = origins[c][threadIdx.x / UNIT];
        beside[c] = (float)(at[c] - unit.origin[c]);
    }
    space.beside[k] = make_float4(beside[0], beside[1], beside[2], mass);
    if (threadIdx.x == 0) {
#pragma unroll
        for (int c = 0; c < 3; c++) {
            tile.centre[c] = centre[c];
            tile.half[c] = half[c];
        }
        tile.radius = radius;
        tile.length = length;
        tile.mass = unit_mass;
        space.tile[blockIdx.x] = tile;
    }
    if (threadIdx.x % UNIT == 0) {
        unit.heavy = fmaxf(masses[gang], masses[gang + 1]) > *space.heavy;
        space.unit[k / UNIT] = unit;
        float4 moment;
        moment.x = (float)(moments[0][gang] + moments[0][gang + 1]);
        moment.y = (float)(moments[1][gang] + moments[1][gang + 1]);
        moment.z = (float)(moments[2][gang] + moments[2][gang + 1]);
        moment.w = (float)(moments[3][gang] + moments[3][gang + 1]);
        space.moment[k / UNIT] = moment;
    }
    space.offset[k] = make_float4(offset[0], offset[1], offset[2], spline ? 0 : soft);
    space.half[k] = soft;

    /* Columns of the products, see space.cuh. */
    __half xh[3], xl[3], yh[3], yl[3], wh[4], wl[4];
#pragma unroll
    for (int c = 0; c < 3; c++) {
        const float x = offset[c] / length;
        split(x, &xh[c], &xl[c]);
        split(-2 * x, &yh[c], &yl[c]);
        split(mass / unit_mass * x, &wh[c], &wl[c]);
    }
    split(mass / unit_mass, &wh[3], &wl[3]);
    const __half one = __float2half(1.f), none = __float2half(0.f);
    const unsigned sink[8] = {two(xh[0], xh[1]), two(xh[2], xh[0]), two(xh[1], xh[2]),
                              two(xl[0], xl[1]), two(xl[2], one),   two(one, one),
                              two(none, none),   two(none, none)};
    const unsigned source[8] = {two(yh[0], yh[1]), two(yh[2], yl[0]), two(yl[1], yl[2]),
                                two(yh[0], yh[1]), two(yh[2], none),  two(none, none),
                                two(none, one),    two(one, one)};
    const size_t strip = k / STRIP;
    const unsigned r = k % STRIP, group = r % 8, second = r / 8;
    unsigned *left = (unsigned *)(space.sink + strip * LANES);
    unsigned *right = (unsigned *)(space.source + strip * LANES);
#pragma unroll
    for (int t = 0; t < 4; t++)
#pragma unroll
        for (int deep = 0; deep < 2; deep++) {
            left[4 * (4 * group + t) + 2 * deep + second] = sink[4 * deep + t];
            right[4 * (4 * group + t) + 2 * second + deep] = source[4 * deep + t];
        }
    /* Rows of the strip are the inner dimension of this product: lane 4 n + t holds rows 2 t, 2 t +
     * 1 and the same plus 8 of column n. */
    __half *weighted = (__half *)(space.weighted + strip * LANES);
#pragma unroll
    for (int n = 0; n < 8; n++)
        weighted[4 * (4 * n + group / 2) + 2 * second + group % 2] = n < 4 ? wh[n] : wl[n - 4];
}

int tensor_cuda_rows(const struct tensor_cuda_plan *plan, const struct tensor_space *space,
                     const double *rows, double half, const double *halves, bool spline,
                     cudaStream_t stream)
{
    const auto kernel = plan->warps == 4 ? rows_kernel<4> : rows_kernel<8>;
    kernel<<<plan->tiles, plan->warps * UNIT, 0, stream>>>(plan->bodies, rows, half, halves, spline,
                                                           *space);
    return cudaGetLastError();
}

int tensor_cuda_weigh(const struct tensor_cuda_plan *plan, const struct tensor_space *space,
                      const double *rows, double part, cudaStream_t stream)
{
    heavy_kernel<<<1, HEAVY_THREADS, 0, stream>>>(plan->bodies, rows, part, space->heavy);
    return cudaGetLastError();
}

struct tensor_space tensor_space_of(const struct tensor_cuda_plan *plan, const void *work,
                                    size_t *bytes)
{
    struct tensor_space space = {};
    const size_t rows = plan->rows, fragments = rows / STRIP * LANES;
    size_t end = 0;
    auto take = [&](auto **pointer, size_t size) {
        end = (end + 255) / 256 * 256;
        *pointer = (std::remove_reference_t<decltype(**pointer)> *)((char *)work + end);
        end += size;
    };
    hilbert_take(&space.curve, plan->bodies, plan->sort_bytes, take);
    take(&space.tile, plan->tiles * sizeof *space.tile);
    take(&space.unit, rows / UNIT * sizeof *space.unit);
    take(&space.sink, fragments * sizeof *space.sink);
    take(&space.source, fragments * sizeof *space.source);
    take(&space.weighted, fragments * sizeof *space.weighted);
    take(&space.offset, rows * sizeof *space.offset);
    take(&space.beside, rows * sizeof *space.beside);
    take(&space.half, rows * sizeof *space.half);
    take(&space.moment, rows / UNIT * sizeof *space.moment);
    take(&space.heavy, sizeof *space.heavy);
    take(&space.slots, plan->slot_bytes);
    *bytes = end;
    return space;
}
