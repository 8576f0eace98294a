/* The parts of their trees that ranks send each other, and how they are added to a tree. Compiled
 * without contraction. */
#include "kernels/exact_tree/cuda/stretch_cuda.h"
#include "kernels/exact_tree/cuda/space.cuh"

#include <cub/device/device_scan.cuh>

static const unsigned ALL = 0xffffffffu;

static __device__ __forceinline__ size_t thread(void)
{
    return (size_t)blockIdx.x * THREADS + threadIdx.x;
}

static __device__ __forceinline__ bool is_cell(unsigned first, unsigned last)
{
    return last - first >= EXACT_TREE_LEAF;
}

/* ---- own cells ---- */

__global__ void __launch_bounds__(THREADS)
    bodies_kernel(size_t count, const share_body *__restrict__ body,
                  const exact_tree_head *__restrict__ head, exact_tree tree, unsigned base)
{
    const size_t i = thread();
    if (i >= count)
        return;
    const share_body *b = body + i;
    const double row[4] = {b->position[0], b->position[1], b->position[2], b->mass};
    tree.body[base + i] = exact_tree_body_of(&head->frame, row, b->half);
}

extern "C" int stretch_cuda_bodies(size_t count, const struct share_body *body,
                                   const struct exact_tree_head *head,
                                   const struct exact_tree *tree, uint32_t base, void *stream)
{
    if (count > 0)
        bodies_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, body, head,
                                                                               *tree, base);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(THREADS)
    branches_kernel(size_t count, const stretch_branch *__restrict__ branch, exact_tree tree,
                    unsigned moved, char *to)
{
    const size_t k = thread();
    if (k >= count)
        return;
    const stretch_branch b = branch[k];
    const unsigned at = b.number + moved;
    if (is_cell(b.first, b.last)) {
        auto *item = (partial_branch *)(to + b.bytes_before);
        *item = {{b.number, b.first, b.last, EXACT_TREE_UNSENT, tree.place[at], tree.moments[at]},
                 tree.box[at],
                 tree.thirds[at]};
        return;
    }
    auto *item = (partial_body *)(to + b.bytes_before);
    for (unsigned i = b.first; i <= b.last; i++)
        *item++ = {i, tree.body[i + moved]};
}

extern "C" int stretch_cuda_branches(size_t count, const struct stretch_branch *branch,
                                     const struct exact_tree *tree, uint32_t moved, char *to,
                                     void *stream)
{
    if (count > 0)
        branches_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, branch,
                                                                                 *tree, moved, to);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(THREADS)
    wide_kernel(size_t count, const stretch_wide *__restrict__ wide, exact_tree tree)
{
    const size_t k = thread();
    if (k < count)
        tree.wide[wide[k].place] = (uint8_t)wide[k].wide;
}

extern "C" int stretch_cuda_wide(size_t count, const struct stretch_wide *wide,
                                 const struct exact_tree *tree, void *stream)
{
    if (count > 0)
        wide_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, wide, *tree);
    return cudaGetLastError();
}

/* ---- demands ---- */

template <class NUMBER> static __device__ __forceinline__ NUMBER least_of(NUMBER value)
{
    for (int step = WARP / 2; step > 0; step /= 2) {
        const NUMBER other = __shfl_xor_sync(ALL, value, step);
        value = other < value ? other : value;
    }
    return value;
}

/* A warp finds the demand of the places from `first` to before `end`. */
static __device__ demand demand_of(const share_body *body, const exact_tree &tree, unsigned base,
                                   const exact_tree_head *head, exact_tree_rule rule, bool by_error,
                                   bool mixed, unsigned first, unsigned end)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {INFINITY, INFINITY, INFINITY};
    const exact_tree_floor floor = exact_tree_floor_of(&head->census, &head->frame);
    float half = INFINITY, bears = INFINITY;
    for (unsigned i = first + threadIdx.x % WARP; i < end; i += WARP) {
        const exact_tree_body own = tree.body[base + i];
        for (int c = 0; c < 3; c++) {
            const double at = (double)own.hi[c] + (double)own.lo[c];
            low[c] = fmin(low[c], at);
            high[c] = fmin(high[c], -at);
        }
        half = fminf(half, own.half);
        if (by_error)
            bears = fminf(bears, exact_tree_bears(exact_tree_size(body[i].acceleration), own.mass,
                                                  floor, &head->frame));
    }
    demand found = {};
    for (int c = 0; c < 3; c++) {
        found.low[c] = least_of(low[c]);
        found.high[c] = -least_of(high[c]);
    }
    half = least_of(half);
    bears = least_of(bears);
    found.softening2 = mixed ? half : head->frame.softening2;
    if (by_error)
        rule = exact_tree_rule_of(rule, bears);
    found.hold = rule.hold;
    found.heavy = rule.heavy;
    return found;
}

__global__ void __launch_bounds__(THREADS)
    demands_kernel(unsigned count, const share_body *__restrict__ body, unsigned base,
                   exact_tree tree, const exact_tree_head *__restrict__ head, exact_tree_rule rule,
                   bool by_error, bool mixed, demand *list, unsigned room, unsigned *found)
{
    const unsigned lane = threadIdx.x % WARP;
    const size_t span = thread() / WARP * DEMAND_SPAN;
    if (span >= count)
        return;
    const unsigned stop = min((unsigned)span + (unsigned)DEMAND_SPAN, count);
    for (unsigned first = (unsigned)span, end; first < stop; first = end) {
        unsigned ends = 0;
        for (end = first; ends == 0; end += WARP)
            ends = __ballot_sync(ALL, end + lane + 1 >= stop || tree.wide[base + end + lane]);
        end += (unsigned)__ffs((int)ends) - WARP;
        const demand one = demand_of(body, tree, base, head, rule, by_error, mixed, first, end);
        const unsigned at = lane == 0 ? atomicAdd(found, 1) : room;
        if (at < room)
            list[at] = one;
    }
}

extern "C" int stretch_cuda_demands(size_t count, const struct share_body *body, uint32_t base,
                                    const struct exact_tree *tree,
                                    const struct exact_tree_head *head,
                                    const struct exact_tree_rule *rule, bool by_error, bool mixed,
                                    struct demand *list, unsigned room, unsigned *found,
                                    void *stream)
{
    const size_t spans = (count + DEMAND_SPAN - 1) / DEMAND_SPAN;
    if (count > 0)
        demands_kernel<<<blocks_for(spans * WARP), THREADS, 0, (cudaStream_t)stream>>>(
            (unsigned)count, body, base, *tree, head, *rule, by_error, mixed, list, room, found);
    return cudaGetLastError();
}

/* ---- what others ask for ---- */

/* The same rule as `stands` in sim/ranks/demand.c. */
static __device__ bool stands(const demand &d, const exact_tree_place &place,
                              const exact_tree_rule &rule, bool mixed, double margin)
{
    const double rounding = 1e-6;
    double square = (double)d.softening2 + (mixed ? (double)place.half : 0);
    for (int c = 0; c < 3; c++) {
        const double at = (double)place.hi[c] + (double)place.lo[c];
        const double nearest = fmax(d.low[c] - at, at - d.high[c]);
        const double away = nearest - rounding * (d.high[c] - d.low[c] + nearest);
        square += away > 0 ? away * away : 0;
    }
    square *= 1 - margin;
    const double radius = (double)place.radius;
    if (!(radius * radius < (double)rule.reach2 * square) ||
        (mixed && !(1.5 * (double)place.spread <= (double)rule.soft * square)))
        return false;
    if (isinf(d.hold))
        return true;
    const double distance = sqrt(square);
    const double strain = 1 + (double)d.heavy * (double)place.mass / square;
    return ((double)place.third * distance + (double)place.fourth) * strain <
           (double)d.hold * (square * square) * (distance * (distance - radius));
}

enum { ASKERS = 4 }; /* warps per block */

/* Finds the number of the rank, among those that ask, whose demand is the k-th of all; k becomes
 * its place in the list. */
static __device__ int rank_of(const stretch_asking &asking, size_t *k)
{
    int rank = 0;
    while (rank < asking.ranks && *k >= asking.count[rank])
        *k -= asking.count[rank++];
    if (rank < asking.ranks)
        *k += asking.first[rank];
    return rank;
}

/* A warp answers one demand after the other; each lane judges another cell. */
__global__ void __launch_bounds__(ASKERS *WARP)
    ask_kernel(stretch_asking asking, const unsigned *__restrict__ branch, unsigned branches,
               exact_tree tree, unsigned base, exact_tree_rule rule, bool mixed, double margin,
               unsigned *opened, unsigned warps, unsigned *stacks)
{
    const unsigned lane = threadIdx.x % WARP, warp = blockIdx.x * ASKERS + threadIdx.x / WARP;
    if (warp >= warps)
        return;
    unsigned *stack = stacks + (size_t)warp * EXACT_TREE_STACK;
    for (size_t k = warp;; k += warps) {
        size_t at = k;
        const int rank = rank_of(asking, &at);
        if (rank == asking.ranks)
            return;
        const demand own = asking.list[at];
        for (unsigned from = 0; from < branches; from += WARP) {
            unsigned waiting = min(branches - from, (unsigned)WARP);
            unsigned cell = lane < waiting ? branch[from + lane] : 0;
            bool there = lane < waiting;
            waiting = 0;
            for (;;) {
                const bool walks =
                    there && (margin >= 1 || !stands(own, tree.place[cell], rule, mixed, margin));
                bool left = false, right = false;
                unsigned split = 0;
                if (walks) {
                    const exact_tree_span span = tree.span[cell];
                    unsigned *mark = opened + (cell - base);
                    if (!(*(volatile unsigned *)mark >> rank & 1))
                        atomicOr(mark, 1u << rank);
                    split = span.split;
                    left = split != span.last && split > span.first;
                    right = split != span.last && span.last > split + 1;
                }
                const unsigned lefts = __ballot_sync(ALL, left), rights = __ballot_sync(ALL, right);
                const unsigned below = (1u << lane) - 1;
                if (left)
                    stack[waiting + __popc(lefts & below)] = split;
                waiting += __popc(lefts);
                if (right)
                    stack[waiting + __popc(rights & below)] = split + 1;
                waiting += __popc(rights);
                __syncwarp();
                if (waiting == 0)
                    break;
                const unsigned count = min(waiting, (unsigned)WARP);
                waiting -= count;
                there = lane < count;
                cell = there ? stack[waiting + lane] : 0;
                __syncwarp();
            }
        }
    }
}

extern "C" int stretch_cuda_ask(const struct stretch_asking *asking, const uint32_t *branch,
                                size_t branches, const struct exact_tree *tree, uint32_t base,
                                const struct exact_tree_rule *rule, bool mixed, double margin,
                                uint32_t *opened, unsigned warps, unsigned *stack, void *stream)
{
    if (branches > 0)
        ask_kernel<<<(warps + ASKERS - 1) / ASKERS, ASKERS * WARP, 0, (cudaStream_t)stream>>>(
            *asking, branch, (unsigned)branches, *tree, base, *rule, mixed, margin, opened, warps,
            stack);
    return cudaGetLastError();
}

/* Cells and bodies that one rank gets; without lists they are only counted. */
struct basket {
    const exact_tree &tree;
    unsigned rank, base, moved;
    const unsigned *opened;
    unsigned *counts;
    partial_cell *cells;
    partial_body *bodies;

    __device__ void add_body(unsigned at) const
    {
        const unsigned k = atomicAdd(counts + 1, 1);
        if (bodies)
            bodies[k] = {at + moved, tree.body[at]};
    }

    __device__ void add_cell(unsigned cell) const
    {
        const unsigned k = atomicAdd(counts, 1);
        if (!cells)
            return;
        const exact_tree_span span = tree.span[cell];
        const bool open = opened[cell - base] >> rank & 1;
        cells[k] = {cell + moved,      span.first + moved,
                    span.last + moved, open ? span.split + moved : EXACT_TREE_UNSENT,
                    tree.place[cell],  tree.moments[cell]};
    }
};

/* The first `count` threads add what is below own cells, the others own branches. */
__global__ void __launch_bounds__(THREADS)
    offer_kernel(unsigned count, const unsigned *__restrict__ branch, unsigned branches,
                 exact_tree tree, unsigned base, unsigned moved,
                 const unsigned *__restrict__ opened, unsigned *counts, partial_cell *const *cells,
                 partial_body *const *bodies)
{
    const size_t t = thread();
    if (t >= (size_t)count + branches)
        return;
    const bool below = t < count;
    const unsigned cell = below ? base + (unsigned)t : branch[t - count];
    for (unsigned ranks = opened[cell - base]; ranks; ranks &= ranks - 1) {
        const unsigned rank = (unsigned)__ffs((int)ranks) - 1;
        const basket b = {tree,
                          rank,
                          base,
                          moved,
                          opened,
                          counts + 2 * rank,
                          cells ? cells[rank] : NULL,
                          bodies ? bodies[rank] : NULL};
        if (!below) {
            b.add_cell(cell);
            continue;
        }
        const exact_tree_span span = tree.span[cell];
        if (span.split == span.last) {
            for (unsigned i = span.first; i <= span.last; i++)
                b.add_body(i);
            continue;
        }
        if (span.split > span.first)
            b.add_cell(span.split);
        else
            b.add_body(span.split);
        if (span.last > span.split + 1)
            b.add_cell(span.split + 1);
        else
            b.add_body(span.split + 1);
    }
}

extern "C" int stretch_cuda_offer(size_t count, const uint32_t *branch, size_t branches,
                                  const struct exact_tree *tree, uint32_t base, uint32_t moved,
                                  const uint32_t *opened, unsigned *counts,
                                  struct partial_cell *const *cells,
                                  struct partial_body *const *bodies, void *stream)
{
    if (count > 0)
        offer_kernel<<<blocks_for(count + branches), THREADS, 0, (cudaStream_t)stream>>>(
            (unsigned)count, branch, (unsigned)branches, *tree, base, moved, opened, counts, cells,
            bodies);
    return cudaGetLastError();
}

/* ---- what came from others ---- */

static __device__ __forceinline__ void need(const stretch_places &p, unsigned place)
{
    if (place < p.start || place >= p.end)
        atomicOr((unsigned long long *)p.needed + place / 64, 1ull << place % 64);
}

static __device__ __forceinline__ unsigned foreign_before(const stretch_places &p, unsigned place)
{
    const unsigned long long below = (1ull << place % 64) - 1;
    return p.ranked[place / 64] + (unsigned)__popcll(p.needed[place / 64] & below);
}

/* Where the first needed place from there on is in the arrays. */
static __device__ __forceinline__ unsigned number_in(const stretch_places &p, unsigned place)
{
    if (place >= p.start && place < p.end)
        return p.base + (place - p.start);
    const unsigned own = place < p.start ? 0 : p.end - p.start;
    return p.base + own + foreign_before(p, place) - p.before;
}

__global__ void __launch_bounds__(THREADS)
    need_cells_kernel(size_t count, const partial_cell *__restrict__ cells, stretch_places places)
{
    const size_t k = thread();
    if (k >= count)
        return;
    const unsigned first = cells[k].first, last = cells[k].last, split = cells[k].split;
    need(places, cells[k].number);
    if (split == EXACT_TREE_UNSENT || split == last)
        return;
    const unsigned from = split > first ? split - 1 : split;
    const unsigned to = split + 2 <= last ? split + 2 : split + 1;
    for (unsigned place = from; place <= to; place++)
        need(places, place);
}

__global__ void __launch_bounds__(THREADS)
    need_bodies_kernel(size_t count, const partial_body *__restrict__ bodies, stretch_places places)
{
    const size_t k = thread();
    if (k < count)
        need(places, bodies[k].number);
}

extern "C" int stretch_cuda_need_cells(size_t count, const struct partial_cell *cells,
                                       const struct stretch_places *places, void *stream)
{
    if (count > 0)
        need_cells_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, cells,
                                                                                   *places);
    return cudaGetLastError();
}

extern "C" int stretch_cuda_need_bodies(size_t count, const struct partial_body *bodies,
                                        const struct stretch_places *places, void *stream)
{
    if (count > 0)
        need_bodies_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, bodies,
                                                                                    *places);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(THREADS) count_kernel(stretch_places places)
{
    const size_t word = thread();
    if (word <= places.words)
        places.ranked[word] = word < places.words ? (uint32_t)__popcll(places.needed[word]) : 0;
}

__global__ void totals_kernel(stretch_places places, uint32_t *totals)
{
    totals[0] = foreign_before(places, places.start);
    totals[1] = places.ranked[places.words];
}

extern "C" int stretch_cuda_rank(const struct stretch_places *places, void *scratch,
                                 size_t scratch_bytes, uint32_t *totals, void *on)
{
    cudaStream_t stream = (cudaStream_t)on;
    count_kernel<<<blocks_for(places->words + 1), THREADS, 0, stream>>>(*places);
    cudaError_t error = cudaGetLastError();
    if (error == cudaSuccess)
        error = cub::DeviceScan::ExclusiveSum(scratch, scratch_bytes, places->ranked,
                                              places->ranked, (int)(places->words + 1), stream);
    if (error != cudaSuccess)
        return error;
    totals_kernel<<<1, 1, 0, stream>>>(*places, totals);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(THREADS)
    forget_kernel(stretch_places places, unsigned behind, exact_tree tree)
{
    const size_t k = thread();
    if (k >= (size_t)places.before + behind)
        return;
    const size_t at = k < places.before
                          ? places.base - places.before + k
                          : places.base + (places.end - places.start) + k - places.before;
    tree.span[at] = {0, 0, EXACT_TREE_UNSENT};
    tree.place[at].radius = INFINITY;
    tree.body[at].mass = NAN;
}

extern "C" int stretch_cuda_forget(const struct stretch_places *places, uint32_t behind,
                                   const struct exact_tree *tree, void *stream)
{
    const size_t all = (size_t)places->before + behind;
    if (all > 0)
        forget_kernel<<<blocks_for(all), THREADS, 0, (cudaStream_t)stream>>>(*places, behind,
                                                                             *tree);
    return cudaGetLastError();
}

__global__ void __launch_bounds__(THREADS)
    put_cells_kernel(size_t count, const partial_cell *__restrict__ cells, stretch_places places,
                     exact_tree tree)
{
    const size_t k = thread();
    if (k >= count)
        return;
    const partial_cell cell = cells[k];
    const unsigned at = number_in(places, cell.number);
    exact_tree_span span = {number_in(places, cell.first), number_in(places, cell.last + 1) - 1,
                            cell.split};
    if (cell.split == cell.last)
        span.split = span.last;
    else if (cell.split != EXACT_TREE_UNSENT)
        span.split = number_in(places, cell.split);
    tree.place[at] = cell.place;
    tree.moments[at] = cell.moments;
    tree.span[at] = span;
}

__global__ void __launch_bounds__(THREADS)
    put_bodies_kernel(size_t count, const partial_body *__restrict__ bodies, stretch_places places,
                      exact_tree tree)
{
    const size_t k = thread();
    if (k < count)
        tree.body[number_in(places, bodies[k].number)] = bodies[k].body;
}

extern "C" int stretch_cuda_put_cells(size_t count, const struct partial_cell *cells,
                                      const struct stretch_places *places,
                                      const struct exact_tree *tree, void *stream)
{
    if (count > 0)
        put_cells_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, cells,
                                                                                  *places, *tree);
    return cudaGetLastError();
}

extern "C" int stretch_cuda_put_bodies(size_t count, const struct partial_body *bodies,
                                       const struct stretch_places *places,
                                       const struct exact_tree *tree, void *stream)
{
    if (count > 0)
        put_bodies_kernel<<<blocks_for(count), THREADS, 0, (cudaStream_t)stream>>>(count, bodies,
                                                                                   *places, *tree);
    return cudaGetLastError();
}
