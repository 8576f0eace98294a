/* Lists of the cells that act on each cell. The upper cells are settled by whole blocks, a wave per
 * launch (wave_lists_kernel); then each warp walks a unit, a subtree, on its own. */
#include "kernels/tree/cuda/judge.cuh"

enum {
    CREWS = 24,      /* warps per multiprocessor that settle large cells */
    MANY = 16384,    /* more cells than that are settled by fewer warps each, without waiting */
    LONG_LIST = 128, /* entries */
    QUEUE = 1024,    /* capacity of a warp's queue of cells to judge */
    SLACK = 160,     /* part of QUEUE reserved for cells opened one by one */
};

/* A cell whose children have yet to be visited. */
struct frame {
    unsigned child, left, from, count;
};

/* Capacities: entries of the pool, bodies walked alone, bodies that one leaf may meet, lists of met
 * cells. */
struct list_room {
    unsigned pool, lone, met, meets;
};

/* A growing list in the part of the pool that the warp owns. */
struct growing {
    unsigned begin, at, end;
};

struct walker {
    unsigned queue[QUEUE];
    frame frames[DEPTHS + 1];
};

struct tally {
    unsigned long long pairs;
    unsigned joins, judged;
    bool lost, long_met; /* long_met: the leaf was given up because it meets too many bodies */
};

static __device__ __forceinline__ bool holds_sinks(const tree_space &s, unsigned index)
{
    return !s.sinks_before || sinks_in(s, s.cell[index].first, s.cell[index].count) > 0;
}

/* A body walked alone counts as a sink, and so does the body of a single-body leaf. */
static __device__ __forceinline__ unsigned sinks_of(const tree_space &s, const sink &b)
{
    return b.count > 1 ? sinks_in(s, s.cell[b.index].first, b.count) : 1;
}

/* Makes room for a warp's worth of entries at the end of the list. */
static __device__ __forceinline__ void grow(const tree_space &s, unsigned pool, growing &list,
                                            tally &t, int lane)
{
    if (list.at + WARP <= list.end)
        return;
    const unsigned held = list.at - list.begin, size = 2 * held + EXTENT;
    unsigned begin = lane == 0 ? atomicAdd(&s.head->pool, size) : 0;
    begin = __shfl_sync(ALL, begin, 0);
    if (begin + size > pool || begin + size < begin) {
        t.lost = true;
        list.at = list.begin; /* the list is invalid from here on */
        if (list.end < list.begin + WARP)
            list = {0, 0, WARP};
        return;
    }
    for (unsigned k = lane; k < held; k += WARP)
        s.pool[begin + k] = s.pool[list.begin + k];
    __syncwarp();
    list = {begin, begin + held, begin + size};
}

static __device__ __forceinline__ void append(const tree_space &s, growing &list, unsigned set,
                                              bool mine, unsigned source, unsigned below)
{
    if (mine)
        s.pool[list.at + __popc(set & below)] = source;
    list.at += __popc(set);
}

/* Decides on each cell of a list for a sink: joined (`far`), met by a leaf (`met`), or left to the
 * sink's children, appended to near[top]. Returns the number left. Gives up when more than `most`
 * bodies are met.
 *
 * In each round a warp takes up to 32 cells, a cell per lane, from the end of its queue or, if the
 * queue has fewer, from the list. The ballots of the lanes say where in a list or in the queue each
 * lane puts its cell, or the children of a cell that it opens. Near the capacity of the queue it
 * takes one cell at a time, so that the children of 32 cells cannot overflow it. */
template <int P, bool SPLINE>
static __device__ unsigned settle(const tree_space &s, walker &w, const sink &b,
                                  const unsigned *list, unsigned count, unsigned *near,
                                  unsigned top, const struct tree_cuda_rule &rule, unsigned pool,
                                  growing &far, growing &met, unsigned most, tally &t, int lane)
{
    unsigned queued = 0, taken = 0, left = 0, bodies = 0;
    const float softening2 = softening_of(s);
    const unsigned below = (1u << lane) - 1;
    for (;;) {
        unsigned take, source;
        if (queued >= WARP || (taken == count && queued > 0)) {
            take = queued > QUEUE - SLACK - 8 * WARP ? 1 : min(queued, (unsigned)WARP);
            queued -= take;
            source = lane < take ? w.queue[queued + lane] : 0;
        } else if (taken < count) {
            take = min(count - taken, (unsigned)WARP);
            source = lane < take ? list[taken + lane] : 0;
            taken += take;
        } else {
            break;
        }
        t.judged += take;
        bool meets = false, joins = false, opened = false, kept = false;
        tree_cell cell = {};
        if (lane < take) {
            cell = s.cell[source];
            const float4 at = s.place[0][source];
            const bool leaves = b.children == 0 && cell.children == 0;
            joins = judge<P, SPLINE>(s, b, source, at, rule, softening2) && cell.children < PASSED;
            if (leaves && (!joins || (unsigned long long)b.count * cell.count <= TREE_FEW)) {
                meets = true;
                joins = false;
            } else if (!joins) {
                opened =
                    b.children == 0 || cell.children >= PASSED ||
                    (cell.children > 0 && (at.w > b.at.w || (at.w == b.at.w && source < b.index)));
                kept = !opened;
            }
        }
        __syncwarp();
        unsigned set = __ballot_sync(ALL, joins);
        if (set) {
            grow(s, pool, far, t, lane);
            append(s, far, set, joins, source, below);
        }
        set = __ballot_sync(ALL, kept);
        if (set) {
            if (top + left + WARP > NEAR)
                t.lost = true;
            else if (kept)
                near[top + left + __popc(set & below)] = source;
            left += t.lost ? 0 : __popc(set);
        }
        set = __ballot_sync(ALL, opened);
        if (set) {
            const unsigned many = opened ? cell.children & ~PASSED : 0;
            unsigned end = many;
            for (int step = 1; step < WARP; step *= 2) {
                unsigned other = __shfl_up_sync(ALL, end, step);
                end += lane >= step ? other : 0;
            }
            for (unsigned k = 0; k < many; k++)
                w.queue[queued + end - many + k] = cell.child + k;
            queued += __shfl_sync(ALL, end, WARP - 1);
        }
        set = __ballot_sync(ALL, meets);
        if (set) {
            grow(s, pool, met, t, lane);
            append(s, met, set, meets, source, below);
            unsigned many = meets ? cell.count : 0;
            if (many > LEAF && is_merged(s, cell, source, rule.merged2))
                many = 1;
            bodies += warp_sum(many);
            if (bodies > most) {
                t.long_met = true;
                break;
            }
        }
        __syncwarp();
    }
    t.pairs += (unsigned long long)bodies * sinks_of(s, b);
    return left;
}

/* Finishes the growing list, and starts the next one after it. */
static __device__ __forceinline__ tree_list finish(growing &list, unsigned cell, unsigned first)
{
    const tree_list done = {cell, list.begin, list.at - list.begin, first};
    list.begin = list.at;
    return done;
}

static __device__ __forceinline__ void finish_far(const tree_space &s, growing &far, unsigned cell,
                                                  tally &t, int lane)
{
    t.joins += far.at - far.begin;
    const tree_list done = finish(far, cell, 0);
    if (lane == 0)
        s.join[atomicAdd(&s.head->joins, 1)] = done;
}

/* The cells left open above a cell: the list of the nearest ancestor that has one, or ALL. */
static __device__ __forceinline__ uint2 open_above(const tree_space &s, unsigned cell)
{
    uint2 list = s.kept[cell];
    while (list.y == ALL && cell > 0) {
        cell = s.parent[cell];
        list = s.kept[cell];
    }
    return list;
}

static __device__ void count_up(const tree_space &s, const tally &t, int lane)
{
    if (lane > 0)
        return;
    atomicAdd(&s.head->work.joins, (unsigned long long)t.joins);
    atomicAdd(&s.head->work.judged, (unsigned long long)t.judged);
    if (t.lost)
        atomicAdd(&s.head->work.lost, 1);
}

static __device__ __forceinline__ unsigned take_next(unsigned *next, int lane)
{
    unsigned at = lane == 0 ? atomicAdd(next, 1) : 0;
    return __shfl_sync(ALL, at, 0);
}

static __device__ __forceinline__ bool nothing_to_do(const tree_head *head, bool first)
{
    return head->broken || (first && head->known);
}

/* The shared state of a block of CREW warps that settle a large cell together. */
template <int CREW> struct crew {
    static constexpr unsigned ROOM = 512 * CREW; /* capacity of their queue of cells to judge */
    unsigned queue[ROOM];
    unsigned joins[CREW], kept[CREW], opened[CREW]; /* per warp, in this round */
    unsigned begin, next;
};

/* Like grow, for a block whose warps all append to the same list. */
template <int CREW>
static __device__ void grow_together(const tree_space &s, unsigned pool, growing &list,
                                     crew<CREW> &w, tally &t)
{
    if (list.at + CREW * WARP <= list.end)
        return;
    const unsigned held = list.at - list.begin, size = 2 * held + EXTENT;
    __syncthreads();
    if (threadIdx.x == 0)
        w.begin = atomicAdd(&s.head->pool, size);
    __syncthreads();
    const unsigned begin = w.begin;
    if (begin + size > pool || begin + size < begin) {
        t.lost = true;
        list = {0, 0, CREW * WARP};
        return;
    }
    for (unsigned k = threadIdx.x; k < held; k += CREW * WARP)
        s.pool[begin + k] = s.pool[list.begin + k];
    __syncthreads();
    list = {begin, begin + held, begin + size};
}

/* The sum of the values of the preceding warps, and of all warps. */
template <int CREW>
static __device__ __forceinline__ unsigned before(const unsigned (&of)[CREW], int warp,
                                                  unsigned *all)
{
    unsigned sum = 0, total = 0;
#pragma unroll
    for (int w = 0; w < CREW; w++) {
        sum += w < warp ? of[w] : 0;
        total += of[w];
    }
    *all = total;
    return sum;
}

/* Like settle, for a block and a sink with children. Cells that are left go to the pool. */
template <int P, bool SPLINE, int CREW>
static __device__ void settle_together(const tree_space &s, crew<CREW> &w, const sink &b,
                                       const unsigned *list, unsigned count,
                                       const struct tree_cuda_rule &rule, unsigned pool,
                                       growing &far, growing &left, tally &t)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const unsigned below = (1u << lane) - 1;
    const float softening2 = softening_of(s);
    unsigned queued = 0, taken = 0;
    for (;;) {
        unsigned take, source = 0;
        if (queued >= CREW * WARP || (taken == count && queued > 0)) {
            take = queued > crew<CREW>::ROOM - SLACK - 8 * CREW * WARP
                       ? 1
                       : min(queued, (unsigned)(CREW * WARP));
            queued -= take;
            source = threadIdx.x < take ? w.queue[queued + threadIdx.x] : 0;
        } else if (taken < count) {
            take = min(count - taken, (unsigned)(CREW * WARP));
            source = threadIdx.x < take ? list[taken + threadIdx.x] : 0;
            taken += take;
        } else {
            break;
        }
        t.judged += take;
        bool joins = false, opened = false, kept = false;
        tree_cell cell = {};
        if (threadIdx.x < take) {
            cell = s.cell[source];
            const float4 at = s.place[0][source];
            joins = judge<P, SPLINE>(s, b, source, at, rule, softening2) && cell.children < PASSED;
            opened =
                !joins &&
                (cell.children >= PASSED ||
                 (cell.children > 0 && (at.w > b.at.w || (at.w == b.at.w && source < b.index))));
            kept = !joins && !opened;
        }
        const unsigned joining = __ballot_sync(ALL, joins), keeping = __ballot_sync(ALL, kept);
        const unsigned many = opened ? cell.children & ~PASSED : 0;
        unsigned end = many;
        for (int step = 1; step < WARP; step *= 2) {
            unsigned other = __shfl_up_sync(ALL, end, step);
            end += lane >= step ? other : 0;
        }
        if (lane == WARP - 1) {
            w.joins[warp] = __popc(joining);
            w.kept[warp] = __popc(keeping);
            w.opened[warp] = end;
        }
        grow_together(s, pool, far, w, t);
        grow_together(s, pool, left, w, t);
        __syncthreads();
        unsigned all, at = before(w.joins, warp, &all);
        if (joins)
            s.pool[far.at + at + __popc(joining & below)] = source;
        far.at += all;
        at = before(w.kept, warp, &all);
        if (kept)
            s.pool[left.at + at + __popc(keeping & below)] = source;
        left.at += all;
        at = queued + before(w.opened, warp, &all) + end - many;
        for (unsigned k = 0; k < many; k++)
            w.queue[at + k] = cell.child + k;
        queued += all;
        __syncthreads();
    }
}

template <int P, bool SPLINE, int CREW>
__global__ void __launch_bounds__(CREW *WARP, CREWS / CREW)
    wave_lists_kernel(tree_space s, struct tree_cuda_rule rule, bool first, unsigned wave,
                      unsigned pool)
{
    __shared__ crew<CREW> w;
    growing far = {}, left = {};
    tally t = {};
    if (nothing_to_do(s.head, first))
        return;
    for (;;) {
        __syncthreads();
        if (threadIdx.x == 0)
            w.next = atomicAdd(&s.head->next[wave], 1);
        __syncthreads();
        const unsigned at = w.next;
        if (at >= s.head->waves[wave])
            break;
        const unsigned cell = s.wave[wave][at];
        const uint2 open = open_above(s, s.parent[cell]);
        const bool whole = open.y == ALL; /* only the root is open */
        const sink b = sink_of(s, cell);
        settle_together<P, SPLINE, CREW>(s, w, b, whole ? s.root : s.pool + open.x,
                                         whole ? 1 : open.y, rule, pool, far, left, t);
        t.joins += far.at - far.begin;
        const tree_list done = finish(far, cell, 0), rest = finish(left, cell, 0);
        if (threadIdx.x == 0) {
            s.join[atomicAdd(&s.head->joins, 1)] = done;
            s.kept[cell] = make_uint2(rest.from, rest.count);
        }
    }
    count_up(s, t, (int)threadIdx.x);
}

/* Reserves places for lists of met cells with that many entries each; called by one lane. Long
 * ones come from the end of the room, because they are evaluated first. */
static __device__ __forceinline__ unsigned place_met(const tree_space &s, const list_room &room,
                                                     unsigned entries, unsigned lists)
{
    return entries > LONG_LIST ? room.meets - lists - atomicAdd(&s.head->longs, lists)
                               : atomicAdd(&s.head->meets, lists);
}

/* Makes one list of met cells for each warp's worth of a leaf's bodies. */
static __device__ __forceinline__ void finish_met(const tree_space &s, growing &met, unsigned cell,
                                                  const list_room &room, int lane)
{
    const tree_cell leaf = s.cell[cell];
    const unsigned parts = (leaf.count + WARP - 1) / WARP;
    const tree_list done = finish(met, cell, leaf.first);
    for (unsigned begin = 0; begin < parts; begin += WARP) {
        const unsigned from = leaf.first + (begin + lane) * WARP;
        const bool some =
            begin + lane < parts &&
            sinks_in(s, from, min(leaf.first + leaf.count - from, (unsigned)WARP)) > 0;
        const unsigned set = __ballot_sync(ALL, some);
        unsigned at = lane == 0 ? place_met(s, room, done.count, __popc(set)) : 0;
        at = __shfl_sync(ALL, at, 0);
        if (some)
            s.meet[at + __popc(set & ((1u << lane) - 1))] = {cell, done.from, done.count, from};
    }
}

/* Splits a wide leaf that would meet all of a dense core: lone_lists_kernel handles its bodies one
 * by one. */
static __device__ __forceinline__ void part_leaf(const tree_space &s, unsigned cell,
                                                 const unsigned *list, unsigned count, growing &far,
                                                 growing &met, const list_room &room, tally &t,
                                                 int lane)
{
    const tree_cell leaf = s.cell[cell];
    const unsigned below = (1u << lane) - 1;
    t.long_met = false;
    t.pairs = 0;
    far.at = far.begin;
    met.at = met.begin;
    for (unsigned k = 0; k < count; k += WARP) {
        const bool some = k + lane < count;
        grow(s, room.pool, met, t, lane);
        append(s, met, __ballot_sync(ALL, some), some, some ? list[k + lane] : 0, below);
    }
    const tree_list open = finish(met, cell, 0);
    const unsigned sinks = sinks_in(s, leaf.first, leaf.count);
    unsigned at = lane == 0 ? atomicAdd(&s.head->lone, sinks) : 0;
    at = __shfl_sync(ALL, at, 0);
    t.lost |= at + sinks > room.lone;
    for (unsigned k = lane; k < leaf.count; k += WARP) {
        const unsigned to = at + sinks_in(s, leaf.first, k);
        if (to < room.lone && sinks_in(s, leaf.first + k, 1) > 0)
            s.lone[to] = {cell, open.from, open.count, leaf.first + k};
    }
}

/* Walks a unit and all cells below it. */
template <int P, bool SPLINE>
static __device__ unsigned long long walk_unit(const tree_space &s, walker &w, unsigned unit,
                                               unsigned *near, const struct tree_cuda_rule &rule,
                                               const list_room &room, growing &far, growing &met,
                                               tally &t, int lane)
{
    unsigned cell = unit;
    int depth = 0;
    unsigned long long pairs = 0;
    const uint2 open = unit > 0 ? open_above(s, s.parent[unit]) : make_uint2(0, ALL);
    const unsigned *list = open.y == ALL ? s.root : s.pool + open.x;
    unsigned count = open.y == ALL ? 1 : open.y, top = 0;
    for (;;) {
        const sink b = sink_of(s, cell);
        const bool parts = b.children == 0 && b.count > 1 && b.count <= LEAF;
        const unsigned left = settle<P, SPLINE>(s, w, b, list, count, near, top, rule, room.pool,
                                                far, met, parts ? room.met : ALL, t, lane);
        if (t.long_met)
            part_leaf(s, cell, list, count, far, met, room, t, lane);
        else if (b.children == 0)
            finish_met(s, met, cell, room, lane);
        finish_far(s, far, cell, t, lane);
        if (b.children > 0) {
            if (lane == 0)
                w.frames[depth] = {s.cell[cell].child, b.children, top, left};
            depth++;
        }
        pairs += t.pairs;
        t.pairs = 0;
        __syncwarp();
        frame f;
        do { /* the next cell with sinks */
            while (depth > 0 && w.frames[depth - 1].left == 0)
                depth--;
            if (depth == 0)
                return pairs;
            f = w.frames[depth - 1];
            cell = f.child;
            __syncwarp();
            if (lane == 0) {
                w.frames[depth - 1].child++;
                w.frames[depth - 1].left--;
            }
            __syncwarp();
        } while (!holds_sinks(s, cell));
        list = near + f.from;
        count = f.count;
        top = f.from + count;
    }
}

template <int P, bool SPLINE>
__global__ void __launch_bounds__(WALKERS *WARP, 8)
    unit_lists_kernel(tree_space s, struct tree_cuda_rule rule, bool first, unsigned wave,
                      list_room room)
{
    __shared__ walker walkers[WALKERS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned *near = s.near + ((size_t)blockIdx.x * WALKERS + warp) * NEAR;
    growing far = {}, met = {};
    tally t = {};
    unsigned long long pairs = 0;
    if (nothing_to_do(s.head, first))
        return;
    for (;;) {
        const unsigned at = take_next(&s.head->next[wave], lane);
        if (at >= s.head->waves[wave])
            break;
        pairs += walk_unit<P, SPLINE>(s, walkers[warp], s.wave[wave][at], near, rule, room, far,
                                      met, t, lane);
    }
    count_up(s, t, lane);
    if (lane == 0) {
        atomicAdd(&s.head->work.pairs, pairs);
        s.head->work.units = s.head->waves[wave];
    }
}

/* One warp per body of a leaf that was split. */
template <int P, bool SPLINE>
__global__ void __launch_bounds__(WALKERS *WARP, 8)
    lone_lists_kernel(tree_space s, struct tree_cuda_rule rule, bool first, list_room room)
{
    __shared__ walker walkers[WALKERS];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    growing far = {}, met = {};
    tally t = {};
    if (nothing_to_do(s.head, first))
        return;
    const unsigned bodies = min(s.head->lone, room.lone);
    for (unsigned l = blockIdx.x * WALKERS + warp; l < bodies; l += gridDim.x * WALKERS) {
        const tree_list open = s.lone[l];
        const sink b = lone_sink_of(s, open.cell, open.first);
        (void)settle<P, SPLINE>(s, walkers[warp], b, s.pool + open.from, open.count, NULL, 0, rule,
                                room.pool, far, met, ALL, t, lane);
        t.joins += far.at - far.begin;
        const tree_list joined = finish(far, open.cell, open.first);
        const tree_list done = finish(met, open.cell | LONE, l);
        if (lane == 0) {
            s.lone[l] = joined;
            s.meet[place_met(s, room, done.count, 1)] = done;
        }
        __syncwarp();
    }
    count_up(s, t, lane);
    if (lane == 0)
        atomicAdd(&s.head->work.pairs, t.pairs);
}

template <int P, bool SPLINE>
static int launch(const struct tree_cuda_plan *plan, const tree_space &space,
                  const struct tree_cuda_rule &rule, bool first, cudaStream_t stream)
{
    const unsigned pool = (unsigned)(plan->pool < ALL ? plan->pool : ALL);
    const list_room room = {pool, plan->lone, (rule.opening > 0 ? 4 : 1) * plan->met,
                            tree_meets_room(plan)};
    const unsigned grid = plan->multiprocessors * (WALKS / WALKERS);
    for (unsigned w = 0; w + 1 < plan->waves; w++) {
        /* about as many cells are in the wave */
        const bool few = plan->bodies / plan->limit[w] <= MANY;
        const unsigned crew = few ? 8 : 2;
        const auto kernel = few ? wave_lists_kernel<P, SPLINE, 8> : wave_lists_kernel<P, SPLINE, 2>;
        kernel<<<plan->multiprocessors *(CREWS / crew), crew * WARP, 0, stream>>>(space, rule,
                                                                                  first, w, pool);
    }
    unit_lists_kernel<P, SPLINE>
        <<<grid, WALKERS * WARP, 0, stream>>>(space, rule, first, plan->waves - 1, room);
    lone_lists_kernel<P, SPLINE>
        <<<plan->multiprocessors * 4, WALKERS * WARP, 0, stream>>>(space, rule, first, room);
    return cudaGetLastError();
}

int tree_cuda_lists(const struct tree_cuda_plan *plan, const struct tree_space *space,
                    const struct tree_cuda_rule *rule, bool first, cudaStream_t stream)
{
    if (plan->spline)
        return launch<5, true>(plan, *space, *rule, first, stream);
    return plan->order == 4 ? launch<4, false>(plan, *space, *rule, first, stream)
                            : launch<5, false>(plan, *space, *rule, first, stream);
}
