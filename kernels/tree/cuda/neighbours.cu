/* Sorting, boxes, search. */
#include "kernels/tree/cuda/neighbours.h"
#include "kernels/tree/cuda/hilbert.cuh"
#include "kernels/tree/cuda/space.cuh"

#include <float.h>
#include <math.h>
#include <type_traits>

enum {
    HEIGHTS = 7, /* of boxes: 32^7 > 2^31 */
    AHEAD = 4,   /* chunks on either side that are searched first */
    SEEKERS = 2, /* warps per block of the full search */
    FINDERS = 4, /* warps per block of the search around the last distances */
    LISTED = 96, /* capacity of such a warp's list of chunks */
    KEPT = 128,  /* capacity of its list of candidates for the k-th neighbour */
    LIST_BITS = 8,
    LANE_BITS = 5,
    SQUARE_BITS = 32 - LIST_BITS - LANE_BITS,
    PART_LEVELS = 2, /* of the keys: room for NEIGHBOURS_CUDA_PARTS */
    PART_SHIFT = 3 * (LEVELS - PART_LEVELS),
};

/* Neighbours are first searched within AGAIN times the distance found last, since few bodies have
 * moved so far in the meantime. Where fewer than k are found, the next turn searches MORE times as
 * far; where the list is too short for even one body, LESS times as far. A warp takes only a few
 * turns, because bodies with equal keys can fill more chunks than a list holds, and all of these
 * bodies reach all of these chunks. */
static const float AGAIN = 1.1f, MORE = 1.25f, LESS = 0.85f;
enum { TURNS = 8, SHORT = 6 };

static_assert(1 << 3 * PART_LEVELS == NEIGHBOURS_CUDA_PARTS, "parts");

/* Offsets in single precision are used only while their error is below ROUGH of the search
 * distance; the error of a squared distance is then below SLACK of the squared search distance. */
static const float ROUGH = 0x1p-14f, SLACK = 0x1p-13f;

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

static __device__ __forceinline__ float square_outside(float4 from, float4 middle, float4 half)
{
    const float x = fmaxf(fabsf(middle.x - from.x) - half.x, 0.0f),
                y = fmaxf(fabsf(middle.y - from.y) - half.y, 0.0f),
                z = fmaxf(fabsf(middle.z - from.z) - half.z, 0.0f);
    return x * x + y * y + z * z;
}

/* A warp's chunks, relative to its first body. */
struct near_list {
    float4 middle[LISTED]; /* w: the chunk's number */
    float4 half[LISTED];
    float4 body[WARP];   /* w: the search distance for its neighbours */
    unsigned kept[KEPT]; /* see keep_near */
};

/* Selects, by the bits of `key` from bit `last` on, SLOTS keys per lane, the key of the given rank
 * (counted from 1) among the `count` keys that are `some`. The bits below `last` may come from
 * another key. */
template <int SLOTS>
static __device__ __forceinline__ unsigned key_of_rank(const unsigned *key, const bool *some,
                                                       unsigned count, unsigned rank, int last)
{
    bool left[SLOTS];
    for (int s = 0; s < SLOTS; s++)
        left[s] = some[s];
    for (int bit = 31; bit >= last && count > 1; bit--) {
        unsigned zeros = 0;
        for (int s = 0; s < SLOTS; s++)
            zeros += (unsigned)__popc(__ballot_sync(ALL, left[s] && !(key[s] >> bit & 1)));
        const bool one = rank > zeros;
        rank -= one ? zeros : 0;
        count = one ? count - zeros : zeros;
        for (int s = 0; s < SLOTS; s++)
            left[s] = left[s] && (key[s] >> bit & 1) == one;
    }
    unsigned found = 0;
    for (int s = 0; s < SLOTS; s++) {
        const unsigned those = __ballot_sync(ALL, left[s]);
        const unsigned value = __shfl_sync(ALL, key[s], those ? __ffs((int)those) - 1 : 0);
        found = those ? value : found;
    }
    return found;
}

/* Searches the neighbours of one body after the other, with one candidate per lane. Candidates are
 * compared by squared distances in single precision, each within SLACK of `square` of the value in
 * double precision. Double precision is used only if that does not decide which is the k-th. */
struct finder {
    near_list *list;
    const double (*at)[3];
    const float4 *offset;
    size_t count;
    unsigned lane, k, listed;
    /* the body being searched for */
    size_t own;
    float4 from;
    float square, scale; /* upper bound on the squared distance of candidates; scale: from squares
                          * to SQUARE_BITS */

    __device__ __forceinline__ void look_from(int which)
    {
        from = list->body[which];
        square = from.w * from.w;
        scale = (1 << SQUARE_BITS) * (1 - 0x1p-20f) / square;
    }

    __device__ __forceinline__ float square_of(size_t j, float4 middle) const
    {
        const float4 there = offset[j];
        const float x = there.x + (middle.x - from.x), y = there.y + (middle.y - from.y),
                    z = there.z + (middle.z - from.z);
        return x * x + y * y + z * z;
    }

    /* Counts the candidates and stores, for up to KEPT of them, the square, the chunk's place in
     * the list and the lane. */
    __device__ __forceinline__ unsigned keep_near()
    {
        unsigned found = 0;
        for (unsigned base = 0; base < listed; base += WARP) {
            bool near = base + lane < listed, rough = false;
            if (near) {
                const float4 half = list->half[base + lane];
                const float reach = from.w + half.w;
                near = !(square_outside(from, list->middle[base + lane], half) > reach * reach);
                rough = !(half.w < ROUGH * from.w);
            }
            const unsigned doubles = __ballot_sync(ALL, rough);
            for (unsigned todo = __ballot_sync(ALL, near); todo; todo &= todo - 1) {
                const unsigned which = (unsigned)__ffs((int)todo) - 1, n = base + which;
                const float4 middle = list->middle[n];
                const size_t j = (size_t)__float_as_uint(middle.w) * WARP + lane;
                float away;
                if (doubles >> which & 1)
                    away = j < count ? (float)square_to(at[j], at[own]) : INFINITY;
                else
                    away = square_of(j, middle);
                const bool hit = away < square && j != own;
                const unsigned hits = __ballot_sync(ALL, hit);
                const unsigned place = found + (unsigned)__popc(hits & ((1u << lane) - 1));
                if (hit && place < KEPT)
                    list->kept[place] =
                        (unsigned)(away * scale) << (LIST_BITS + LANE_BITS) | n << LANE_BITS | lane;
                found += (unsigned)__popc(hits);
            }
        }
        __syncwarp();
        return found;
    }

    /* The k-th smallest square of the `found` stored candidates, at most SLOTS * WARP. */
    template <int SLOTS> __device__ __forceinline__ double pick(unsigned found) const
    {
        enum { SHIFT = LIST_BITS + LANE_BITS };
        unsigned word[SLOTS];
        bool some[SLOTS];
        for (int s = 0; s < SLOTS; s++) {
            some[s] = s * WARP + lane < found;
            word[s] = some[s] ? list->kept[s * WARP + lane] : 0;
        }
        const int chosen = (int)(key_of_rank<SLOTS>(word, some, found, k, SHIFT) >> SHIFT);
        const int within = 2 + (int)(2 * SLACK * (1 << SQUARE_BITS));
        double exact[SLOTS];
        unsigned open[SLOTS], opened = 0, rank = k;
        for (int s = 0; s < SLOTS; s++) {
            const int off = (int)(word[s] >> SHIFT) - chosen;
            open[s] = __ballot_sync(ALL, some[s] && abs(off) <= within);
            opened += (unsigned)__popc(open[s]);
            rank -= (unsigned)__popc(__ballot_sync(ALL, some[s] && off < -within));
            exact[s] = INFINITY;
            if (open[s] >> lane & 1) {
                const unsigned n = word[s] >> LANE_BITS & ((1 << LIST_BITS) - 1);
                const size_t chunk = __float_as_uint(list->middle[n].w);
                exact[s] = square_to(at[chunk * WARP + word[s] % WARP], at[own]);
            }
        }
        for (int s = 0; s < SLOTS && opened == 1; s++)
            if (open[s])
                return __shfl_sync(ALL, exact[s], __ffs((int)open[s]) - 1);
        for (;;) {
            double least = exact[0];
            for (int s = 1; s < SLOTS; s++)
                least = fmin(least, exact[s]);
            least = warp_least(least);
            unsigned same = 0;
            for (int s = 0; s < SLOTS; s++)
                same += (unsigned)__popc(__ballot_sync(ALL, exact[s] == least));
            if (rank <= same || !(least < INFINITY))
                return least;
            rank -= same;
            for (int s = 0; s < SLOTS; s++)
                exact[s] = exact[s] == least ? INFINITY : exact[s];
        }
    }
};

static __device__ __forceinline__ float4 from_lane(float4 v, int lane)
{
    return {__shfl_sync(ALL, v.x, lane), __shfl_sync(ALL, v.y, lane), __shfl_sync(ALL, v.z, lane),
            __shfl_sync(ALL, v.w, lane)};
}

/* Finds the lanes whose boxes at least one of the bodies `now` reaches. body: the lane's own body,
 * w: its search distance. around: the box that all of the bodies reach together. half.w: the error
 * of a lane's offsets. */
static __device__ __forceinline__ unsigned reached(unsigned now, unsigned lane, float4 body,
                                                   const float4 *around, bool some, float4 middle,
                                                   float4 half)
{
    const float x = fabsf(middle.x - around[0].x), y = fabsf(middle.y - around[0].y),
                z = fabsf(middle.z - around[0].z);
    const bool beyond = x > half.x + around[1].x + half.w || y > half.y + around[1].y + half.w ||
                        z > half.z + around[1].z + half.w;
    const bool mine = now >> lane & 1;
    unsigned hits = 0;
    for (unsigned todo = __ballot_sync(ALL, some && !beyond); todo; todo &= todo - 1) {
        const int which = __ffs((int)todo) - 1;
        const float4 there = from_lane(middle, which), wide = from_lane(half, which);
        const float reach = body.w + wide.w;
        if (__any_sync(ALL, mine && !(square_outside(body, there, wide) > reach * reach)))
            hits |= 1u << which;
    }
    return hits;
}

/* The box that the bodies `now` reach together, as its middle and half its size. */
static __device__ __forceinline__ void find_around(unsigned now, unsigned lane, float4 body,
                                                   float4 *around)
{
    const bool mine = now >> lane & 1;
    float at[3] = {body.x, body.y, body.z}, middle[3], half[3];
    for (int c = 0; c < 3; c++) {
        const float high = warp_max(mine ? at[c] + body.w : -INFINITY);
        const float low = -warp_max(mine ? body.w - at[c] : -INFINITY);
        middle[c] = 0.5f * (low + high);
        half[c] = 0.5f * (high - low) * (1 + 0x1p-20f);
    }
    around[0] = {middle[0], middle[1], middle[2], 0};
    around[1] = {half[0], half[1], half[2], 0};
}

/* Lists the chunks that the bodies `now` reach. Returns their number; only the first LISTED are
 * stored. In the list, half.w is the error of an offset between a body of the chunk and one of
 * `now`, if offsets from the warp's first body to these bodies are at most `farthest` long. */
static __device__ __forceinline__ unsigned list_chunks(near_list *list, const near_boxes &boxes,
                                                       unsigned lane, unsigned now, float4 body,
                                                       const double *origin, float farthest)
{
    float4 around[2];
    find_around(now, lane, body, around);
    unsigned todo[HEIGHTS], base[HEIGHTS], listed = 0;
    int height = boxes.heights;
    float least = 0;
    for (int c = 0; c < 3; c++)
        least = fmaxf(least, 0x1p-50f * (float)fabs(origin[c]));
    unsigned box = 0;
    for (;;) {
        height--;
        base[height] = box * WARP;
        const unsigned child = base[height] + lane;
        const bool some = child < boxes.count[height];
        float4 middle, half;
        offset_box(boxes.box[height][some ? child : 0], origin, &middle, &half);
        half.w = least + 0x1p-20f * (largest_of(middle) + largest_of(half) + farthest);
        unsigned hits = reached(now, lane, body, around, some, middle, half);
        if (height == 0) {
            const unsigned place = listed + (unsigned)__popc(hits & ((1u << lane) - 1));
            if ((hits >> lane & 1) && place < LISTED) {
                middle.w = __uint_as_float(child);
                list->middle[place] = middle;
                list->half[place] = half;
            }
            listed += (unsigned)__popc(hits);
            hits = 0;
        }
        todo[height] = hits;
        while (height < boxes.heights && todo[height] == 0)
            height++;
        if (height == boxes.heights || listed > LISTED)
            break;
        box = base[height] + (unsigned)__ffs((int)todo[height]) - 1;
        todo[height] &= todo[height] - 1;
    }
    __syncwarp();
    return listed;
}

/* Picks the bodies of `now`, at least two, whose search distance is below the mean, or the first
 * half of them if the distances are equal. */
static __device__ __forceinline__ unsigned fewer_of(unsigned now, unsigned lane, float reach)
{
    const bool mine = now >> lane & 1;
    float sum = mine ? reach : 0;
    for (int step = WARP / 2; step > 0; step /= 2)
        sum += __shfl_xor_sync(ALL, sum, step);
    const unsigned fewer = __ballot_sync(ALL, mine && reach * (float)__popc(now) < sum) & now;
    return fewer && fewer != now ? fewer : now & ((2u << __fns(now, 0, __popc(now) / 2)) - 1);
}

/* One warp per chunk. Bodies whose neighbours are farther than expected, and bodies without a last
 * distance, are left to near_search_kernel. */
__global__ void __launch_bounds__(FINDERS *WARP)
    near_find_kernel(size_t count, unsigned k, near_boxes boxes, const double (*__restrict__ at)[3],
                     const float4 *__restrict__ offset, const unsigned *__restrict__ of,
                     const unsigned *__restrict__ body, float *__restrict__ last,
                     float *__restrict__ distance, unsigned *__restrict__ left)
{
    __shared__ near_list lists[FINDERS];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned chunk = blockIdx.x * FINDERS + warp;
    if (chunk >= boxes.count[0])
        return;
    const size_t first = (size_t)chunk * WARP;
    const bool some = first + lane < count;
    double from[3], origin[3];
    for (int c = 0; c < 3; c++) {
        from[c] = at[some ? first + lane : first][c];
        origin[c] = at[first][c];
    }
    float4 near = {(float)(from[0] - origin[0]), (float)(from[1] - origin[1]),
                   (float)(from[2] - origin[2]), 0};
    const unsigned which = some ? body[first + lane] : 0;
    float reach = some ? AGAIN * last[which] : 0, found = -1;
    struct finder own = {&lists[warp], at, offset, count, lane, k};
    unsigned turns = 0, too_long = 0,
             todo = __ballot_sync(ALL, reach < 0x1p50f && reach > 0x1p-50f);
    const float farthest = warp_max(largest_of(near));
    while (todo && too_long < SHORT) {
        unsigned now = todo;
        near.w = reach;
        own.list->body[lane] = near;
        __syncwarp();
        for (;;) {
            own.listed = list_chunks(own.list, boxes, lane, now, near, origin, farthest);
            if (own.listed <= LISTED || __popc(now) == 1)
                break;
            now = fewer_of(now, lane, reach);
        }
        const bool fits = own.listed <= LISTED;
        too_long += !fits;
        for (; now; now &= now - 1) {
            const int b = __ffs((int)now) - 1;
            own.own = first + (unsigned)b;
            own.look_from(b);
            const unsigned here = fits ? own.keep_near() : 0;
            double square = INFINITY;
            if (here >= k && here <= KEPT)
                square = here <= 2 * WARP ? own.pick<2>(here) : own.pick<KEPT / WARP>(here);
            __syncwarp();
            const bool known = square <= (double)own.square * (1 - (double)SLACK);
            if (lane == (unsigned)b) {
                turns++;
                found = known ? (float)__dsqrt_rn(square) : found;
                reach *= here > KEPT ? cbrtf(1.5f * (float)k / (float)here) : fits ? MORE : LESS;
            }
            if (known || __shfl_sync(ALL, turns, b) >= TURNS)
                todo &= ~(1u << b);
        }
    }
    if (some && found >= 0) {
        last[which] = found;
        distance[of ? of[which] : which] = found;
    }
    const unsigned missing = __ballot_sync(ALL, some && !(found >= 0));
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

/* Of as many bodies as sort before a part, as many numbers are smaller than its first. */
__global__ void __launch_bounds__(THREADS)
    near_order_kernel(size_t count, const unsigned *__restrict__ of,
                      const unsigned *__restrict__ sorted, unsigned *__restrict__ order)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < count)
        order[of ? of[i] : i] = sorted[i];
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
    near_find_kernel<<<(chunks + FINDERS - 1) / FINDERS, FINDERS * WARP, 0, stream>>>(
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
                                     unsigned *order, void *on)
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
    near_order_kernel<<<blocks_for(n), THREADS, 0, stream>>>(n, of, curve.body[1], order);
    return cudaGetLastError();
}
