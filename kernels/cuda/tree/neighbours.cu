/* Sorting, boxes, search. */
#include "kernels/cuda/tree/neighbours.h"
#include "kernels/cuda/tree/curve.cuh"
#include "kernels/cuda/tree/space.cuh"

#include <float.h>
#include <math.h>
#include <type_traits>

enum {
    HEIGHTS = 7, /* of boxes: 32^7 > 2^31 */
    AHEAD = 4,   /* chunks on either side that are looked into first */
    SEEKERS = 2, /* warps of a block that searches */
};

/* Beyond the distance found last, of where neighbours are looked for first: few have moved so far
 * since. Where there are fewer than k, it is twice as far in the next turn, and anywhere in the
 * last one. */
static const double AGAIN = 1.25;
enum { TURNS = 3 };

static const double REACH = 8; /* of keys, in terms of how far nine bodies of ten are away */

struct near_box {
    double low[3], high[3];
};

struct near_frame {
    double centre[3], scale;
};

struct near_boxes {
    int heights;
    unsigned count[HEIGHTS];
    near_box *box[HEIGHTS]; /* around WARP bodies, then around WARP boxes */
};

struct near_space {
    near_frame *frame;
    unsigned long long *key[2]; /* [bodies] */
    unsigned *body[2];          /* [bodies]; [1]: which of them is at a place of the order */
    float *last;                /* [bodies]: the distances that were found last; 0: none were */
    double (*at)[3];            /* [bodies] in that order */
    near_boxes boxes;
    void *scratch;
};

static struct near_space near_space_of(const struct neighbours_cuda_plan *plan, const void *work,
                                       size_t *bytes)
{
    struct near_space space = {};
    const size_t n = plan->bodies;
    size_t end = 0;
    auto take = [&](auto **pointer, size_t size) {
        end = (end + 255) / 256 * 256;
        *pointer = (std::remove_reference_t<decltype(**pointer)> *)((char *)work + end);
        end += size;
    };
    take(&space.frame, sizeof *space.frame);
    for (int k = 0; k < 2; k++) {
        take(&space.key[k], n * sizeof *space.key[k]);
        take(&space.body[k], n * sizeof *space.body[k]);
    }
    take(&space.last, n * sizeof *space.last);
    take(&space.at, n * sizeof *space.at);
    for (size_t boxes = n; boxes > 1 || space.boxes.heights == 0;) {
        boxes = (boxes + WARP - 1) / WARP;
        space.boxes.count[space.boxes.heights] = (unsigned)boxes;
        take(&space.boxes.box[space.boxes.heights++], boxes * sizeof(near_box));
    }
    char *rest = NULL;
    take(&rest, plan->sort_bytes);
    space.scratch = rest;
    *bytes = end;
    return space;
}

__global__ void __launch_bounds__(SAMPLE)
    near_frame_kernel(size_t count, const double *__restrict__ position,
                      const unsigned *__restrict__ of, near_frame *frame)
{
    __shared__ double values[SAMPLE], found;
    if (threadIdx.x == 0)
        found = 0;
    const size_t stride = (count + SAMPLE - 1) / SAMPLE;
    const unsigned taken = (unsigned)((count + stride - 1) / stride);
    const size_t place = threadIdx.x < taken ? stride * threadIdx.x : 0;
    const double *at = position + 3 * (of ? of[place] : place);
    double centre[3], away = 0;
    for (int c = 0; c < 3; c++) {
        centre[c] = of_rank(at[c], taken, taken / 2, values, &found);
        away = fmax(away, fabs(at[c] - centre[c]));
    }
    double most = of_rank(away, taken, taken * 9 / 10, values, &found);
    if (!(most > 0))
        most = of_rank(away, taken, taken - 1, values, &found);
    if (threadIdx.x > 0)
        return;
    for (int c = 0; c < 3; c++)
        frame->centre[c] = centre[c];
    frame->scale = most > 0 && most < INFINITY ? 1 / (REACH * most) : 0;
}

__global__ void __launch_bounds__(THREADS)
    near_key_kernel(size_t count, const double *__restrict__ position,
                    const unsigned *__restrict__ of, const near_frame *__restrict__ frame,
                    unsigned long long *__restrict__ key, unsigned *__restrict__ body)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const unsigned own = of ? of[i] : (unsigned)i;
    unsigned long long all = 0;
    for (int c = 0; c < 3; c++) {
        const double most = (1 << LEVELS) - 1;
        double at = ((position[3 * (size_t)own + c] - frame->centre[c]) * frame->scale + 1) *
                    (1 << (LEVELS - 1));
        all |= bits_spread(at > 0 ? (unsigned long long)fmin(at, most) : 0) << (2 - c);
    }
    key[i] = all;
    body[i] = (unsigned)i;
}

__global__ void __launch_bounds__(THREADS)
    near_gather_kernel(size_t count, const double *__restrict__ position,
                       const unsigned *__restrict__ of, const unsigned *__restrict__ body,
                       double (*__restrict__ at)[3])
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const unsigned own = of ? of[body[i]] : body[i];
    for (int c = 0; c < 3; c++)
        at[i][c] = position[3 * (size_t)own + c];
}

static __device__ __forceinline__ void write_box(double low, double high, int c, near_box *out)
{
    for (int step = WARP / 2; step > 0; step /= 2) {
        low = fmin(low, __shfl_xor_sync(ALL, low, step));
        high = fmax(high, __shfl_xor_sync(ALL, high, step));
    }
    if (threadIdx.x % WARP == 0) {
        out->low[c] = low;
        out->high[c] = high;
    }
}

/* A warp a box: around bodies, or, where there are boxes below, around these. */
__global__ void __launch_bounds__(THREADS)
    near_box_kernel(size_t count, const double (*__restrict__ at)[3],
                    const near_box *__restrict__ below, unsigned boxes, near_box *__restrict__ out)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i / WARP >= boxes)
        return;
    for (int c = 0; c < 3; c++) {
        double low = INFINITY, high = -INFINITY;
        if (i < count) {
            low = below ? below[i].low[c] : at[i][c];
            high = below ? below[i].high[c] : at[i][c];
        }
        write_box(low, high, c, out + i / WARP);
    }
}

/* Never above the square of the distance between what is in the one and in the other, as that is
 * rounded. */
static __device__ __forceinline__ double square_between(const double *low, const double *high,
                                                        const near_box &box)
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double away =
            fmax(fmax(__dsub_rn(box.low[c], high[c]), __dsub_rn(low[c], box.high[c])), 0.0);
        square = __dadd_rn(square, __dmul_rn(away, away));
    }
    return square;
}

/* The k smallest so far, the largest of them first, each lane's own. */
static __device__ __forceinline__ double replace_largest(double *heap, unsigned k, double square)
{
    unsigned at = 0;
    for (unsigned below = 1; below < k; below = 2 * at + 1) {
        double larger = heap[below * WARP];
        if (below + 1 < k && heap[(below + 1) * WARP] > larger)
            larger = heap[++below * WARP];
        if (larger <= square)
            break;
        heap[at * WARP] = larger;
        at = below;
    }
    heap[at * WARP] = square;
    return heap[0];
}

/* One body's search. What is surely too far is seen in single precision: offsets from `origin`,
 * in `near` with their error. */
struct seeker {
    size_t count;
    const double (*at)[3];
    double *heap;
    float4 *stage; /* of the warp: a chunk's bodies */
    unsigned k, own, lane;
    double from[3], origin[3], bound; /* square of the distance to the k-th so far */
    float4 near;
    float reach; /* not below the root of bound */

    /* Roundings of two offsets and their difference, none of them above 2^-24 of the largest. */
    __device__ __forceinline__ float4 offset(const double *x) const
    {
        const float a = (float)(x[0] - origin[0]), b = (float)(x[1] - origin[1]),
                    c = (float)(x[2] - origin[2]);
        return make_float4(a, b, c, 0x1p-21f * fmaxf(fmaxf(fabsf(a), fabsf(b)), fabsf(c)));
    }

    __device__ __forceinline__ void shrink(double square)
    {
        bound = square;
        reach = (float)sqrt(square) * (1 + 0x1p-20f);
    }

    __device__ __forceinline__ void consider(size_t j)
    {
        double square = 0;
        for (int c = 0; c < 3; c++) {
            const double away = __dsub_rn(at[j][c], from[c]);
            square = __dadd_rn(square, __dmul_rn(away, away));
        }
        if (square < bound && j != own)
            shrink(replace_largest(heap, k, square));
    }

    __device__ __forceinline__ void look_into(unsigned chunk)
    {
        const size_t first = (size_t)chunk * WARP;
        const unsigned here = (unsigned)min(count - first, (size_t)WARP);
        __syncwarp();
        if (lane < here)
            stage[lane] = offset(at[first + lane]);
        __syncwarp();
        for (unsigned n = 0; n < here; n++) {
            const float4 there = stage[n];
            const float x = there.x - near.x, y = there.y - near.y, z = there.z - near.z;
            const float most = reach + (near.w + there.w);
            if (!(x * x + y * y + z * z > most * most + FLT_MIN)) /* nor where it is not finite */
                consider(first + n);
        }
    }
};

/* All that is nearer than own.bound, by a warp. */
static __device__ __forceinline__ void seek(seeker &own, const near_boxes &boxes, unsigned chunk)
{
    const near_box &here = boxes.box[0][chunk];
    own.look_into(chunk);
    for (unsigned n = 1; n <= AHEAD; n++) {
        if (chunk >= n)
            own.look_into(chunk - n);
        if (chunk + n < boxes.count[0])
            own.look_into(chunk + n);
    }
    unsigned todo[HEIGHTS], base[HEIGHTS];
    int height = boxes.heights - 1;
    base[height] = 0;
    todo[height] = 1;
    while (height < boxes.heights) {
        if (todo[height] == 0) {
            height++;
            continue;
        }
        const unsigned box = base[height] + (unsigned)__ffs((int)todo[height]) - 1;
        todo[height] &= todo[height] - 1;
        if (height == 0 && box + AHEAD >= chunk && box <= chunk + AHEAD)
            continue;
        const double square = square_between(own.from, own.from, boxes.box[height][box]);
        if (!__any_sync(ALL, square < own.bound))
            continue;
        if (height == 0) {
            own.look_into(box);
            continue;
        }
        double reach = own.bound;
        for (int step = WARP / 2; step > 0; step /= 2)
            reach = fmax(reach, __shfl_xor_sync(ALL, reach, step));
        height--;
        base[height] = box * WARP;
        const unsigned child = base[height] + own.lane;
        todo[height] = __ballot_sync(
            ALL, child < boxes.count[height] &&
                     square_between(here.low, here.high, boxes.box[height][child]) < reach);
    }
}

__global__ void __launch_bounds__(SEEKERS *WARP)
    near_search_kernel(size_t count, unsigned k, near_boxes boxes,
                       const double (*__restrict__ at)[3], const unsigned *__restrict__ of,
                       const unsigned *__restrict__ body, float *__restrict__ last,
                       float *__restrict__ distance)
{
    extern __shared__ double heaps[]; /* [SEEKERS][k][WARP] */
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned chunk = blockIdx.x * SEEKERS + warp;
    if (chunk >= boxes.count[0])
        return;
    __shared__ float4 stages[SEEKERS][WARP];
    struct seeker own = {
        count, at, heaps + warp * k * WARP + lane, stages[warp], k, chunk * WARP + lane, lane};
    const bool some = own.own < count;
    for (int c = 0; c < 3; c++) {
        own.from[c] = at[some ? own.own : chunk * WARP][c];
        own.origin[c] = at[chunk * WARP][c];
    }
    own.near = own.offset(own.from);
    const unsigned which = some ? body[own.own] : 0;
    const double before = some ? AGAIN * (double)last[which] : 0;
    double most = before > 0 && before < INFINITY ? before * before : INFINITY;
    bool open = some;
    for (unsigned turn = 1; __any_sync(ALL, open); turn++) {
        own.shrink(open ? most : 0);
        for (unsigned n = 0; n < k; n++)
            own.heap[n * WARP] = most;
        seek(own, boxes, chunk);
        if (open && (own.bound < most || !(most < INFINITY))) {
            const float found = (float)__dsqrt_rn(own.bound);
            last[which] = found;
            distance[of ? of[which] : which] = found;
            open = false;
        }
        most = turn < TURNS ? 4 * most : INFINITY;
    }
}

/* What is nearer than one body's neighbour, and how fast it moves against it. */
struct spread {
    double from[3], square, count, sum[3], squares;
    float own[3];

    __device__ __forceinline__ void consider(const double *at, const float4 v)
    {
        double square_there = 0;
        for (int c = 0; c < 3; c++) {
            const double away = __dsub_rn(at[c], from[c]);
            square_there = __dadd_rn(square_there, __dmul_rn(away, away));
        }
        if (!(square_there < square))
            return;
        const double away[3] = {(double)v.x - own[0], (double)v.y - own[1], (double)v.z - own[2]};
        count++;
        for (int c = 0; c < 3; c++) {
            sum[c] += away[c];
            squares += away[c] * away[c];
        }
    }
};

/* A warp a chunk, with a lane a body, as in the search; what is how near is known now. */
__global__ void __launch_bounds__(SEEKERS *WARP)
    near_spread_kernel(size_t count, near_boxes boxes, const double (*__restrict__ at)[3],
                       const unsigned *__restrict__ of, const unsigned *__restrict__ body,
                       const float4 *__restrict__ velocity, const float *__restrict__ distance,
                       float *__restrict__ dispersion)
{
    const unsigned lane = threadIdx.x % WARP, chunk = blockIdx.x * SEEKERS + threadIdx.x / WARP;
    if (chunk >= boxes.count[0])
        return;
    const size_t place = (size_t)chunk * WARP + lane;
    const bool some = place < count;
    const unsigned which = body[some ? place : (size_t)chunk * WARP];
    const unsigned number = of ? of[which] : which;
    const double away = some ? (double)distance[number] : 0;
    const float4 v = velocity[number];
    struct spread own = {};
    own.square = __dmul_rn(away, away);
    own.own[0] = v.x, own.own[1] = v.y, own.own[2] = v.z;
    for (int c = 0; c < 3; c++)
        own.from[c] = at[some ? place : (size_t)chunk * WARP][c];
    unsigned todo[HEIGHTS], base[HEIGHTS];
    int height = boxes.heights - 1;
    base[height] = 0;
    todo[height] = 1;
    while (height < boxes.heights) {
        if (todo[height] == 0) {
            height++;
            continue;
        }
        const unsigned box = base[height] + (unsigned)__ffs((int)todo[height]) - 1;
        todo[height] &= todo[height] - 1;
        const double nearest = square_between(own.from, own.from, boxes.box[height][box]);
        if (!__any_sync(ALL, nearest < own.square))
            continue;
        if (height > 0) {
            height--;
            base[height] = box * WARP;
            const unsigned rest = boxes.count[height] - base[height];
            todo[height] = rest < WARP ? (1u << rest) - 1 : ALL;
            continue;
        }
        const size_t end = min(count, ((size_t)box + 1) * WARP);
        for (size_t j = (size_t)box * WARP; j < end; j++)
            own.consider(at[j], velocity[of ? of[body[j]] : body[j]]);
    }
    if (!some)
        return;
    double mean = 0;
    for (int c = 0; c < 3; c++)
        mean += own.sum[c] * own.sum[c];
    const double square = own.count > 0 ? (own.squares - mean / own.count) / own.count : 0;
    dispersion[number] = square > 0 ? (float)sqrt(square / 3) : 0;
}

__global__ void __launch_bounds__(THREADS) near_none_kernel(size_t count, float *distance)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        distance[i] = INFINITY;
}

extern "C" int neighbours_cuda_plan(size_t bodies, unsigned k, struct neighbours_cuda_plan *plan)
{
    *plan = {};
    plan->bodies = bodies;
    plan->k = k;
    size_t scan_bytes;
    cudaError_t error = tree_cuda_scratch(bodies, &plan->sort_bytes, &scan_bytes);
    (void)near_space_of(plan, NULL, &plan->bytes);
    return error;
}

extern "C" int neighbours_cuda_find(const struct neighbours_cuda_plan *plan, size_t count,
                                    const double *position, const unsigned *of, void *work,
                                    float *distance, void *on)
{
    size_t bytes;
    const size_t n = plan->bodies;
    cudaStream_t stream = (cudaStream_t)on;
    const struct near_space space = near_space_of(plan, work, &bytes);
    near_frame_kernel<<<1, SAMPLE, 0, stream>>>(n, position, of, space.frame);
    near_key_kernel<<<blocks_for(n), THREADS, 0, stream>>>(n, position, of, space.frame,
                                                           space.key[0], space.body[0]);
    const int error =
        tree_cuda_order(space.scratch, plan->sort_bytes, space.key, space.body, n, stream);
    if (error != cudaSuccess)
        return error;
    near_gather_kernel<<<blocks_for(n), THREADS, 0, stream>>>(n, position, of, space.body[1],
                                                              space.at);
    size_t below = n;
    for (int h = 0; h < space.boxes.heights; below = space.boxes.count[h++])
        near_box_kernel<<<blocks_for((size_t)space.boxes.count[h] * WARP), THREADS, 0, stream>>>(
            below, space.at, h > 0 ? space.boxes.box[h - 1] : NULL, space.boxes.count[h],
            space.boxes.box[h]);
    if (of)
        near_none_kernel<<<blocks_for(count), THREADS, 0, stream>>>(count, distance);
    const unsigned blocks = (space.boxes.count[0] + SEEKERS - 1) / SEEKERS;
    near_search_kernel<<<blocks, SEEKERS * WARP, SEEKERS * plan->k * WARP * sizeof(double),
                         stream>>>(n, plan->k, space.boxes, space.at, of, space.body[1], space.last,
                                   distance);
    return cudaGetLastError();
}

extern "C" int neighbours_cuda_dispersion(const struct neighbours_cuda_plan *plan, size_t count,
                                          const float *velocity, const unsigned *of, void *work,
                                          const float *distance, float *dispersion, void *on)
{
    size_t bytes;
    cudaStream_t stream = (cudaStream_t)on;
    const struct near_space space = near_space_of(plan, work, &bytes);
    if (of) {
        const cudaError_t error =
            cudaMemsetAsync(dispersion, 0, count * sizeof *dispersion, stream);
        if (error != cudaSuccess)
            return error;
    }
    const unsigned blocks = (space.boxes.count[0] + SEEKERS - 1) / SEEKERS;
    near_spread_kernel<<<blocks, SEEKERS * WARP, 0, stream>>>(
        plan->bodies, space.boxes, space.at, of, space.body[1], (const float4 *)velocity, distance,
        dispersion);
    return cudaGetLastError();
}
