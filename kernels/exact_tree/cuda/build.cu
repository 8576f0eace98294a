/* Keys, their order, cells and their moments. Compiled without contraction. */
#include "kernels/exact_tree/cuda/items.cuh"

#define EXACT_TREE_READ(from)      read_item(from)
#define EXACT_TREE_WRITE(to, item) write_item(to, item)

#include "kernels/exact_tree/cuda/space.cuh"

#include <cub/device/device_radix_sort.cuh>
#include <cuda/atomic>

static const unsigned ALL = 0xffffffffu;

enum { SAMPLE = 2048, SORTERS = 256, SHARE = SAMPLE / SORTERS };

static __device__ void join(exact_tree_census *all, const exact_tree_census &one)
{
    exact_tree_add_census(all, &one);
}

static __device__ void join(exact_tree_share *all, const exact_tree_share &one)
{
    for (int c = 0; c < 3; c++) {
        all->least[c] = fmin(all->least[c], one.least[c]);
        all->most[c] = fmax(all->most[c], one.most[c]);
    }
    all->largest = fmax(all->largest, one.largest);
    all->half_low = fmin(all->half_low, one.half_low);
    all->half_high = fmax(all->half_high, one.half_high);
    all->broken |= one.broken;
    all->negative |= one.negative;
    join(&all->census, one.census);
}

static __device__ exact_tree_share nothing(void)
{
    exact_tree_share none = {};
    for (int c = 0; c < 3; c++) {
        none.least[c] = INFINITY;
        none.most[c] = -INFINITY;
    }
    none.half_low = INFINITY;
    return none;
}

/* Reduces what the threads of a block found, into shared[0]. */
template <class SHARE, int COUNT> static __device__ void gather(SHARE own, SHARE *shared)
{
    if (threadIdx.x < COUNT)
        shared[threadIdx.x] = own;
    for (int step = COUNT / 2; step > 0; step /= 2) {
        __syncthreads();
        if (threadIdx.x < step)
            join(&shared[threadIdx.x], shared[threadIdx.x + step]);
    }
    __syncthreads();
}

__global__ void __launch_bounds__(THREADS)
    exact_tree_survey_kernel(size_t count, const double *__restrict__ rows, unsigned row_stride,
                             const double *__restrict__ mass, const double *__restrict__ halves,
                             unsigned half_stride, const double *__restrict__ last,
                             unsigned last_stride, exact_tree_share *__restrict__ share)
{
    __shared__ exact_tree_share shared[THREADS];
    exact_tree_share own = nothing();
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < count;
         i += (size_t)SURVEYORS * THREADS) {
        const double *row = rows + row_stride * i;
        for (int c = 0; c < 3; c++) {
            own.least[c] = fmin(own.least[c], row[c]);
            own.most[c] = fmax(own.most[c], row[c]);
            own.broken |= !isfinite(row[c]);
        }
        const double weight = mass[row_stride * i];
        own.largest = fmax(own.largest, weight);
        own.negative |= weight < 0;
        exact_tree_weigh(&own.census, weight);
        if (halves) {
            own.half_low = fmin(own.half_low, halves[half_stride * i]);
            own.half_high = fmax(own.half_high, halves[half_stride * i]);
        }
        if (last)
            exact_tree_count(&own.census, exact_tree_size(last + last_stride * i));
    }
    gather<exact_tree_share, THREADS>(own, shared);
    if (threadIdx.x == 0)
        share[blockIdx.x] = shared[0];
}

__global__ void __launch_bounds__(SURVEYORS) exact_tree_sum_kernel(exact_tree_share *share)
{
    __shared__ exact_tree_share shared[SURVEYORS];
    gather<exact_tree_share, SURVEYORS>(share[threadIdx.x], shared);
    if (threadIdx.x == 0)
        share[0] = shared[0];
}

extern "C" int exact_tree_cuda_survey(size_t count, const double *rows, unsigned row_stride,
                                      const double *mass, const double *halves,
                                      unsigned half_stride, const double *last,
                                      unsigned last_stride, struct exact_tree_share *share,
                                      void *on)
{
    cudaStream_t stream = (cudaStream_t)on;
    exact_tree_survey_kernel<<<SURVEYORS, THREADS, 0, stream>>>(
        count, rows, row_stride, mass, halves, half_stride, last, last_stride, share);
    exact_tree_sum_kernel<<<1, SURVEYORS, 0, stream>>>(share);
    return cudaGetLastError();
}

/* The order of the bits is the order of the numbers. */
static __device__ __forceinline__ unsigned long long ordered(double value)
{
    const unsigned long long bits = (unsigned long long)__double_as_longlong(value);
    return bits >> 63 ? ~bits : bits | 1ull << 63;
}

static __device__ __forceinline__ unsigned sum_of_warp(unsigned value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_add_sync(ALL, value);
#else
    for (int step = WARP / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(ALL, value, step);
    return value;
#endif
}

/* For each of COUNT sets of a block's values, the one that has `rank` values before it: bit by bit
 * from the highest. */
template <int COUNT>
static __device__ void of_rank(const double (*value)[SHARE], unsigned rank, double *out)
{
    enum { CREWS = SORTERS / WARP };
    __shared__ unsigned before[2][COUNT][CREWS];
    const unsigned lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned long long own[COUNT][SHARE], found[COUNT] = {};
    for (int set = 0; set < COUNT; set++)
        for (int k = 0; k < SHARE; k++)
            own[set][k] = ordered(value[set][k]);
    for (int bit = 63; bit >= 0; bit--) {
        unsigned(*const counts)[CREWS] = before[bit % 2];
#pragma unroll
        for (int set = 0; set < COUNT; set++) {
            unsigned below = 0;
#pragma unroll
            for (int k = 0; k < SHARE; k++)
                below += own[set][k] < (found[set] | 1ull << bit);
            below = sum_of_warp(below);
            if (lane == 0)
                counts[set][warp] = below;
        }
        __syncthreads();
#pragma unroll
        for (int set = 0; set < COUNT; set++) {
            unsigned below = 0;
#pragma unroll
            for (int w = 0; w < CREWS; w++)
                below += counts[set][w];
            found[set] |= below <= rank ? 1ull << bit : 0;
        }
    }
    for (int set = 0; set < COUNT; set++)
        out[set] = __longlong_as_double(
            (long long)(found[set] >> 63 ? found[set] & ~(1ull << 63) : ~found[set]));
}

/* Finds the same box as key_box_of in sim/gravity/tree/morton.c, from the same samples. */
__global__ void __launch_bounds__(SORTERS)
    exact_tree_frame_kernel(size_t count, const double *__restrict__ rows,
                            const exact_tree_share *__restrict__ share, double softening,
                            exact_tree_head *head)
{
    __shared__ exact_tree_share shared[SURVEYORS];
    exact_tree_share own = nothing();
    if (threadIdx.x < SURVEYORS)
        own = share[threadIdx.x];
    gather<exact_tree_share, SURVEYORS>(own, shared);
    const exact_tree_share all = shared[0];
    const size_t stride = (count + SAMPLE - 1) / SAMPLE, taken = (count + stride - 1) / stride;
    const bool broken = all.broken || all.negative;
    double at[3][SHARE], away[1][SHARE], centre[3], farthest = 0, most;
    for (int k = 0; k < SHARE; k++) {
        const unsigned i = threadIdx.x + k * SORTERS;
        const bool some = i < taken && !broken;
        away[0][k] = some ? 0 : INFINITY;
        for (int c = 0; c < 3; c++)
            at[c][k] = some ? rows[4 * stride * i + c] : INFINITY;
    }
    of_rank<3>(at, (unsigned)(taken / 2), centre);
    for (int c = 0; c < 3; c++) {
        centre[c] = broken ? 0 : centre[c];
        for (int k = 0; k < SHARE; k++)
            away[0][k] = fmax(away[0][k], fabs(at[c][k] - centre[c]));
        farthest = fmax(farthest, fmax(all.most[c] - centre[c], centre[c] - all.least[c]));
    }
    of_rank<1>(away, (unsigned)(taken * 9 / 10), &most);
    if (threadIdx.x > 0)
        return;
    const double half = broken ? 1 : most > 0 ? fmin(farthest, 16 * most) : farthest;
    int exponent;
    (void)frexp(half > 0 ? half : 1, &exponent);
    *head = {};
    head->frame =
        exact_tree_frame_of(centre, ldexp(1.0, -exponent), softening, broken ? 1 : all.largest);
    exact_tree_set_kinds(&head->frame, broken ? 0 : count, all.half_low, all.half_high);
    head->census = all.census;
    head->again.weights = all.census.weights;
    head->again.massive = all.census.massive;
    head->known = exact_tree_knows(&all.census);
    head->broken = broken;
    head->negative = head->work.negative = all.negative;
}

__global__ void __launch_bounds__(THREADS)
    exact_tree_key_kernel(size_t count, const double *__restrict__ rows,
                          const double *__restrict__ halves,
                          const exact_tree_head *__restrict__ head,
                          unsigned long long *__restrict__ key, unsigned *__restrict__ order)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    key[i] = exact_tree_key_of(&head->frame, rows + 4 * i, halves ? halves[i] : 0);
    order[i] = (unsigned)i;
}

__global__ void __launch_bounds__(THREADS)
    exact_tree_body_kernel(size_t count, const double *__restrict__ rows,
                           const double *__restrict__ halves,
                           const exact_tree_head *__restrict__ head, exact_tree tree)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count)
        return;
    const unsigned at = tree.order[i];
    const double2 xy = ((const double2 *)rows)[2 * (size_t)at],
                  zm = ((const double2 *)rows)[2 * (size_t)at + 1];
    const double row[4] = {xy.x, xy.y, zm.x, zm.y};
    write_item(tree.body + i, exact_tree_body_of(&head->frame, row, halves ? halves[at] : 0));
}

/* Puts `count` bodies with equal keys in the order of exact_tree_precedes, by a bitonic network
 * that a block walks through; places beyond the last one count as larger than all. */
static __device__ void order_ties(const exact_tree_frame &frame, const exact_tree_ties &of,
                                  unsigned long long *fine, unsigned *order, size_t count)
{
    bool wrong = false;
    for (size_t i = threadIdx.x; i + 1 < count; i += blockDim.x)
        wrong |= !exact_tree_precedes(&frame, of.position_of(order[i]), of.number_of(order[i]),
                                      of.position_of(order[i + 1]), of.number_of(order[i + 1]));
    if (!__syncthreads_or(wrong))
        return;
    for (size_t i = threadIdx.x; i < count; i += blockDim.x)
        fine[i] = exact_tree_fine(&frame, of.position_of(order[i]));
    for (size_t size = 2; size / 2 < count; size *= 2)
        for (size_t step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            for (size_t t = threadIdx.x;; t += blockDim.x) {
                const size_t low = t / step * 2 * step + t % step;
                const size_t high =
                    step == size / 2 ? low - t % step + size - 1 - t % step : low + step;
                if (low >= count)
                    break;
                if (high >= count)
                    continue;
                const unsigned long long a = fine[low], b = fine[high];
                const unsigned one = order[low], other = order[high];
                if (a < b || (a == b && of.number_of(one) < of.number_of(other)))
                    continue;
                fine[low] = b;
                fine[high] = a;
                order[low] = other;
                order[high] = one;
            }
        }
    __syncthreads();
}

enum { ORDERERS = 1024 };

__global__ void __launch_bounds__(ORDERERS)
    exact_tree_equal_kernel(size_t count, const unsigned long long *__restrict__ key,
                            const exact_tree_head *__restrict__ head, exact_tree_ties of,
                            unsigned long long *fine, unsigned *order)
{
    __shared__ unsigned start[ORDERERS / 2], found;
    const size_t i = (size_t)blockIdx.x * ORDERERS + threadIdx.x;
    if (threadIdx.x == 0)
        found = 0;
    __syncthreads();
    if (i + 1 < count && key[i] == key[i + 1] && (i == 0 || key[i - 1] != key[i]))
        start[atomicAdd(&found, 1)] = (unsigned)i;
    __syncthreads();
    for (unsigned k = 0; k < found; k++) {
        const size_t first = start[k];
        size_t last = first, step = 1; /* key[last] is equal */
        while (last + step < count && key[last + step] == key[first]) {
            last += step;
            step *= 2;
        }
        for (; step > 0; step /= 2)
            if (last + step < count && key[last + step] == key[first])
                last += step;
        order_ties(head->frame, of, fine + first, order + first, last + 1 - first);
    }
}

int exact_tree_cuda_order_equal(size_t count, const unsigned long long *key,
                                const struct exact_tree_head *head,
                                const struct exact_tree_ties &of, unsigned long long *fine,
                                unsigned *order, cudaStream_t stream)
{
    exact_tree_equal_kernel<<<(unsigned)((count + ORDERERS - 1) / ORDERERS), ORDERERS, 0, stream>>>(
        count, key, head, of, fine, order);
    return cudaGetLastError();
}

static cudaError_t sort_pairs(void *scratch, size_t *bytes, const struct exact_tree_space *space,
                              size_t count, cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairs(scratch, *bytes, space->key[0], space->key[1],
                                           space->order[0], space->order[1], (int)count, 0,
                                           3 * EXACT_TREE_KEY_LEVELS, stream);
}

/* Sorts by the exponent and 8 bits of the mantissa: costs are not negative, and a rough order is
 * enough. */
static cudaError_t sort_costs(void *scratch, size_t *bytes, const exact_tree_turns &turns,
                              size_t groups, cudaStream_t stream)
{
    return cub::DeviceRadixSort::SortPairsDescending(scratch, *bytes, turns.cost, turns.spare,
                                                     turns.index, turns.turn, (int)groups, 15, 31,
                                                     stream);
}

/* Memory of both sorts. */
int exact_tree_cuda_scratch(size_t bodies, size_t *bytes)
{
    const struct exact_tree_space none = {};
    size_t turns = 0;
    *bytes = 0;
    cudaError_t error = sort_pairs(NULL, bytes, &none, bodies, 0);
    if (error == cudaSuccess)
        error = sort_costs(NULL, &turns, none.turns, exact_tree_groups(bodies), 0);
    *bytes = turns > *bytes ? turns : *bytes;
    return error;
}

__global__ void __launch_bounds__(THREADS) exact_tree_count_kernel(size_t groups, uint32_t *index)
{
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i < groups)
        index[i] = (uint32_t)i;
}

extern "C" int exact_tree_cuda_turn(size_t groups, const struct exact_tree_turns *turns, void *on)
{
    cudaStream_t stream = (cudaStream_t)on;
    size_t bytes = turns->scratch_bytes;
    exact_tree_count_kernel<<<blocks_for(groups), THREADS, 0, stream>>>(groups, turns->index);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = sort_costs(turns->scratch, &bytes, *turns, groups, stream);
    return error;
}

int exact_tree_cuda_sort(const struct exact_tree_cuda_plan *plan,
                         const struct exact_tree_space *space, const double *rows,
                         const double *halves, const double *last, double softening,
                         cudaStream_t stream)
{
    const size_t count = plan->bodies;
    exact_tree_survey_kernel<<<SURVEYORS, THREADS, 0, stream>>>(count, rows, 4, rows + 3, halves, 1,
                                                                last, 3, space->share);
    exact_tree_frame_kernel<<<1, SORTERS, 0, stream>>>(count, rows, space->share, softening,
                                                       space->head);
    exact_tree_key_kernel<<<blocks_for(count), THREADS, 0, stream>>>(
        count, rows, halves, space->head, space->key[0], space->order[0]);
    size_t bytes = plan->sort_bytes;
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = sort_pairs(space->scratch, &bytes, space, count, stream);
    if (error == cudaSuccess)
        error = (cudaError_t)exact_tree_cuda_order_equal(count, space->key[1], space->head,
                                                         {rows, 4, NULL, 0}, space->key[0],
                                                         space->order[1], stream);
    if (error != cudaSuccess)
        return error;
    exact_tree_body_kernel<<<blocks_for(count), THREADS, 0, stream>>>(count, rows, halves,
                                                                      space->head, space->tree);
    return cudaGetLastError();
}

/* The number of leading bits that the keys at two places share; equal keys are told apart by their
 * places; -1 if out of range. */
template <bool PART>
static __device__ __forceinline__ int common(const unsigned long long *key, long long count,
                                             const exact_tree_borders &borders, long long a,
                                             long long b)
{
    if (PART ? b < -(long long)borders.before || b >= count + borders.behind : b < 0 || b >= count)
        return -1;
    const unsigned long long one = !PART || (a >= 0 && a < count) ? key[a]
                                   : a < 0                        ? borders.key_before
                                                                  : borders.key_behind;
    const unsigned long long other = !PART || (b >= 0 && b < count) ? key[b]
                                     : b < 0                        ? borders.key_before
                                                                    : borders.key_behind;
    const unsigned long long differ = one ^ other;
    const unsigned place = (unsigned)a + borders.start, other_place = (unsigned)b + borders.start;
    return differ ? __clzll((long long)differ) : 64 + __clz((int)(place ^ other_place));
}

static const unsigned NONE = 0xffffffffu; /* the parent of a cell that has none here */

/* One thread per cell: finds the range of bodies that the cell begins or ends with, and its cut.
 * Cells that reach across a border are left to the caller: they look like cells that are not there.
 */
template <bool PART>
__global__ void __launch_bounds__(THREADS)
    exact_tree_cell_kernel(long long count, const unsigned long long *__restrict__ key,
                           exact_tree_borders borders, exact_tree tree,
                           unsigned *__restrict__ parent, unsigned *__restrict__ arrived)
{
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (i >= (PART ? count - 1 + borders.behind : count - 1))
        return;
    const auto shares = [=](long long a, long long b) {
        return common<PART>(key, count, borders, a, b);
    };
    const int way = shares(i, i + 1) > shares(i, i - 1) ? 1 : -1;
    const int outside = shares(i, i - way);
    long long most = 2, length = 0;
    while (shares(i, i + most * way) > outside)
        most *= 2;
    for (long long step = most / 2; step > 0; step /= 2)
        if (shares(i, i + (length + step) * way) > outside)
            length += step;
    const long long first = way > 0 ? i : i - length, last = way > 0 ? i + length : i;
    const unsigned base = borders.base;
    arrived[i] = 0;
    if (PART && (first < 0 || last >= count)) {
        tree.span[i + base] = {0, NONE, EXACT_TREE_UNSENT};
        return;
    }
    const int shared = shares(first, last);
    long long low = first, high = last;
    while (high - low > 1) {
        const long long middle = low + (high - low) / 2;
        if (shares(first, middle) > shared)
            low = middle;
        else
            high = middle;
    }
    const bool leaf = last - first < EXACT_TREE_LEAF;
    tree.span[i + base].first = (uint32_t)first + base;
    tree.span[i + base].last = (uint32_t)last + base;
    tree.span[i + base].split = (uint32_t)(leaf ? last : low) + base;
    tree.wide[low + base] = last - first >= EXACT_TREE_WIDE;
    if (!PART && i == 0)
        parent[0] = NONE;
    if (low > first)
        parent[low] = (unsigned)i;
    if (last > low + 1)
        parent[low + 1] = (unsigned)i;
}

static __device__ __forceinline__ bool is_leaf(const exact_tree_span &span)
{
    return span.last - span.first < EXACT_TREE_LEAF;
}

/* A block gathers the leaves among its cells, every fifth or so, and fills them. Then come the
 * cells whose last half that was, in rounds: a thread each, however sparse they have become. */
enum { FILLERS = 64, FILL_BLOCKS = 8, GATHERED = 4 * FILLERS }; /* blocks: per multiprocessor */

__global__ void __launch_bounds__(FILLERS, FILL_BLOCKS)
    exact_tree_fill_kernel(unsigned cells, unsigned base, exact_tree tree,
                           const unsigned *__restrict__ parent, unsigned *arrived)
{
    __shared__ unsigned list[2][GATHERED], found[2];
    if (threadIdx.x < 2)
        found[threadIdx.x] = 0;
    __syncthreads();
    for (unsigned k = threadIdx.x; k < GATHERED; k += FILLERS) {
        const unsigned cell = blockIdx.x * GATHERED + k;
        if (cell < cells && is_leaf(tree.span[cell + base]) &&
            (parent[cell] == NONE || !is_leaf(tree.span[parent[cell] + base])))
            list[0][atomicAdd(&found[0], 1)] = cell;
    }
    for (unsigned round = 0;; round++) {
        unsigned *const next = list[(round + 1) % 2], *const ready = found + (round + 1) % 2;
        __syncthreads();
        const unsigned count = found[round % 2];
        if (count == 0)
            return;
        for (unsigned k = threadIdx.x; k < count; k += FILLERS) {
            const unsigned cell = list[round % 2][k], above = parent[cell];
            exact_tree_span span = {};
            if (above != NONE)
                span = tree.span[above + base];
            if (round == 0)
                exact_tree_fill_leaf(&tree, cell + base);
            else
                exact_tree_fill_parent(&tree, cell + base);
            if (above == NONE)
                continue;
            const unsigned halves = (span.split > span.first) + (span.last > span.split + 1);
            const cuda::atomic_ref<unsigned, cuda::thread_scope_device> count_of(arrived[above]);
            if (count_of.fetch_add(1, cuda::memory_order_acq_rel) + 1 == halves)
                next[atomicAdd(ready, 1)] = above;
        }
        __syncthreads();
        if (threadIdx.x == 0)
            found[round % 2] = 0;
    }
}

static int fill(unsigned cells, unsigned base, const exact_tree &tree, const unsigned *parent,
                unsigned *arrived, cudaStream_t stream)
{
    exact_tree_fill_kernel<<<(cells + GATHERED - 1) / GATHERED, FILLERS, 0, stream>>>(
        cells, base, tree, parent, arrived);
    return cudaGetLastError();
}

int exact_tree_cuda_fill(const struct exact_tree_cuda_plan *plan,
                         const struct exact_tree_space *space, cudaStream_t stream)
{
    if (plan->bodies < 2)
        return cudaSuccess;
    const unsigned blocks = blocks_for(plan->bodies - 1);
    exact_tree_cell_kernel<false><<<blocks, THREADS, 0, stream>>>(
        (long long)plan->bodies, space->key[1], {}, space->tree, space->parent, space->arrived);
    return fill((unsigned)(plan->bodies - 1), 0, space->tree, space->parent, space->arrived,
                stream);
}

extern "C" int exact_tree_cuda_fill_part(size_t count, const uint64_t *key,
                                         const struct exact_tree_borders *borders,
                                         const struct exact_tree *tree, unsigned *parent,
                                         unsigned *arrived, void *on)
{
    cudaStream_t stream = (cudaStream_t)on;
    const size_t cells = count - 1 + borders->behind;
    cudaError_t error = cudaMemsetAsync(parent, 0xff, count * sizeof *parent, stream);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(tree->wide + borders->base, 0, count, stream);
    if (error != cudaSuccess || cells == 0)
        return error;
    exact_tree_cell_kernel<true><<<blocks_for(cells), THREADS, 0, stream>>>(
        (long long)count, (const unsigned long long *)key, *borders, *tree, parent, arrived);
    return fill((unsigned)cells, borders->base, *tree, parent, arrived, stream);
}

__global__ void __launch_bounds__(THREADS)
    exact_tree_census_kernel(size_t count, const double *__restrict__ last, exact_tree_head *head)
{
    __shared__ exact_tree_census shared[THREADS];
    if (head->known)
        return;
    exact_tree_census own = {};
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < count;
         i += (size_t)SURVEYORS * THREADS)
        exact_tree_count(&own, exact_tree_size(last + 3 * i));
    gather<exact_tree_census, THREADS>(own, shared);
    if (threadIdx.x > 0)
        return;
    atomicAdd((unsigned long long *)&head->again.exponents,
              (unsigned long long)shared[0].exponents);
    atomicAdd((unsigned long long *)&head->again.moving, (unsigned long long)shared[0].moving);
}

int exact_tree_cuda_census(const struct exact_tree_cuda_plan *plan,
                           const struct exact_tree_space *space, const double *last,
                           cudaStream_t stream)
{
    exact_tree_census_kernel<<<SURVEYORS, THREADS, 0, stream>>>(plan->bodies, last, space->head);
    return cudaGetLastError();
}
