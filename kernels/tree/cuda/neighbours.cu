/* Sorting, boxes, search. */
#include "kernels/tree/cuda/neighbours.h"
#include "kernels/tree/cuda/hilbert.cuh"
#include "kernels/tree/cuda/space.cuh"

#include <float.h>
#include <math.h>
#include <type_traits>

enum {
    HEIGHTS = 7,             /* of boxes: 32^7 > 2^31 */
    AHEAD = 4,               /* chunks on either side that are searched first */
    SEEKERS = 2,             /* warps per block of the full search */
    FINDERS = 4,             /* warps per block of the search around the last distances */
    TOGETHER = 4,            /* bodies that such a warp searches for at the same time */
    SHARE = WARP / TOGETHER, /* lanes per body */
    LISTED = 256,            /* capacity of a warp's list of chunks */
    STAGED = 160,            /* capacity of its buffer of candidates */
    LIST_BITS = 8,
    LANE_BITS = 5,
    PLACE_BITS = LIST_BITS + LANE_BITS,
    SQUARE_BITS = 32 - PLACE_BITS,
    PART_LEVELS = 2, /* of the keys: room for NEIGHBOURS_CUDA_PARTS */
    PART_SHIFT = 3 * (LEVELS - PART_LEVELS),
};

/* Neighbours are first searched within AGAIN times the distance found last, since few bodies have
 * moved so far in the meantime. Where fewer than k are found, the next turn searches MORE times as
 * far; where the list is too short for even one body, LESS times as far. A warp takes only a few
 * turns, because bodies with equal keys can fill more chunks than a list holds, and all of these
 * bodies reach all of these chunks. Bodies share a list with the first of them if they are within
 * WIDE times its search distance. */
static const float AGAIN = 1.07f, MORE = 1.25f, LESS = 0.85f, WIDE = 6;
enum { TURNS = 8, SHORT = 6 };

static_assert(1 << 3 * PART_LEVELS == NEIGHBOURS_CUDA_PARTS, "parts");

/* Offsets in single precision are used only while their error along each axis is below ROUGH of the
 * search distance; the error of a squared distance, up to 2 sqrt(3) as much, is then below SLACK of
 * the squared search distance. */
static const float ROUGH = 0x1p-15f, SLACK = 0x1p-13f;

struct near_box {
    double low[3], high[3];
};

struct near_boxes {
    int heights;
    unsigned count[HEIGHTS];
    near_box *box[HEIGHTS]; /* around WARP bodies, then around WARP boxes */
};

struct near_space {
    hilbert_space curve;
    double (*at)[3]; /* [bodies] in the order of the curve */
    float4 *offset;  /* [chunks][WARP]: x y z relative to the middle of the chunk's box */
    unsigned *left;  /* [chunks]: a bit for each body whose neighbours are still to be found */
    near_boxes boxes;
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
    hilbert_take(&space.curve, n, plan->sort_bytes, take);
    take(&space.at, n * sizeof *space.at);
    for (size_t boxes = n; boxes > 1 || space.boxes.heights == 0;) {
        boxes = (boxes + WARP - 1) / WARP;
        space.boxes.count[space.boxes.heights] = (unsigned)boxes;
        take(&space.boxes.box[space.boxes.heights++], boxes * sizeof(near_box));
    }
    take(&space.offset, (size_t)space.boxes.count[0] * WARP * sizeof *space.offset);
    take(&space.left, (size_t)space.boxes.count[0] * sizeof *space.left);
    *bytes = end;
    return space;
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

/* One warp per box: a box around bodies or, above the lowest level, around boxes. */
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

/* Returns a lower bound on the square of the distance between anything in one box and anything in
 * the other, rounding included. */
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

static __device__ __forceinline__ double middle_of(const near_box &box, int c)
{
    return __dmul_rn(0.5, __dadd_rn(box.low[c], box.high[c]));
}

/* A chunk without bodies gets an infinitely distant box. */
__global__ void __launch_bounds__(THREADS)
    near_offset_kernel(size_t count, const double (*__restrict__ at)[3],
                       const near_box *__restrict__ box, unsigned chunks,
                       float4 *__restrict__ offset)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i / WARP >= chunks)
        return;
    float4 out = {INFINITY, INFINITY, INFINITY, 0};
    if (i < count) {
        const near_box &own = box[i / WARP];
        out.x = (float)(at[i][0] - middle_of(own, 0));
        out.y = (float)(at[i][1] - middle_of(own, 1));
        out.z = (float)(at[i][2] - middle_of(own, 2));
    }
    offset[i] = out;
}

static __device__ __forceinline__ float largest_of(float4 v)
{
    return fmaxf(fmaxf(fabsf(v.x), fabsf(v.y)), fabsf(v.z));
}

static __device__ __forceinline__ double warp_least(double value)
{
    for (int step = WARP / 2; step > 0; step /= 2)
        value = fmin(value, __shfl_xor_sync(ALL, value, step));
    return value;
}

static __device__ __forceinline__ double square_to(const double *there, const double *from)
{
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double away = __dsub_rn(there[c], from[c]);
        square = __dadd_rn(square, __dmul_rn(away, away));
    }
    return square;
}

/* The chunk or box as an offset from a point, in single precision. */
static __device__ __forceinline__ void offset_box(const near_box &box, const double *origin,
                                                  float4 *middle, float4 *half)
{
    *middle = {(float)(middle_of(box, 0) - origin[0]), (float)(middle_of(box, 1) - origin[1]),
               (float)(middle_of(box, 2) - origin[2]), 0};
    *half = {__double2float_ru(0.5 * (box.high[0] - box.low[0])),
             __double2float_ru(0.5 * (box.high[1] - box.low[1])),
             __double2float_ru(0.5 * (box.high[2] - box.low[2])), 0};
}

static __device__ __forceinline__ float4 from_lane(float4 v, int lane)
{
    return {__shfl_sync(ALL, v.x, lane), __shfl_sync(ALL, v.y, lane), __shfl_sync(ALL, v.z, lane),
            __shfl_sync(ALL, v.w, lane)};
}

/* The region that several bodies search together: a box, cut by a sphere around its middle. */
struct near_around {
    float middle[3], half[3], radius;
};

/* Returns whether the box is outside that region. error: of an offset, along each axis */
static __device__ __forceinline__ bool beyond(const near_around &around, float4 middle, float4 half,
                                              float error)
{
    const float x = fabsf(middle.x - around.middle[0]) - half.x,
                y = fabsf(middle.y - around.middle[1]) - half.y,
                z = fabsf(middle.z - around.middle[2]) - half.z;
    const float a = fmaxf(x, 0.0f), b = fmaxf(y, 0.0f), c = fmaxf(z, 0.0f),
                radius = around.radius + 2 * error;
    return x > around.half[0] + error || y > around.half[1] + error || z > around.half[2] + error ||
           a * a + b * b + c * c > radius * radius * (1 + 0x1p-20f);
}

/* body: the lane's body, w: its search distance. some: whether the lane searches; at least one lane
 * does. */
static __device__ __forceinline__ near_around around_of(bool some, float4 body)
{
    const float at[3] = {body.x, body.y, body.z};
    near_around around;
    float square = 0;
    for (int c = 0; c < 3; c++) {
        const float high = warp_max(some ? at[c] + body.w : -INFINITY);
        const float low = -warp_max(some ? body.w - at[c] : -INFINITY);
        around.middle[c] = 0.5f * (low + high);
        around.half[c] = 0.5f * (high - low) * (1 + 0x1p-20f);
        square += (at[c] - around.middle[c]) * (at[c] - around.middle[c]);
    }
    around.radius = warp_max(some ? (sqrtf(square) + body.w) * (1 + 0x1p-20f) : 0);
    return around;
}

/* A warp's shared memory. A candidate's place is that of its chunk in the list, and its own in the
 * chunk. */
template <int SLOTS> struct near_list {
    unsigned chunk[LISTED];
    float4 stage[STAGED];       /* candidates relative to the origin; w: place */
    unsigned kept[SLOTS][WARP]; /* [][lane]: keys, which are SQUARE_BITS of a square, and a place */
};

/* Searches the neighbours of up to TOGETHER of a warp's bodies at the same time, SHARE lanes for
 * each, among the bodies of the listed chunks. Squared distances in single precision are within
 * SLACK of `square` of the values in double precision, which are used only where those in single
 * precision do not decide which is the k-th. A body finds itself, too, as the nearest. */
template <int SLOTS> struct finder {
    near_list<SLOTS> *list;
    const double (*at)[3];
    const float4 *offset;
    const near_box *box; /* of chunks */
    size_t count, first; /* first: the warp's first body */
    double origin[3];
    float farthest; /* bound on the coordinates, relative to the origin, of searching bodies */
    unsigned lane, k, listed;
    /* the lane's body; from.w: the search distance, 0 for none */
    unsigned body;
    float4 from;
    float square, scale;   /* from.w squared; maps squares to [0, 1) */
    unsigned found, total; /* candidates that the lane found, of which it keeps SLOTS; the body's */

    __device__ __forceinline__ float error_of(float4 middle, float4 half) const
    {
        float least = 0;
        for (int c = 0; c < 3; c++)
            least = fmaxf(least, 0x1p-50f * (float)fabs(origin[c]));
        return least + 0x1p-22f * (largest_of(middle) + largest_of(half) + farthest);
    }

    __device__ __forceinline__ void set_origin(size_t there, size_t own, float4 *near)
    {
        for (int c = 0; c < 3; c++)
            origin[c] = at[there][c];
        *near = {(float)(at[own][0] - origin[0]), (float)(at[own][1] - origin[1]),
                 (float)(at[own][2] - origin[2]), 0};
    }

    /* Lists the chunks that reach into the box. Returns their number; only the first LISTED are
     * stored. */
    __device__ __forceinline__ unsigned list_chunks(const near_boxes &boxes,
                                                    const near_around &around)
    {
        unsigned todo[HEIGHTS], base[HEIGHTS], number = 0, above = 0;
        int height = boxes.heights;
        for (;;) {
            height--;
            base[height] = above * WARP;
            const unsigned child = base[height] + lane;
            const bool some = child < boxes.count[height];
            float4 middle, half;
            offset_box(boxes.box[height][some ? child : 0], origin, &middle, &half);
            unsigned hits =
                __ballot_sync(ALL, some && !beyond(around, middle, half, error_of(middle, half)));
            if (height == 0) {
                const unsigned place = number + (unsigned)__popc(hits & ((1u << lane) - 1));
                if ((hits >> lane & 1) && place < LISTED)
                    list->chunk[place] = child;
                number += (unsigned)__popc(hits);
                hits = 0;
            }
            todo[height] = hits;
            while (height < boxes.heights && todo[height] == 0)
                height++;
            if (height == boxes.heights || number > LISTED)
                break;
            above = base[height] + (unsigned)__ffs((int)todo[height]) - 1;
            todo[height] &= todo[height] - 1;
        }
        __syncwarp();
        return number;
    }

    __device__ __forceinline__ void keep(float away, unsigned place)
    {
        if (away < square) {
            const unsigned bits = __float_as_uint(fmaf(away, scale, 1.0f)) << (32 - 23);
            if (found < SLOTS)
                list->kept[found][lane] = (bits & ~0u << PLACE_BITS) | place;
            found++;
        }
    }

    __device__ __forceinline__ void keep_staged(unsigned staged)
    {
        __syncwarp();
#pragma unroll 4
        for (unsigned n = lane % SHARE; n < staged; n += SHARE) {
            const float4 there = list->stage[n];
            const float x = there.x - from.x, y = there.y - from.y, z = there.z - from.z;
            keep(x * x + y * y + z * z, __float_as_uint(there.w));
        }
        __syncwarp();
    }

    /* Finds candidates in double precision, in a chunk that is too wide or too far from the origin
     * for offsets in single precision. */
    __device__ __forceinline__ void keep_exactly(unsigned chunk, unsigned n)
    {
        for (unsigned j = lane % SHARE; j < WARP; j += SHARE) {
            const size_t other = (size_t)chunk * WARP + j;
            if (other < count)
                keep((float)square_to(at[other], at[first + body]), n << LANE_BITS | j);
        }
    }

    /* Finds the candidates of all lanes' bodies. */
    __device__ __forceinline__ void keep_near()
    {
        const near_around around = around_of(from.w > 0, from);
        const float narrow = -warp_max(from.w > 0 ? -from.w : -INFINITY);
        unsigned staged = 0;
        found = 0;
        square = from.w * from.w;
        scale = (1 - 0x1p-20f) / square;
        for (unsigned base = 0; base < listed; base += WARP) {
            const unsigned own = list->chunk[min(base + lane, listed - 1)];
            float4 middle, half;
            offset_box(box[own], origin, &middle, &half);
            const float error = error_of(middle, half);
            const unsigned rough = __ballot_sync(ALL, !(error < ROUGH * narrow));
            for (unsigned todo = __ballot_sync(ALL, base + lane < listed &&
                                                        !beyond(around, middle, half, error));
                 todo; todo &= todo - 1) {
                const int which = __ffs((int)todo) - 1;
                const unsigned n = base + (unsigned)which, chunk = __shfl_sync(ALL, own, which);
                if (rough >> which & 1) {
                    keep_exactly(chunk, n);
                    continue;
                }
                float4 there = offset[(size_t)chunk * WARP + lane];
                there.x += __shfl_sync(ALL, middle.x, which);
                there.y += __shfl_sync(ALL, middle.y, which);
                there.z += __shfl_sync(ALL, middle.z, which);
                const bool hit =
                    !beyond(around, there, {0, 0, 0, 0}, __shfl_sync(ALL, error, which));
                const unsigned hits = __ballot_sync(ALL, hit);
                if (hit) {
                    there.w = __uint_as_float(n << LANE_BITS | lane);
                    list->stage[staged + (unsigned)__popc(hits & ((1u << lane) - 1))] = there;
                }
                staged += (unsigned)__popc(hits);
                if (staged > STAGED - WARP) {
                    keep_staged(staged);
                    staged = 0;
                }
            }
        }
        keep_staged(staged);
        total = of_body(found);
    }

    /* Returns the sum over the lanes of each body. */
    static __device__ __forceinline__ unsigned of_body(unsigned value)
    {
        for (int step = SHARE / 2; step > 0; step /= 2)
            value += __shfl_xor_sync(ALL, value, step);
        return value;
    }

    /* Returns how many keys of the lane's body are below `key`. */
    static __device__ __forceinline__ unsigned below(const unsigned *own, unsigned key)
    {
        unsigned sum = 0;
#pragma unroll
        for (int s = 0; s < SLOTS; s++)
            sum += own[s] < key;
        return of_body(sum);
    }

    __device__ __forceinline__ double exact(unsigned key, unsigned for_body) const
    {
        const size_t chunk = list->chunk[key >> LANE_BITS & ((1 << LIST_BITS) - 1)];
        return square_to(at[chunk * WARP + key % WARP], at[first + for_body]);
    }

    /* Returns the exact square of the given rank, from 0, among a body's keys from low to below
     * high. begin: the body's first lane. All lanes work for it. */
    __device__ __forceinline__ double pick_exact(unsigned for_body, unsigned begin, unsigned low,
                                                 unsigned high, unsigned rank) const
    {
        enum { EACH = SLOTS * SHARE / WARP };
        double exacts[EACH];
        for (int s = 0; s < EACH; s++) {
            const unsigned slot = (unsigned)s * WARP + lane;
            const unsigned key = list->kept[slot / SHARE][begin + slot % SHARE];
            exacts[s] = key >= low && key < high ? exact(key, for_body) : INFINITY;
        }
        for (;;) {
            double least = exacts[0];
            for (int s = 1; s < EACH; s++)
                least = fmin(least, exacts[s]);
            least = warp_least(least);
            unsigned same = 0;
            for (int s = 0; s < EACH; s++)
                same += (unsigned)__popc(__ballot_sync(ALL, exacts[s] == least));
            if (rank < same || !(least < INFINITY))
                return least;
            rank -= same;
            for (int s = 0; s < EACH; s++)
                exacts[s] = exacts[s] == least ? INFINITY : exacts[s];
        }
    }

    /* Returns the square of the distance to the body's k-th neighbour, INFINITY if fewer, or more
     * than there are slots for, have been found. */
    __device__ __forceinline__ double pick() const
    {
        const unsigned one = 1u << PLACE_BITS;
        const unsigned within = (2 + (unsigned)(2 * SLACK * (1 << SQUARE_BITS))) << PLACE_BITS;
        const bool overflow = of_body(found > SLOTS) > 0, some = total > k && !overflow;
        for (unsigned s = found; s < SLOTS; s++)
            list->kept[s][lane] = ~0u;
        __syncwarp();
        unsigned own[SLOTS];
#pragma unroll
        for (int s = 0; s < SLOTS; s++)
            own[s] = list->kept[s][lane];
        /* Narrows [low, high), where the key of rank k is, by interpolation and by halves in turn.
         * `less` keys are below low, `more` below high. */
        unsigned low = 0, high = ~0u, less = 0, more = total;
        for (unsigned turn = 0; __any_sync(ALL, some && more - less > 1 && high - low > one);
             turn++) {
            const float even = ((float)(k - less) + 0.5f) / (float)(more - less);
            const float share = turn == 0 ? cbrtf(even * even) : turn & 1 ? even : 0.5f;
            unsigned key = low + (unsigned)(share * (float)(high - low));
            key = min(max(key & ~0u << PLACE_BITS, low + one), high);
            const unsigned sum = below(own, key);
            const bool upper = sum <= k;
            low = upper ? key : low;
            less = upper ? sum : less;
            high = upper ? high : key;
            more = upper ? more : sum;
        }
        unsigned chosen = 0;
#pragma unroll
        for (int s = 0; s < SLOTS; s++)
            chosen = own[s] < high ? max(chosen, own[s]) : chosen;
        for (int step = SHARE / 2; step > 0; step /= 2)
            chosen = max(chosen, __shfl_xor_sync(ALL, chosen, step));
        /* Keys from low to below high may have the exact square of rank k. */
        const unsigned middle = chosen & ~0u << PLACE_BITS;
        low = middle > within ? middle - within : 0;
        high = middle < ~0u - within - one ? middle + within + one : ~0u;
        less = below(own, low);
        const unsigned open = below(own, high) - less;
        double square = some ? open == 1 ? exact(chosen, body) : 0 : (double)INFINITY;
        for (unsigned todo = __ballot_sync(ALL, some && open > 1 && lane % SHARE == 0); todo;
             todo &= todo - 1) {
            const int begin = __ffs((int)todo) - 1;
            const double picked = pick_exact(
                __shfl_sync(ALL, body, begin), (unsigned)begin, __shfl_sync(ALL, low, begin),
                __shfl_sync(ALL, high, begin), k - __shfl_sync(ALL, less, begin));
            square = lane / SHARE == (unsigned)begin / SHARE ? picked : square;
        }
        return square;
    }
};

/* One warp per chunk. Bodies whose neighbours are farther than expected, and bodies without a last
 * distance, are left to near_search_kernel. */
template <int SLOTS>
__global__ void __launch_bounds__(FINDERS *WARP)
    near_find_kernel(size_t count, unsigned k, near_boxes boxes, const double (*__restrict__ at)[3],
                     const float4 *__restrict__ offset, const unsigned *__restrict__ of,
                     const unsigned *__restrict__ body, float *__restrict__ last,
                     float *__restrict__ distance, unsigned *__restrict__ left)
{
    __shared__ near_list<SLOTS> lists[FINDERS];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned chunk = blockIdx.x * FINDERS + warp;
    if (chunk >= boxes.count[0])
        return;
    const size_t first = (size_t)chunk * WARP;
    const bool some = first + lane < count;
    struct finder<SLOTS> own = {
        &lists[warp], at, offset, boxes.box[0], count, first
    };
    own.lane = lane;
    own.k = k;
    const unsigned which = some ? body[first + lane] : 0;
    float reach = some ? AGAIN * last[which] : 0, known = -1;
    unsigned turns = 0, too_long = 0,
             todo = __ballot_sync(ALL, reach < 0x1p50f && reach > 0x1p-50f);
    while (todo && too_long < SHORT) {
        /* The first body shares a list with those near it that search about as far. */
        const int lead = __ffs((int)todo) - 1;
        float4 near;
        own.set_origin(first + (unsigned)lead, some ? first + lane : first, &near);
        near.w = reach;
        const float its = __shfl_sync(ALL, reach, lead);
        unsigned now = todo & __ballot_sync(ALL, largest_of(near) < WIDE * its && reach < 2 * its &&
                                                     its < 2 * reach);
        own.farthest = WIDE * its;
        own.listed = own.list_chunks(boxes, around_of(now >> lane & 1, near));
        if (own.listed > LISTED && __popc(now) > 1) {
            now = 1u << lead;
            own.listed = own.list_chunks(boxes, around_of(now >> lane & 1, near));
        }
        const bool fits = own.listed <= LISTED;
        if (!fits) {
            too_long++;
            own.listed = 0;
        }
        while (now) {
            unsigned these = 0;
            own.body = WARP;
            for (unsigned b = 0; b < TOGETHER && now; b++, now &= now - 1) {
                own.body = lane / SHARE == b ? (unsigned)__ffs((int)now) - 1 : own.body;
                these |= now & (~now + 1);
            }
            own.from = from_lane(near, (int)(own.body % WARP));
            own.from.w = own.body < WARP ? own.from.w : 0;
            own.body %= WARP;
            own.keep_near();
            const double square = own.pick();
            const bool done = square <= (double)own.square * (1 - (double)SLACK);
            const int from = (int)(SHARE * (unsigned)__popc(these & ((1u << lane) - 1))) % WARP;
            const bool mine = these >> lane & 1, good = __shfl_sync(ALL, done, from);
            const float root = __shfl_sync(ALL, (float)__dsqrt_rn(square), from);
            const unsigned total = __shfl_sync(ALL, own.total, from);
            if (mine) {
                turns++;
                known = good ? root : known;
                reach *= total > k + k / 4 ? cbrtf(1.5f * (float)k / (float)total)
                         : fits            ? MORE
                                           : LESS;
            }
            todo &= ~__ballot_sync(ALL, mine && (good || turns >= TURNS));
        }
    }
    if (known >= 0) {
        last[which] = known;
        distance[of ? of[which] : which] = known;
    }
    const unsigned missing = __ballot_sync(ALL, some && !(known >= 0));
    if (lane == 0)
        left[chunk] = missing;
}

/* Replaces the largest of the k smallest values so far, which the heap holds at its top; one heap
 * per lane. */
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

/* The search for one body. Single precision rules out what is certainly too far: offsets from
 * `origin`, in `near` together with their error. */
struct seeker {
    size_t count;
    const double (*at)[3];
    double *heap;
    float4 *stage; /* the warp's buffer: a chunk's bodies */
    unsigned k, own, lane;
    double from[3], origin[3], bound; /* bound: square of the distance to the k-th neighbour so
                                       * far */
    float4 near;
    float reach; /* at least the root of bound */

    /* The rounding errors of two offsets and their difference are each at most 2^-24 of the
     * largest. */
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
        const double square = square_to(at[j], from);
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
            if (!(x * x + y * y + z * z > most * most + FLT_MIN)) /* also false if not finite */
                consider(first + n);
        }
    }
};

/* A warp visits everything nearer than own.bound. */
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
                       const unsigned *__restrict__ body, const unsigned *__restrict__ left,
                       float *__restrict__ last, float *__restrict__ distance)
{
    extern __shared__ double heaps[]; /* [SEEKERS][k][WARP] */
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned chunk = blockIdx.x * SEEKERS + warp;
    if (chunk >= boxes.count[0] || left[chunk] == 0)
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
    own.shrink(left[chunk] >> lane & 1 ? (double)INFINITY : 0);
    for (unsigned n = 0; n < k; n++)
        own.heap[n * WARP] = INFINITY;
    seek(own, boxes, chunk);
    if (left[chunk] >> lane & 1) {
        const float found = (float)__dsqrt_rn(own.bound);
        last[which] = found;
        distance[of ? of[which] : which] = found;
    }
}

/* Sums over the bodies nearer than a body's k-th neighbour, for their velocities relative to it. */
struct spread {
    double from[3], square, count, sum[3], squares;
    float own[3];

    __device__ __forceinline__ void consider(const double *at, const float4 v)
    {
        if (!(square_to(at, from) < square))
            return;
        const double away[3] = {(double)v.x - own[0], (double)v.y - own[1], (double)v.z - own[2]};
        count++;
        for (int c = 0; c < 3; c++) {
            sum[c] += away[c];
            squares += away[c] * away[c];
        }
    }
};

/* One warp per chunk, one lane per body, as in the search, but with known distances. */
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

/* The part of each body along the curve, as the key of a stable sort. */
__global__ void __launch_bounds__(THREADS)
    near_part_kernel(size_t count, const unsigned *__restrict__ of,
                     const unsigned *__restrict__ curve, const unsigned *__restrict__ starts,
                     unsigned parts, unsigned long long *__restrict__ key,
                     unsigned *__restrict__ body)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const unsigned own = of ? of[curve[i]] : curve[i];
    unsigned part = 0, end = parts;
    while (end - part > 1) {
        const unsigned middle = (part + end) / 2;
        part = starts[middle] <= own ? middle : part;
        end = starts[middle] <= own ? end : middle;
    }
    key[i] = (unsigned long long)part << PART_SHIFT;
    body[i] = own;
}

/* The bodies that sort before a part are as many as the numbers below its first. key: sorted, see
 * near_part_kernel. */
__global__ void __launch_bounds__(THREADS)
    near_order_kernel(size_t count, const unsigned *__restrict__ of,
                      const unsigned *__restrict__ starts,
                      const unsigned long long *__restrict__ key,
                      const unsigned *__restrict__ sorted, neighbours_cuda_rows rows,
                      unsigned *__restrict__ order, neighbours_cuda_rows along)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const size_t place = of ? of[i] : i;
    const unsigned n = (unsigned)(place - starts[key[i] >> PART_SHIFT]) % NEIGHBOURS_CUDA_BLOCK;
    const size_t first = i - n, last = first + NEIGHBOURS_CUDA_BLOCK - 1;
    const bool whole = last < count && key[last] == key[i];
    const unsigned apart = NEIGHBOURS_CUDA_BLOCK / WARP;
    const unsigned own = sorted[whole ? first + n % WARP * apart + n / WARP : i];
    order[place] = own;
    ((float4 *)along.position)[place] = ((const float4 *)rows.position)[own];
    ((float4 *)along.velocity)[place] = ((const float4 *)rows.velocity)[own];
    along.distance[place] = rows.distance[own];
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
    const cudaError_t error = hilbert_cuda_scratch(bodies, &plan->sort_bytes);
    (void)near_space_of(plan, NULL, &plan->bytes);
    return error;
}

extern "C" int neighbours_cuda_find(const struct neighbours_cuda_plan *plan, size_t count,
                                    const double *position, const unsigned *of, float *last,
                                    void *work, float *distance, void *on)
{
    size_t bytes;
    const size_t n = plan->bodies;
    cudaStream_t stream = (cudaStream_t)on;
    const struct near_space space = near_space_of(plan, work, &bytes);
    const int error = hilbert_cuda_sort(n, position, 3, of, HILBERT_LEVELS, &space.curve, stream);
    if (error != cudaSuccess)
        return error;
    near_gather_kernel<<<blocks_for(n), THREADS, 0, stream>>>(n, position, of, space.curve.body[1],
                                                              space.at);
    size_t below = n;
    for (int h = 0; h < space.boxes.heights; below = space.boxes.count[h++])
        near_box_kernel<<<blocks_for((size_t)space.boxes.count[h] * WARP), THREADS, 0, stream>>>(
            below, space.at, h > 0 ? space.boxes.box[h - 1] : NULL, space.boxes.count[h],
            space.boxes.box[h]);
    const unsigned chunks = space.boxes.count[0];
    near_offset_kernel<<<blocks_for((size_t)chunks * WARP), THREADS, 0, stream>>>(
        n, space.at, space.boxes.box[0], chunks, space.offset);
    if (of)
        near_none_kernel<<<blocks_for(count), THREADS, 0, stream>>>(count, distance);
    const auto find = plan->k <= 32 ? near_find_kernel<16> : near_find_kernel<24>;
    find<<<(chunks + FINDERS - 1) / FINDERS, FINDERS * WARP, 0, stream>>>(
        n, plan->k, space.boxes, space.at, space.offset, of, space.curve.body[1], last, distance,
        space.left);
    near_search_kernel<<<(chunks + SEEKERS - 1) / SEEKERS, SEEKERS * WARP,
                         SEEKERS * plan->k * WARP * sizeof(double), stream>>>(
        n, plan->k, space.boxes, space.at, of, space.curve.body[1], space.left, last, distance);
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
        plan->bodies, space.boxes, space.at, of, space.curve.body[1], (const float4 *)velocity,
        distance, dispersion);
    return cudaGetLastError();
}

extern "C" int neighbours_cuda_order(const struct neighbours_cuda_plan *plan, const unsigned *of,
                                     const unsigned *starts, unsigned parts, void *work,
                                     const struct neighbours_cuda_rows *rows, unsigned *order,
                                     const struct neighbours_cuda_rows *along, void *on)
{
    size_t bytes;
    const size_t n = plan->bodies;
    cudaStream_t stream = (cudaStream_t)on;
    const struct near_space space = near_space_of(plan, work, &bytes);
    const hilbert_space &curve = space.curve;
    near_part_kernel<<<blocks_for(n), THREADS, 0, stream>>>(n, of, curve.body[1], starts, parts,
                                                            curve.key[0], curve.body[0]);
    const int error = tree_cuda_order(curve.scratch, curve.scratch_bytes, curve.key, curve.body, n,
                                      LEVELS - PART_LEVELS, stream);
    if (error != cudaSuccess)
        return error;
    near_order_kernel<<<blocks_for(n), THREADS, 0, stream>>>(n, of, starts, curve.key[1],
                                                             curve.body[1], *rows, order, *along);
    return cudaGetLastError();
}
