/* Walks the tree with one warp per group of bodies, as kernels/exact_tree/walk.h describes.
 * Compiled without contraction. */
#include "kernels/exact_tree/cuda/items.cuh"
#include "kernels/exact_tree/cuda/space.cuh"

#define EXACT_TREE_PULL_INLINE static __device__ __forceinline__

typedef float number;
typedef bool truth;

static __device__ __forceinline__ float fused(float a, float b, float c)
{
    return __fmaf_rn(a, b, c);
}

static __device__ __forceinline__ float everywhere(float value)
{
    return value;
}

static __device__ __forceinline__ float magnitude(float x)
{
    return fabsf(x);
}

static __device__ __forceinline__ float above_zero(float x)
{
    return x > 0 ? x : 0;
}

#include "kernels/bits.h"

static __device__ __forceinline__ float root_guess(float x)
{
    return __int_as_float(EXACT_GUESS - (__float_as_int(x) >> 1));
}

#include "kernels/exact_tree/pull.h"

static const unsigned ALL = 0xffffffffu;

enum {
    WARPS = 4, /* per block */
    SINKS = EXACT_TREE_GROUP / WARP,
    TILE = EXACT_TREE_TILE,
    ROOM = TILE + WARP, /* a tile, and the overflow that its last sources may add */
    NEAR = 256,         /* cells at the bottom of a warp's stack, in shared memory */
};

static_assert((int)EXACT_TREE_GROUP == (int)WARP, "a run is found by one ballot");

struct cell {
    float4 at; /* w: mass */
    float second[6], trace, half;
};

/* A warp's sources that wait until a tile is full, and the lowest cells of its stack. */
template <bool MIXED, bool POTENTIAL> struct tiles {
    float4 bodies[ROOM];
    cell cells[ROOM];
    float half[MIXED ? ROOM : 1];
    unsigned index[POTENTIAL ? ROOM : 1];
    uint2 stack[NEAR / 2];
};

struct sums {
    double x[SINKS], y[SINKS], z[SINKS];
};

/* The state of a warp's walk. */
struct walker {
    exact_tree_sinks box;
    float x[SINKS], y[SINKS], z[SINKS], half[SINKS];
    sums by_bodies, by_cells;
    unsigned first, count; /* the group */
    unsigned body_count, cell_count;
    unsigned long long pairs, joins, unsent;
};

static __device__ __forceinline__ float offset(const walker &w, const float *hi, const float *lo,
                                               int c)
{
    return (hi[c] - w.box.hi[c]) + (lo[c] - w.box.lo[c]);
}

static __device__ __forceinline__ float least_of(float value)
{
    for (int step = WARP / 2; step > 0; step /= 2)
        value = fminf(value, __shfl_xor_sync(ALL, value, step));
    return value;
}

static __device__ __forceinline__ float most_of(float value)
{
    return -least_of(-value);
}

static __device__ void clear(sums *all)
{
    for (int s = 0; s < SINKS; s++)
        all->x[s] = all->y[s] = all->z[s] = 0;
}

/* The number of bodies from `first` on that share one list: up to the end of the group or a wide
 * cell's cut. */
static __device__ unsigned run_of(const exact_tree &tree, unsigned first, unsigned end)
{
    const unsigned at = first + threadIdx.x % WARP;
    const unsigned ends = __ballot_sync(ALL, at + 1 >= end || tree.wide[at]);
    return __ffs((int)ends);
}

static __device__ void begin(walker *w, const exact_tree &tree, unsigned first, unsigned count,
                             float softening2, bool mixed)
{
    const unsigned lane = threadIdx.x % WARP;
    w->first = first;
    w->count = count;
    const exact_tree_body middle = read_item(tree.body + w->first + w->count / 2);
    float low[3], high[3], half = 0;
    for (int c = 0; c < 3; c++) {
        w->box.hi[c] = middle.hi[c];
        w->box.lo[c] = middle.lo[c];
    }
    for (int s = 0; s < SINKS; s++) {
        const unsigned i = lane + s * WARP;
        const exact_tree_body own = read_item(tree.body + w->first + (i < w->count ? i : 0));
        const float at[3] = {offset(*w, own.hi, own.lo, 0), offset(*w, own.hi, own.lo, 1),
                             offset(*w, own.hi, own.lo, 2)};
        w->x[s] = at[0];
        w->y[s] = at[1];
        w->z[s] = at[2];
        w->half[s] = own.half;
        half = s == 0 ? own.half : fminf(half, own.half);
        for (int c = 0; c < 3; c++) {
            low[c] = s == 0 ? at[c] : fminf(low[c], at[c]);
            high[c] = s == 0 ? at[c] : fmaxf(high[c], at[c]);
        }
    }
    for (int c = 0; c < 3; c++) {
        low[c] = least_of(low[c]);
        high[c] = most_of(high[c]);
        w->box.middle[c] = (low[c] + high[c]) * 0.5f;
        w->box.half[c] = (high[c] - low[c]) * 0.5f;
    }
    w->box.softening2 = mixed ? least_of(half) : softening2;
    clear(&w->by_bodies);
    clear(&w->by_cells);
    w->body_count = w->cell_count = 0;
}

/* The body at a place. */
static __device__ __forceinline__ size_t body_of(const exact_tree_sinks_of &sinks, unsigned place)
{
    return sinks.order ? sinks.order[place] : place - sinks.first;
}

/* Derives the rule of a group from the last accelerations of its bodies. */
static __device__ exact_tree_rule rule_of(exact_tree_rule rule, const walker &w,
                                          const exact_tree &tree, const exact_tree_sinks_of &sinks,
                                          const exact_tree_head *head)
{
    const exact_tree_floor floor =
        exact_tree_floor_of(head->known ? &head->census : &head->again, &head->frame);
    float bears = INFINITY;
    for (int s = 0; s < SINKS; s++) {
        const unsigned i = threadIdx.x % WARP + s * WARP;
        if (i < w.count)
            bears = fminf(
                bears, exact_tree_bears(
                           exact_tree_size(sinks.last + sinks.stride * body_of(sinks, w.first + i)),
                           tree.body[w.first + i].mass, floor, &head->frame));
    }
    for (int step = WARP / 2; step > 0; step /= 2)
        bears = fminf(bears, __shfl_xor_sync(ALL, bears, step));
    return exact_tree_rule_of(rule, bears);
}

/* Adds the pulls of the first `count` waiting bodies. */
template <bool MIXED, bool POTENTIAL>
static __device__ void use_bodies(walker *w, const tiles<MIXED, POTENTIAL> *tile, unsigned count,
                                  float softening2)
{
    float ax[SINKS] = {}, ay[SINKS] = {}, az[SINKS] = {};
#pragma unroll 4
    for (unsigned j = 0; j < count; j++) {
        const float4 b = tile->bodies[j];
        const unsigned self = POTENTIAL ? tile->index[j] - w->first - threadIdx.x % WARP : 0;
#pragma unroll
        for (int s = 0; s < SINKS; s++) {
            const float x = b.x - w->x[s], y = b.y - w->y[s], z = b.z - w->z[s];
            const float eps2 = MIXED ? w->half[s] + tile->half[j] : softening2;
            if (POTENTIAL) {
                const float term = inverse_root_of(square_of(x, y, z, eps2));
                ax[s] = fused(b.w, self == s * WARP ? 0 : term, ax[s]);
            } else {
                add_body(x, y, z, eps2, b.w, &ax[s], &ay[s], &az[s]);
            }
        }
    }
#pragma unroll
    for (int s = 0; s < SINKS; s++) {
        w->by_bodies.x[s] += (double)ax[s];
        w->by_bodies.y[s] += (double)ay[s];
        w->by_bodies.z[s] += (double)az[s];
    }
    w->pairs += (unsigned long long)count * w->count;
}

template <bool MIXED, bool POTENTIAL>
static __device__ void use_cells(walker *w, const tiles<MIXED, POTENTIAL> *tile, unsigned count,
                                 float softening2)
{
    float ax[SINKS] = {}, ay[SINKS] = {}, az[SINKS] = {};
#pragma unroll 4
    for (unsigned j = 0; j < count; j++) {
        const cell b = tile->cells[j];
#pragma unroll
        for (int s = 0; s < SINKS; s++) {
            const float x = b.at.x - w->x[s], y = b.at.y - w->y[s], z = b.at.z - w->z[s];
            const float eps2 = MIXED ? w->half[s] + b.half : softening2;
            if (POTENTIAL)
                ax[s] += cell_potential(x, y, z, eps2, b.at.w, b.second, b.trace);
            else
                add_cell(x, y, z, eps2, b.at.w, b.second, b.trace, &ax[s], &ay[s], &az[s]);
        }
    }
#pragma unroll
    for (int s = 0; s < SINKS; s++) {
        w->by_cells.x[s] += (double)ax[s];
        w->by_cells.y[s] += (double)ay[s];
        w->by_cells.z[s] += (double)az[s];
    }
    w->joins += (unsigned long long)count * w->count;
}

/* Adds the pulls of a full tile and moves the rest to the beginning. */
template <bool MIXED, bool POTENTIAL>
static __device__ void use_body_tile(walker *w, tiles<MIXED, POTENTIAL> *tile, float softening2)
{
    const unsigned lane = threadIdx.x % WARP;
    __syncwarp();
    use_bodies<MIXED, POTENTIAL>(w, tile, TILE, softening2);
    __syncwarp();
    tile->bodies[lane] = tile->bodies[TILE + lane];
    if (MIXED)
        tile->half[lane] = tile->half[TILE + lane];
    if (POTENTIAL)
        tile->index[lane] = tile->index[TILE + lane];
    w->body_count -= TILE;
    __syncwarp();
}

template <bool MIXED, bool POTENTIAL>
static __device__ void use_cell_tile(walker *w, tiles<MIXED, POTENTIAL> *tile, float softening2)
{
    const unsigned lane = threadIdx.x % WARP;
    __syncwarp();
    use_cells<MIXED, POTENTIAL>(w, tile, TILE, softening2);
    __syncwarp();
    tile->cells[lane] = tile->cells[TILE + lane];
    w->cell_count -= TILE;
    __syncwarp();
}

/* Appends `count` bodies from `first` on, for one lane after the other. */
template <bool MIXED, bool POTENTIAL>
static __device__ void meet(walker *w, tiles<MIXED, POTENTIAL> *tile, const exact_tree &tree,
                            unsigned first, unsigned count, float softening2)
{
    const unsigned lane = threadIdx.x % WARP;
    unsigned upto = count;
    for (unsigned step = 1; step < WARP; step *= 2) {
        const unsigned before = __shfl_up_sync(ALL, upto, step);
        upto += lane >= step ? before : 0;
    }
    const unsigned all = __shfl_sync(ALL, upto, WARP - 1);
    for (unsigned base = 0; base < all; base += WARP) {
        const unsigned t = base + lane;
        unsigned owner = 0;
        for (unsigned step = WARP / 2; step > 0; step /= 2)
            owner += __shfl_sync(ALL, upto, owner + step - 1) <= t ? step : 0;
        owner = min(owner, WARP - 1u);
        const unsigned own_first = __shfl_sync(ALL, first, owner);
        const unsigned before = __shfl_sync(ALL, upto - count, owner);
        if (t < all) {
            const unsigned i = own_first + (t - before), at = w->body_count + lane;
            const exact_tree_body b = read_item(tree.body + i);
            tile->bodies[at] = make_float4(offset(*w, b.hi, b.lo, 0), offset(*w, b.hi, b.lo, 1),
                                           offset(*w, b.hi, b.lo, 2), b.mass);
            if (MIXED)
                tile->half[at] = b.half;
            if (POTENTIAL)
                tile->index[at] = i;
        }
        w->body_count += min(all - base, (unsigned)WARP);
        if (w->body_count >= TILE)
            use_body_tile<MIXED, POTENTIAL>(w, tile, softening2);
    }
}

template <bool MIXED, bool POTENTIAL>
static __device__ void join(walker *w, tiles<MIXED, POTENTIAL> *tile, const exact_tree &tree,
                            unsigned at, bool own, float softening2)
{
    const unsigned lane = threadIdx.x % WARP, mask = __ballot_sync(ALL, own);
    if (own) {
        cell *to = tile->cells + w->cell_count + __popc(mask & ((1u << lane) - 1));
        const exact_tree_place place = read_item(tree.place + at);
        const exact_tree_moments moments = read_item(tree.moments + at);
        to->at = make_float4(offset(*w, place.hi, place.lo, 0), offset(*w, place.hi, place.lo, 1),
                             offset(*w, place.hi, place.lo, 2), moments.mass);
        for (int k = 0; k < 6; k++)
            to->second[k] = moments.second[k];
        to->trace = (moments.second[0] + moments.second[3] + moments.second[5]) * 0.5f;
        to->half = moments.half;
    }
    w->cell_count += __popc(mask);
    if (w->cell_count >= TILE)
        use_cell_tile<MIXED, POTENTIAL>(w, tile, softening2);
}

/* Adds everything that pulls the group. */
template <bool MIXED, bool POTENTIAL>
static __device__ void walk(walker *w, tiles<MIXED, POTENTIAL> *tile, const exact_tree &tree,
                            unsigned root, const exact_tree_rule &rule, float softening2,
                            unsigned *stack)
{
    const unsigned lane = threadIdx.x % WARP, group_last = w->first + w->count - 1;
    unsigned waiting = 1;
    if (lane == 0)
        tile->stack[0].x = root | (tree.bodies == 1 ? EXACT_TREE_SINGLE : 0);
    while (waiting > 0) {
        const unsigned count = min(waiting, (unsigned)EXACT_TREE_BATCH);
        waiting -= count;
        __syncwarp();
        unsigned item = EXACT_TREE_SINGLE;
        if (lane < count)
            item = waiting + lane < NEAR ? ((const unsigned *)tile->stack)[waiting + lane]
                                         : stack[waiting + lane];
        __syncwarp();
        const unsigned at = item & ~EXACT_TREE_SINGLE;
        bool joined = false, opened = false;
        unsigned met = lane < count, met_first = at, split = 0;
        bool left_single = false, right_single = false;
        if (!(item & EXACT_TREE_SINGLE)) {
            const exact_tree_place place = read_item(tree.place + at);
            const exact_tree_span span = tree.span[at];
            const float half = MIXED ? place.half : 0, spread = MIXED ? place.spread : 0;
            const bool apart = span.last < w->first || span.first > group_last;
            joined =
                may_stand(offset(*w, place.hi, place.lo, 0) - w->box.middle[0],
                          offset(*w, place.hi, place.lo, 1) - w->box.middle[1],
                          offset(*w, place.hi, place.lo, 2) - w->box.middle[2], w->box.half,
                          w->box.softening2 + half, place.radius, place.mass, place.third,
                          place.fourth, spread, rule.reach2, rule.hold, rule.heavy, rule.soft) &
                apart;
            const bool leaf = span.split == span.last, unsent = span.split == EXACT_TREE_UNSENT;
            opened = !joined && !leaf && !unsent;
            met = !joined && leaf ? span.last - span.first + 1 : 0;
            w->unsent += !joined && unsent;
            met_first = span.first;
            split = span.split;
            left_single = span.first == split;
            right_single = span.last == split + 1;
        }
        const unsigned mask = __ballot_sync(ALL, opened);
        if (opened) {
            /* `waiting` is even: only the last cells of a stack are a smaller batch. */
            const unsigned to = waiting / 2 + __popc(mask & ((1u << lane) - 1));
            const uint2 halves = make_uint2(split | (left_single ? EXACT_TREE_SINGLE : 0),
                                            (split + 1) | (right_single ? EXACT_TREE_SINGLE : 0));
            if (to < NEAR / 2)
                tile->stack[to] = halves;
            else
                ((uint2 *)stack)[to] = halves;
        }
        waiting += 2 * __popc(mask);
        join<MIXED, POTENTIAL>(w, tile, tree, at, joined, softening2);
        if (__any_sync(ALL, met > 0))
            meet<MIXED, POTENTIAL>(w, tile, tree, met_first, met, softening2);
    }
    __syncwarp();
    use_bodies<MIXED, POTENTIAL>(w, tile, w->body_count, softening2);
    use_cells<MIXED, POTENTIAL>(w, tile, w->cell_count, softening2);
    __syncwarp();
}

template <bool POTENTIAL>
static __device__ void put(const walker &w, const exact_tree_sinks_of &sinks,
                           const exact_tree_frame &frame, bool broken, float cost)
{
    double *out = sinks.out;
    for (int s = 0; s < SINKS; s++) {
        const unsigned i = threadIdx.x % WARP + s * WARP;
        if (i >= w.count)
            continue;
        const size_t body = body_of(sinks, w.first + i);
        const double unit = broken ? NAN : POTENTIAL ? frame.potential : frame.pull;
        const double x = (w.by_bodies.x[s] + w.by_cells.x[s]) * unit;
        if (POTENTIAL) {
            out[body] = -x;
            continue;
        }
        if (sinks.cost)
            sinks.cost[body] = cost;
        out[3 * body] = x;
        out[3 * body + 1] = (w.by_bodies.y[s] + w.by_cells.y[s]) * unit;
        out[3 * body + 2] = (w.by_bodies.z[s] + w.by_cells.z[s]) * unit;
    }
}

template <bool MIXED, bool POTENTIAL>
__global__ void __launch_bounds__(WARPS *WARP, WALKERS / WARPS)
    exact_tree_walk_kernel(exact_tree tree, exact_tree_sinks_of sinks, exact_tree_head *head,
                           exact_tree_rule rule, int kind, unsigned warps, unsigned *stacks)
{
    __shared__ tiles<MIXED, POTENTIAL> all_tiles[WARPS];
    const unsigned lane = threadIdx.x % WARP, warp = blockIdx.x * WARPS + threadIdx.x / WARP;
    const unsigned groups = (sinks.count + EXACT_TREE_GROUP - 1) / EXACT_TREE_GROUP;
    double costs = 0;
    if (warp >= warps || (kind == EXACT_TREE_FIRST && head->known))
        return;
    walker w;
    w.pairs = w.joins = w.unsent = 0;
    const bool broken = head->broken;
    const float softening2 = head->frame.softening2;
    for (;;) {
        unsigned group = 0;
        if (lane == 0)
            group = atomicAdd(&head->next[kind == EXACT_TREE_FIRST], 1);
        group = __shfl_sync(ALL, group, 0);
        if (group >= groups)
            break;
        group = sinks.turn ? sinks.turn[group] : group;
        float dear = 0;
        const unsigned begins = group * EXACT_TREE_GROUP;
        const unsigned end =
            sinks.first + begins + min(sinks.count - begins, (unsigned)EXACT_TREE_GROUP);
        for (unsigned first = sinks.first + begins, count; first < end; first += count) {
            const unsigned long long pairs = w.pairs, joins = w.joins;
            count = run_of(tree, first, end);
            begin(&w, tree, first, count, softening2, MIXED);
            const exact_tree_rule own =
                kind == EXACT_TREE_BY_ERROR && !broken ? rule_of(rule, w, tree, sinks, head) : rule;
            if (!broken)
                walk<MIXED, POTENTIAL>(&w, &all_tiles[threadIdx.x / WARP], tree, sinks.root, own,
                                       softening2, stacks + (size_t)warp * EXACT_TREE_STACK);
            const float cost = exact_tree_cost(w.pairs - pairs, w.joins - joins, count);
            costs += (double)cost * count;
            dear += cost * (float)count;
            put<POTENTIAL>(w, sinks, head->frame, broken, cost);
        }
        if (lane == 0 && sinks.group_cost)
            sinks.group_cost[group] = dear;
    }
    if (w.unsent > 0)
        atomicAdd(&head->unsent, w.unsent);
    if (lane == 0 && kind != EXACT_TREE_FIRST) {
        atomicAdd(&head->work.pairs, w.pairs);
        atomicAdd(&head->work.joins, w.joins);
    }
    if (lane == 0 && sinks.cost)
        atomicAdd(&head->costs, costs);
}

int exact_tree_cuda_walk_part(const struct exact_tree *tree,
                              const struct exact_tree_sinks_of *sinks, bool mixed, unsigned warps,
                              enum exact_tree_kind kind, const struct exact_tree_rule *rule,
                              struct exact_tree_head *head, unsigned *stack, void *stream)
{
    const unsigned blocks = (warps + WARPS - 1) / WARPS;
    auto *kernel =
        kind == EXACT_TREE_POTENTIAL
            ? (mixed ? exact_tree_walk_kernel<true, true> : exact_tree_walk_kernel<false, true>)
            : (mixed ? exact_tree_walk_kernel<true, false> : exact_tree_walk_kernel<false, false>);
    kernel<<<blocks, WARPS * WARP, 0, (cudaStream_t)stream>>>(*tree, *sinks, head, *rule, kind,
                                                              warps, stack);
    return cudaGetLastError();
}

int exact_tree_cuda_walk(const struct exact_tree_cuda_plan *plan,
                         const struct exact_tree_space *space, enum exact_tree_kind kind,
                         const struct exact_tree_rule *rule, double *out, cudaStream_t stream)
{
    const bool by_error = kind == EXACT_TREE_BY_ERROR;
    const struct exact_tree_sinks_of all = {.count = space->tree.bodies,
                                            .order = space->tree.order,
                                            .last = out,
                                            .stride = 3,
                                            .out = out,
                                            .turn = by_error ? space->turns.turn : NULL,
                                            .group_cost = by_error ? space->turns.cost : NULL};
    return exact_tree_cuda_walk_part(&space->tree, &all, plan->mixed, plan->warps, kind, rule,
                                     space->head, space->stack, stream);
}
