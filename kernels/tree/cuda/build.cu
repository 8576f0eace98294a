/* Keys, sorting, and the octree. Cells are stored level by level from the root, within a level in
 * the order of their bodies, and the children of a cell are contiguous. */
#include "kernels/tree/cuda/hilbert.cuh"
#include "kernels/tree/cuda/space.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

enum { WINDOW = LEAF, AROUND = THREADS + 2 * WINDOW + 2 };

static __device__ __forceinline__ double size_of(const double *a)
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static __device__ tree_share joined(const tree_share &a, const tree_share &b)
{
    tree_share sum;
    for (int c = 0; c < 3; c++) {
        sum.least[c] = fmin(a.least[c], b.least[c]);
        sum.most[c] = fmax(a.most[c], b.most[c]);
    }
    sum.mass = a.mass + b.mass;
    sum.size = a.size + b.size;
    sum.broken = a.broken | b.broken;
    sum.negative = a.negative | b.negative;
    sum.moving = a.moving | b.moving;
    sum.unknown = a.unknown | b.unknown;
    sum.half = fmin(a.half, b.half);
    sum.largest = fmax(a.largest, b.largest);
    return sum;
}

static __device__ tree_share nothing(void)
{
    tree_share none = {};
    none.half = INFINITY;
    for (int c = 0; c < 3; c++) {
        none.least[c] = INFINITY;
        none.most[c] = -INFINITY;
    }
    return none;
}

/* Adds the shares of a block's THREADS threads in thread order. */
static __device__ tree_share add_up(tree_share own, tree_share *shared)
{
    shared[threadIdx.x] = own;
    for (int step = THREADS / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            shared[threadIdx.x] = joined(shared[threadIdx.x], shared[threadIdx.x + step]);
    }
    __syncthreads();
    return shared[0];
}

__global__ void __launch_bounds__(THREADS)
    survey_kernel(size_t count, const double *__restrict__ rows, const double *__restrict__ halves,
                  const double *__restrict__ last, const tree_head *head, bool again,
                  tree_share *__restrict__ share)
{
    __shared__ tree_share shared[THREADS];
    if (again && head->known)
        return;
    tree_share own = nothing();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < count;
         i += (size_t)SURVEYORS * THREADS) {
        const double *row = rows + 4 * i;
        for (int c = 0; c < 3; c++) {
            own.least[c] = fmin(own.least[c], row[c]);
            own.most[c] = fmax(own.most[c], row[c]);
            own.broken |= !isfinite(row[c]);
        }
        own.mass += row[3];
        own.negative |= row[3] < 0;
        if (halves) {
            own.half = fmin(own.half, halves[i]);
            own.largest = fmax(own.largest, halves[i]);
        }
        if (last) {
            double size = size_of(last + 3 * i);
            own.size += size;
            own.moving |= size != 0;
            own.unknown |= !isfinite(size);
        }
    }
    own = add_up(own, shared);
    if (threadIdx.x == 0)
        share[blockIdx.x] = own;
}

/* Returns the acceleration below which errors no longer matter: a thousandth of the mean, or, if a
 * small dense core makes the mean large, the acceleration that all bodies together cause at their
 * edge. */
static __device__ float least_of(double mean, const tree_head &head)
{
    const double least = 1e-3 * mean;
    return (float)((head.typical > 0 ? fmin(least, head.typical) : least) / head.unit);
}

/* Finds the box as key_box_of in sim/gravity/tree/morton.h does, but from fewer samples and larger:
 * bodies outside the box are clamped to its corners, and one warp handles all bodies of a
 * corner. Nor is a few outliers' box so small that the finest cells are below 1/256 of the
 * softening: bodies much closer together than their softening are to share a leaf, see is_merged.
 */
__global__ void __launch_bounds__(SAMPLE)
    frame_kernel(size_t count, const double *__restrict__ rows,
                 const tree_share *__restrict__ share, double softening, bool mixed,
                 tree_head *head)
{
    __shared__ tree_share shared[THREADS];
    __shared__ double values[SAMPLE], found;
    __shared__ tree_share all;
    tree_share own = threadIdx.x < SURVEYORS ? share[threadIdx.x] : nothing();
    if (threadIdx.x < THREADS)
        shared[threadIdx.x] = own;
    for (int step = THREADS / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            shared[threadIdx.x] = joined(shared[threadIdx.x], shared[threadIdx.x + step]);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        all = shared[0];
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();

    size_t stride = (count + SAMPLE - 1) / SAMPLE;
    unsigned taken = (unsigned)((count + stride - 1) / stride);
    const double *row = rows + 4 * stride * (threadIdx.x < taken ? threadIdx.x : 0);
    double centre[3], away = 0, farthest = 0;
    for (int c = 0; c < 3; c++) {
        centre[c] = of_rank(row[c], threadIdx.x, taken, taken / 2, values, &found);
        away = fmax(away, fabs(row[c] - centre[c]));
        farthest = fmax(farthest, fmax(all.most[c] - centre[c], centre[c] - all.least[c]));
    }
    double most = of_rank(away, threadIdx.x, taken, taken * 9 / 10, values, &found);
    if (threadIdx.x > 0)
        return;
    const double least = mixed ? sqrt(2 * all.half) : softening;
    double half = most > 0 ? fmin(farthest, fmax(1024 * most, 4096 * least)) : farthest;
    bool broken = all.broken;
    int exponent;
    (void)frexp(half > 0 && !broken ? half : 1, &exponent);
    double scale = ldexp(1.0, -exponent), mass = all.mass > 0 ? all.mass : 1;
    for (int c = 0; c < 3; c++)
        head->centre[c] = broken ? 0 : centre[c];
    head->scale = scale;
    head->mass_unit = mass;
    head->unit = mass * scale * scale;
    double eps = softening * scale;
    (void)frexp(sqrt(eps), &exponent);
    head->softening2 = mixed ? 0 : (float)(eps * eps);
    head->zoom = (float)ldexp(1.0, -exponent);
    head->typical = most > 0 ? 3e-3 * mass / (most * most) : 0;
    head->least = least_of(all.size / (double)count, *head);
    head->broken = broken || all.negative;
    head->known = all.moving && !all.unknown;
    head->mixed = mixed;
    head->half = all.half;
    head->octaves = all.half > 0 ? fmax(log2(all.largest / all.half) / 7, 1.0) : 1;
    head->work = {};
    head->work.negative = all.negative;
    head->work.known = head->known;
}

/* The mean magnitude of the accelerations from a first evaluation. */
__global__ void __launch_bounds__(THREADS)
    reframe_kernel(size_t count, const tree_share *__restrict__ share, tree_head *head)
{
    __shared__ tree_share shared[THREADS];
    if (head->known)
        return;
    tree_share all = add_up(share[threadIdx.x], shared);
    if (threadIdx.x == 0) {
        head->least = least_of(all.size / (double)count, *head);
        const struct tree_cuda_work work = head->work;
        head->work = {};
        head->work.cells = work.cells;
        head->work.levels = work.levels;
        head->work.negative = work.negative;
        head->work.lost = work.lost;
        head->pool = head->joins = head->meets = head->lone = head->longs = head->taken = 0;
        for (int w = 0; w <= WAVES; w++)
            head->next[w] = 0;
    }
}

/* Returns one of 8 softening classes, in steps of at least a factor of 2 from the smallest
 * eps^2. */
static __device__ __forceinline__ unsigned long long class_of(double half, const tree_head *head)
{
    const double ratio = head->half > 0 ? half / head->half : 1;
    return ratio > 1 ? (unsigned long long)fmin(7.0, rint(log2(ratio) / head->octaves)) : 0;
}

/* Mixed softenings: the first level of keys is the softening class instead of the place, so that
 * each cell below the root holds bodies of one class. */
__global__ void __launch_bounds__(THREADS)
    key_kernel(size_t count, const double *__restrict__ rows, const double *__restrict__ halves,
               const tree_head *__restrict__ head, unsigned long long *__restrict__ key,
               unsigned *__restrict__ body)
{
    size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const int levels = LEVELS - (halves != NULL);
    unsigned long long all = halves ? class_of(halves[i], head) << 3 * levels : 0;
    for (int c = 0; c < 3; c++) {
        double at = ((rows[4 * i + c] - head->centre[c]) * head->scale + 1) * (1 << (levels - 1));
        double most = (1 << levels) - 1;
        unsigned long long place = at > 0 ? (unsigned long long)fmin(at, most) : 0;
        all |= bits_spread(place) << (2 - c);
    }
    key[i] = all;
    body[i] = (unsigned)i;
}

/* The number of levels below the root that two keys share. */
static __device__ __forceinline__ int common(unsigned long long a, unsigned long long b)
{
    return a == b ? LEVELS : (__clzll((long long)(a ^ b)) - 1) / 3;
}

/* Whether a body may lie outside the box: its key is at either end of an axis. */
static __device__ __forceinline__ bool at_an_end(unsigned long long key, bool mixed)
{
    const unsigned long long axis = 0x1249249249249249ull >> (mixed ? 3 : 0);
    bool end = false;
    for (int c = 0; c < 3; c++)
        end |= (key >> c & axis) == 0 || (key >> c & axis) == axis;
    return end;
}

/* Further limits that leaves are cut by, besides the keys. `again`: cut only if no accelerations
 * were known at first and a first evaluation has now provided them. */
struct tides {
    const double *last; /* in the order of the rows, or NULL */
    const unsigned *body;
    float spread, sparse;
    bool again;
};

/* Whether the accelerations of the bodies from `low` to `high` differ too much to share a leaf. */
static __device__ bool too_wide(const float4 *pull, int low, int high, int level, size_t count,
                                const tides &by)
{
    float least[3] = {INFINITY, INFINITY, INFINITY}, most[3] = {-INFINITY, -INFINITY, -INFINITY};
    float largest = 0, apart = 0;
    for (int t = low; t <= high; t++) {
        const float a[3] = {pull[t].x, pull[t].y, pull[t].z};
        for (int c = 0; c < 3; c++) {
            least[c] = fminf(least[c], a[c]);
            most[c] = fmaxf(most[c], a[c]);
        }
        largest = fmaxf(largest, a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    for (int c = 0; c < 3; c++)
        apart += (most[c] - least[c]) * (most[c] - least[c]);
    const float side = ldexpf(2, -level), mass = (float)(high - low + 1) / (float)count;
    return apart > by.spread * by.spread * largest && sqrtf(apart) * side * side > by.sparse * mass;
}

static __device__ __forceinline__ int least_in_warp(int value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(ALL, value);
#else
    for (int step = WARP / 2; step > 0; step /= 2)
        value = min(value, __shfl_xor_sync(ALL, value, step));
    return value;
#endif
}

/* Powers of two: a window of LEAF + 1 values, or of 2 WINDOW + 1, is two of these. */
enum { MANY_AHEAD = 32, NEAR_AHEAD = 64 };

static_assert(MANY_AHEAD <= LEAF + 1 && 2 * MANY_AHEAD >= LEAF + 1, "two cover a window");
static_assert(NEAR_AHEAD <= 2 * WINDOW + 1 && 2 * NEAR_AHEAD >= 2 * WINDOW + 1, "likewise");

/* Replaces values by the largest of the `ahead` values from there on, for two arrays of AROUND. */
static __device__ __forceinline__ void largest_ahead(signed char *one, int one_ahead,
                                                     signed char *other, int other_ahead)
{
    enum { OWN = (AROUND + THREADS - 1) / THREADS };
    for (int ahead = 1; ahead < max(one_ahead, other_ahead); ahead *= 2) {
        signed char largest[OWN][2];
        __syncthreads();
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const int t = (int)threadIdx.x + k * THREADS, to = min(t + ahead, AROUND - 1);
            if (t < AROUND) {
                largest[k][0] = max(one[t], one[to]);
                largest[k][1] = max(other[t], other[to]);
            }
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < OWN; k++) {
            const int t = (int)threadIdx.x + k * THREADS;
            if (t < AROUND && ahead < one_ahead)
                one[t] = largest[k][0];
            if (t < AROUND && ahead < other_ahead)
                other[t] = largest[k][1];
        }
    }
    __syncthreads();
}

/* A cell is cut if it has more than LEAF bodies, if two of its bodies separate more than SPAN
 * levels below it, if it has a body that may be outside the box and another body, or if it is too
 * wide. So a body lies in cut cells down to the deepest level at which it shares a cell with LEAF
 * others or with such bodies. The decision needs only the LEAF bodies on either side. */
__global__ void __launch_bounds__(THREADS)
    depth_kernel(size_t count, const unsigned long long *__restrict__ key, tides by,
                 const tree_head *__restrict__ head, unsigned short *__restrict__ depth,
                 float *__restrict__ size, unsigned blocks, unsigned *__restrict__ counts)
{
    __shared__ unsigned long long keys[AROUND];
    __shared__ float4 pull[AROUND];
    __shared__ signed char many[AROUND], shared[AROUND], strict[AROUND], near[AROUND];
    __shared__ unsigned levels[DEPTHS];
    if (by.again && head->known)
        return;
    const bool tidal = by.last && (by.again || head->known);
    const double inverse = 1 / head->unit;
    const long long base = (long long)blockIdx.x * THREADS - WINDOW - 1;
    for (int t = (int)threadIdx.x; t < AROUND; t += THREADS) {
        long long i = base + t;
        const bool some = i >= 0 && i < (long long)count;
        keys[t] = some ? key[i] : 0;
        if (some && tidal) {
            const double *a = by.last + 3 * (size_t)by.body[i];
            pull[t] = make_float4((float)(a[0] * inverse), (float)(a[1] * inverse),
                                  (float)(a[2] * inverse), 0);
        }
    }
    if (threadIdx.x < DEPTHS)
        levels[threadIdx.x] = 0;
    __syncthreads();
    /* shared: levels shared with the next body; many: with the LEAF-th next body */
    for (int t = (int)threadIdx.x; t < AROUND; t += THREADS) {
        long long i = base + t;
        shared[t] = t + 1 < AROUND && i >= 0 && i + 1 < (long long)count
                        ? (signed char)common(keys[t], keys[t + 1])
                        : (signed char)-1;
        many[t] = t + LEAF < AROUND && i >= 0 && i + LEAF < (long long)count
                      ? (signed char)common(keys[t], keys[t + LEAF])
                      : (signed char)-1;
    }
    __syncthreads();
    for (int t = (int)threadIdx.x; t < AROUND; t += THREADS) {
        const int closest = max(t > 0 ? shared[t - 1] : -1, shared[t]) - SPAN - 1;
        strict[t] = near[t] = (signed char)(at_an_end(keys[t], head->mixed) ? LEVELS - 1 : closest);
    }
    largest_ahead(many, MANY_AHEAD, near, NEAR_AHEAD);

    const int own = (int)threadIdx.x + WINDOW + 1;
    const long long i = base + own;
    int first = DEPTHS, last = -1;
    if (i < (long long)count) {
        int deepest, strictest;
        deepest = max((int)many[own - LEAF], (int)many[own + 1 - MANY_AHEAD]);
        strictest = max((int)near[own - WINDOW], (int)near[own + WINDOW + 1 - NEAR_AHEAD]);
        if (strictest > deepest)
            for (int t = own - WINDOW; t <= own + WINDOW; t++) {
                if (base + t < 0 || base + t >= (long long)count)
                    continue;
                int with =
                    t == own ? max((int)shared[t - 1], (int)shared[t]) : common(keys[t], keys[own]);
                deepest = max(deepest, min((int)strict[t], with));
            }
        for (bool wide = tidal; wide && deepest + 1 < LEVELS;) {
            int low = own, high = own;
            while (low > 0 && shared[low - 1] > deepest)
                low--;
            while (shared[high] > deepest)
                high++;
            wide =
                low < high && too_wide(pull, low, high, deepest + 1 - (int)head->mixed, count, by);
            deepest += wide;
        }
        const float4 a = pull[own];
        size[i] = tidal ? sqrtf(a.x * a.x + a.y * a.y + a.z * a.z) : INFINITY;
        first = i == 0 ? 0 : shared[own - 1] + 1;
        last = min(deepest + 1, (int)LEVELS);
        depth[i] = (unsigned short)(first << 8 | last);
    }
    const int least = least_in_warp(first), most = -least_in_warp(-last);
    for (int level = least; level <= most; level++) {
        unsigned here = __popc(__ballot_sync(ALL, first <= level && level <= last));
        if (threadIdx.x % WARP == 0 && here > 0)
            atomicAdd(&levels[level], here);
    }
    __syncthreads();
    if (threadIdx.x < DEPTHS)
        counts[(size_t)threadIdx.x * blocks + blockIdx.x] = levels[threadIdx.x];
}

/* The first cell of each level, and how many levels fit into the available cells. `counts` holds
 * prefix sums. */
__global__ void level_kernel(unsigned blocks, const unsigned *__restrict__ counts, unsigned cells,
                             bool again, tree_head *head)
{
    if (threadIdx.x > DEPTHS || (again && head->known))
        return;
    unsigned from = counts[(size_t)threadIdx.x * blocks];
    head->level[threadIdx.x] = from;
    unsigned fits = __ballot_sync((1u << (DEPTHS + 1)) - 1, from <= cells);
    /* level[l] is where level l - 1 ends */
    unsigned levels = 31 - __clz(fits);
    unsigned some =
        __ballot_sync((1u << (DEPTHS + 1)) - 1,
                      threadIdx.x < DEPTHS && counts[(size_t)(threadIdx.x + 1) * blocks] > from);
    levels = min(levels, 32 - (unsigned)__clz(some));
    if (threadIdx.x == 0) {
        unsigned end = counts[(size_t)levels * blocks];
        head->levels = levels;
        head->work.cells = end;
        head->work.levels = levels;
        head->pool = head->joins = head->meets = head->lone = head->longs = head->taken = 0;
        for (int w = 0; w <= WAVES; w++)
            head->waves[w] = head->next[w] = 0;
    }
}

/* Fills in each cell's first body and first child; other fields are zero until they are known. */
__global__ void __launch_bounds__(THREADS)
    cell_kernel(size_t count, const unsigned short *__restrict__ depth, unsigned blocks,
                const unsigned *__restrict__ counts, bool again, const tree_head *__restrict__ head,
                tree_cell *__restrict__ cell, unsigned *__restrict__ arrived)
{
    __shared__ unsigned offset[THREADS / WARP][DEPTHS];
    if (again && head->known)
        return;
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const int levels = (int)head->levels;
    int first = DEPTHS, last = -1, mine = -1;
    if (i < count) {
        first = depth[i] >> 8;
        mine = depth[i] & 255;
        last = min(mine, levels - 1);
    }
    const int least = least_in_warp(first), most = -least_in_warp(-last);
    if (lane < DEPTHS)
        offset[warp][lane] = 0;
    __syncwarp();
    for (int level = least; level <= most; level++) {
        unsigned here = __popc(__ballot_sync(ALL, first <= level && level <= last));
        if (lane == 0)
            offset[warp][level] = here;
    }
    __syncthreads();
    if (threadIdx.x < levels) {
        unsigned sum = counts[(size_t)threadIdx.x * blocks + blockIdx.x];
        for (int w = 0; w < THREADS / WARP; w++) {
            unsigned here = offset[w][threadIdx.x];
            offset[w][threadIdx.x] = sum;
            sum += here;
        }
    }
    __syncthreads();
    unsigned before = 0;
    for (int level = least; level <= most; level++) {
        const bool begins = first <= level && level <= last;
        unsigned set = __ballot_sync(ALL, begins);
        unsigned index = offset[warp][level] + __popc(set & ((1u << lane) - 1));
        if (begins && level > first)
            cell[before].child = index;
        if (begins) {
            cell[index].first = (unsigned)i;
            cell[index].child = 0;
            cell[index].children = level < last ? 1 : 0;
            arrived[index] = 0;
        }
        before = index;
    }
}

static __device__ __forceinline__ unsigned level_of(const tree_head *head, unsigned cell)
{
    unsigned level = 0;
    while (level + 1 < head->levels && cell >= head->level[level + 1])
        level++;
    return level;
}

/* Counts the bodies and children of each cell, and sets the parent of each child. */
__global__ void __launch_bounds__(THREADS)
    link_kernel(size_t count, const unsigned long long *__restrict__ key, bool again,
                const tree_head *__restrict__ head, tree_cell *cell, unsigned *__restrict__ parent)
{
    if (again && head->known)
        return;
    for (unsigned c = blockIdx.x * THREADS + threadIdx.x; c < head->work.cells;
         c += gridDim.x * THREADS) {
        const unsigned level = level_of(head, c), first = cell[c].first;
        const int bits = 3 * (LEVELS - (int)level);
        const unsigned long long prefix = key[first] >> bits;
        /* finds the first body after `low` whose prefix differs */
        size_t low = first, step = LEAF / 2;
        while (low + step < count && key[low + step] >> bits == prefix) {
            low += step;
            step *= 2;
        }
        size_t high = low + step < count ? low + step : count;
        while (high - low > 1) {
            size_t middle = low + (high - low) / 2;
            if (key[middle] >> bits == prefix)
                low = middle;
            else
                high = middle;
        }
        cell[c].count = (unsigned)(high - first);
        if (c == 0)
            parent[c] = 0;
        if (cell[c].children == 0)
            continue;
        unsigned child = cell[c].child, children = 0, end = head->level[level + 2];
        while (child + children < end && cell[child + children].first < high) {
            parent[child + children] = c;
            children++;
        }
        cell[c].children = children;
    }
}

struct wave_limits {
    unsigned count, limit[WAVES + 1]; /* the last limit is that of units */
};

/* A cell belongs to the last wave whose limit lies between its size and its parent's size; a leaf
 * belongs to the last wave of all. Cells below units, and cells without sinks, belong to no
 * wave. */
__global__ void __launch_bounds__(THREADS) wave_kernel(tree_space s, bool again, wave_limits waves)
{
    if (again && s.head->known)
        return;
    const unsigned unit = waves.limit[waves.count - 1], lane = threadIdx.x % WARP;
    const unsigned cells = s.head->work.cells;
    for (unsigned c = blockIdx.x * THREADS + threadIdx.x; c - lane < cells;
         c += gridDim.x * THREADS) {
        int own = -1;
        if (c < cells) {
            const tree_cell cell = s.cell[c];
            const unsigned above = c > 0 ? s.cell[s.parent[c]].count : ALL;
            s.kept[c] = make_uint2(0, ALL);
            if (c == 0)
                *s.root = 0;
            for (unsigned w = 0; w < waves.count; w++)
                if (cell.count <= waves.limit[w] && above > waves.limit[w])
                    own = (int)w;
            if (cell.children == 0 && above > unit)
                own = (int)waves.count - 1;
            if (own < 0 && cell.count > unit)
                s.cell[c].children = cell.children | PASSED;
            if (own >= 0 && sinks_in(s, cell.first, cell.count) == 0)
                own = -1;
        }
        /* Most cells belong to the last wave: one addition for all of a warp's. */
        const unsigned same = __match_any_sync(ALL, own);
        unsigned at = 0;
        if (own >= 0 && lane == (unsigned)__ffs((int)same) - 1)
            at = atomicAdd(&s.head->waves[own], __popc(same));
        at = __shfl_sync(ALL, at, __ffs((int)same) - 1) + __popc(same & ((1u << lane) - 1));
        if (own >= 0)
            s.wave[own][at] = c;
    }
}

int tree_cuda_order(void *scratch, size_t bytes, unsigned long long *const key[2],
                    unsigned *const body[2], size_t count, int passed, cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(scratch, bytes, key[0], key[1], body[0], body[1],
                                           (int)count, 3 * passed, 3 * LEVELS, stream);
}

int tree_cuda_sort(const struct tree_cuda_plan *plan, const struct tree_space *space,
                   const double *rows, const double *halves, const double *last, double softening,
                   cudaStream_t stream)
{
    const size_t count = plan->bodies;
    size_t bytes = plan->sort_bytes;
    survey_kernel<<<SURVEYORS, THREADS, 0, stream>>>(count, rows, halves, last, space->head, false,
                                                     space->share);
    frame_kernel<<<1, SAMPLE, 0, stream>>>(count, rows, space->share, softening, plan->mixed,
                                           space->head);
    key_kernel<<<blocks_for(count), THREADS, 0, stream>>>(count, rows, halves, space->head,
                                                          space->key[0], space->body[0]);
    return tree_cuda_order(space->scratch, bytes, space->key, space->body, count, 0, stream);
}

/* Sets 1 for each place that holds a sink, and 0 after the last place. */
__global__ void __launch_bounds__(THREADS)
    sink_kernel(size_t count, const unsigned *__restrict__ body, const uint8_t *__restrict__ rungs,
                int from, const tree_head *__restrict__ head, unsigned *__restrict__ sinks)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i <= count)
        sinks[i] = i < count && (!head->known || rungs[body[i]] >= from);
}

int tree_cuda_count_sinks(const struct tree_cuda_plan *plan, const struct tree_space *space,
                          const uint8_t *rungs, int from, cudaStream_t stream)
{
    const size_t places = plan->bodies + 1;
    size_t bytes = plan->scan_bytes;
    sink_kernel<<<blocks_for(places), THREADS, 0, stream>>>(plan->bodies, space->body[1], rungs,
                                                            from, space->head, space->sinks_before);
    return cub::DeviceScan::ExclusiveSum(space->scratch, bytes, space->sinks_before,
                                         space->sinks_before, (int)places, stream);
}

int tree_cuda_build(const struct tree_cuda_plan *plan, const struct tree_space *space,
                    const struct tree_cuda_rule *rule, const double *last, bool again,
                    cudaStream_t stream)
{
    const size_t count = plan->bodies;
    const unsigned blocks = blocks_for(count);
    const tides by = {last, space->body[1], rule->spread, rule->sparse, again};
    size_t bytes = plan->scan_bytes;
    depth_kernel<<<blocks, THREADS, 0, stream>>>(count, space->key[1], by, space->head,
                                                 space->depth, space->size, blocks, space->counts);
    cudaError_t error =
        cub::DeviceScan::ExclusiveSum(space->scratch, bytes, space->counts, space->counts,
                                      (int)(DEPTHS * (size_t)blocks + 1), stream);
    if (error != cudaSuccess)
        return error;
    level_kernel<<<1, WARP, 0, stream>>>(blocks, space->counts, plan->cells, again, space->head);
    cell_kernel<<<blocks, THREADS, 0, stream>>>(count, space->depth, blocks, space->counts, again,
                                                space->head, space->cell, space->arrived);
    link_kernel<<<plan->blocks, THREADS, 0, stream>>>(count, space->key[1], again, space->head,
                                                      space->cell, space->parent);
    return cudaGetLastError();
}

int tree_cuda_waves(const struct tree_cuda_plan *plan, const struct tree_space *space, bool again,
                    cudaStream_t stream)
{
    wave_limits waves = {plan->waves, {}};
    for (unsigned w = 0; w < plan->waves; w++)
        waves.limit[w] = plan->limit[w];
    wave_kernel<<<plan->blocks, THREADS, 0, stream>>>(*space, again, waves);
    return cudaGetLastError();
}

int tree_cuda_survey(const struct tree_cuda_plan *plan, const struct tree_space *space,
                     const double *rows, const double *last, cudaStream_t stream)
{
    survey_kernel<<<SURVEYORS, THREADS, 0, stream>>>(plan->bodies, rows, NULL, last, space->head,
                                                     true, space->share);
    reframe_kernel<<<1, THREADS, 0, stream>>>(plan->bodies, space->share, space->head);
    return cudaGetLastError();
}

cudaError_t tree_cuda_scratch(size_t bodies, size_t *sort_bytes, size_t *scan_bytes)
{
    unsigned long long *keys = NULL;
    unsigned *values = NULL;
    cudaError_t error = cub::DeviceRadixSort::SortPairs(NULL, *sort_bytes, keys, keys, values,
                                                        values, (int)bodies, 0, 3 * LEVELS);
    const size_t counts = DEPTHS * (size_t)blocks_for(bodies) + 1;
    if (error == cudaSuccess)
        error = cub::DeviceScan::ExclusiveSum(NULL, *scan_bytes, values, values,
                                              (int)(counts > bodies + 1 ? counts : bodies + 1));
    return error;
}
