/* Expansions: evaluates each cell's list of joined cells and passes the results down to the
 * leaves. */
#include "kernels/tree/cuda/expansion.cuh"
#include "kernels/tree/cuda/space.cuh"

static __device__ __forceinline__ bool nothing_to_do(const tree_head *head, bool first)
{
    return head->broken || (first && head->known);
}

/* Copies from global to shared memory, bypassing the registers where the device supports it. */
template <class ITEM> static __device__ __forceinline__ void copy_async(ITEM *to, const ITEM *from)
{
#if __CUDA_ARCH__ >= 800
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    if constexpr (sizeof(ITEM) == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from));
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from));
#else
    *to = *from;
#endif
}

static __device__ __forceinline__ void end_of_copies(void)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits for all copies but those since the last end_of_copies. */
static __device__ __forceinline__ void copies_arrive(void)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group 1;" ::: "memory");
#endif
    __syncwarp();
}

/* The part of a list that is still to be read: `left` entries from `from` on, WARP at a time. A
 * list without entries is read once. */
struct reading {
    unsigned cell, from, left;
};

static __device__ __forceinline__ reading reading_of(const tree_list &list)
{
    return {list.cell, list.from, list.count};
}

/* A warp reads its sources, and the cell on which they act, from here. */
template <int CHUNKS> struct join_stage {
    float4 row[WARP * CHUNKS], at[WARP], low[WARP], own, own_low;
    float mass[WARP], half[WARP], own_half;
};

/* One warp per list, one lane per source. While the expansions of WARP sources are evaluated, the
 * next ones are copied to shared memory, and the numbers of those after them are read. */
template <int P, bool POTENTIAL>
__global__ void __launch_bounds__(WALKERS *WARP, P == 4 ? 5 : 3)
    join_kernel(tree_space s, bool mixed, bool first)
{
    constexpr int TERMS = terms_of(P), PULLING = P * (P + 1) * (P + 2) / 6;
    constexpr int USED = POTENTIAL ? TERMS : PULLING;
    constexpr int CHUNKS = P == 4 ? 4 : 8; /* chunks of 16 bytes per row when rows are staged */
    constexpr int ROWS = WARP / CHUNKS;
    __shared__ join_stage<CHUNKS> stages[WALKERS][2];
    const unsigned lane = threadIdx.x % WARP, stride = gridDim.x * WALKERS;
    join_stage<CHUNKS> *const stage = stages[threadIdx.x / WARP];
    if (nothing_to_do(s.head, first))
        return;
    const unsigned lists = s.head->joins;
    unsigned l = (blockIdx.x * WALKERS * WARP + threadIdx.x) / WARP;
    if (l >= lists)
        return;

    const auto source_of = [&](const reading &at) {
        return at.left > 0 ? s.pool[at.from + min(lane, at.left - 1)] : 0;
    };
    const auto copy = [&](const reading &to, unsigned source, join_stage<CHUNKS> &in) {
#pragma unroll
        for (int k = 0; k < CHUNKS; k++) {
            const unsigned r = k * ROWS + lane / CHUNKS, c = lane % CHUNKS;
            const unsigned from = __shfl_sync(ALL, source, (int)r);
            copy_async(&in.row[r * CHUNKS + (c ^ (r * CHUNKS / 8 & (CHUNKS - 1)))],
                       (const float4 *)(s.moments + (size_t)from * row_of(P)) + c);
        }
        copy_async(&in.at[lane], s.place[0] + source);
        copy_async(&in.low[lane], s.place[1] + source);
        copy_async(&in.mass[lane], &s.place[2][source].x);
        if (mixed)
            copy_async(&in.half[lane], &s.place[3][source].y);
        if (lane == 0)
            copy_async(&in.own, s.place[0] + to.cell);
        if (lane == 1)
            copy_async(&in.own_low, s.place[1] + to.cell);
        if (lane == 2)
            copy_async(&in.own_half, &s.place[3][to.cell].y);
    };

    reading next = reading_of(s.join[l]), now = {};
    unsigned ahead = source_of(next), turn = 0;
    tree_list later = s.join[min(l + stride, lists - 1)];
    bool more = true;
    float sum[TERMS] = {};
    for (bool begun = false;; turn ^= 1, begun = true) {
        /* `now` is in the stage `turn`, unless nothing is yet; `next` goes to the other one. */
        if (more)
            copy(next, ahead, stage[turn ^ 1]);
        end_of_copies();
        const reading copied = next;
        const bool some_next = more;
        if (next.left > WARP) {
            next.from += WARP;
            next.left -= WARP;
        } else {
            l += stride;
            more = l < lists;
            next = reading_of(later);
            later = s.join[min(l + stride, lists - 1)];
        }
        if (more)
            ahead = source_of(next);
        if (begun) {
            copies_arrive();
            const join_stage<CHUNKS> &in = stage[turn];
            const float4 own = in.own, own_low = in.own_low, at = in.at[lane], low = in.low[lane];
            const float half = mixed ? in.own_half : s.head->softening2;
            const float dx = (own.x - at.x) + (own_low.x - low.x);
            const float dy = (own.y - at.y) + (own_low.y - low.y);
            const float dz = (own.z - at.z) + (own_low.z - low.z);
            const float eps2 = mixed ? in.half[lane] + half : half;
            const float r2 = fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2)));
            /* An empty list reads the root, which may be at distance 0 from the cell. */
            const float inverse = lane < now.left ? rsqrtf(r2) : 0;
            const float t = positive(at.w) * inverse, u = positive(own.w) * inverse;
            float d[TERMS], scale[P + 1], moment[USED + 16];
            expansion<P>::derivatives(dx * inverse, dy * inverse, dz * inverse, d);
            scale[0] = inverse;
#pragma unroll
            for (int degree = 1; degree <= P; degree++)
                scale[degree] = degree > 1 && own.w == 0 ? 0 : scale[degree - 1] * u;
            moment[0] = in.mass[lane];
#pragma unroll
            for (int k = 0; k < CHUNKS; k++) {
                const float4 q = in.row[lane * CHUNKS + (k ^ (lane * CHUNKS / 8 & (CHUNKS - 1)))];
                moment[4 + 4 * k] = q.x;
                moment[5 + 4 * k] = q.y;
                moment[6 + 4 * k] = q.z;
                moment[7 + 4 * k] = q.w;
            }
            if (POTENTIAL) { /* the rest of the row, needed only for the potential */
                const unsigned source =
                    now.left > 0 ? s.pool[now.from + min(lane, now.left - 1)] : 0;
#pragma unroll
                for (int n = 4 + 4 * CHUNKS; n < TERMS; n++)
                    moment[n] = s.moments[(size_t)source * row_of(P) + n - 4];
            }
            float factors[P + 1];
            powers_of<P>(t, factors);
            by_degree<4, USED>::scale(factors, moment);
            expansion<P>::template translate<POTENTIAL>(moment, d, scale, sum);
            if (now.left <= WARP) {
                int begin = 0, mine = TERMS;
                spread_sum<TERMS, WARP / 2>::run(sum, (int)lane, &begin, &mine);
                float *row = s.local + (size_t)now.cell * row_of(P);
#pragma unroll
                for (int k = 0; k < 2; k++)
                    if (k < mine)
                        row[begin + k] = sum[k];
#pragma unroll
                for (int n = 0; n < TERMS; n++)
                    sum[n] = 0;
            }
            __syncwarp();
        }
        if (!some_next)
            return;
        now = copied;
    }
}

/* One warp per single body, one lane per source. */
template <int P, bool POTENTIAL>
__global__ void __launch_bounds__(THREADS)
    lone_kernel(tree_space s, bool mixed, bool first, unsigned room)
{
    constexpr int TERMS = terms_of(P), PULLING = P * (P + 1) * (P + 2) / 6;
    constexpr int USED = POTENTIAL ? TERMS : PULLING;
    const int lane = threadIdx.x % WARP;
    if (nothing_to_do(s.head, first))
        return;
    const unsigned bodies = min(s.head->lone, room);
    for (unsigned l = (blockIdx.x * THREADS + threadIdx.x) / WARP; l < bodies;
         l += gridDim.x * (THREADS / WARP)) {
        const tree_list list = s.lone[l];
        const float4 own = s.place[0][list.cell], own_low = s.place[1][list.cell];
        const float4 from = s.relative[list.first];
        const float half = mixed ? s.half[list.first] : s.head->softening2;
        float sum[TERMS] = {};
        for (unsigned k = lane; k < list.count; k += WARP) {
            const unsigned source = s.pool[list.from + k];
            const float4 at = s.place[0][source], low = s.place[1][source];
            const float dx = (own.x - at.x) + (own_low.x - low.x) + from.x;
            const float dy = (own.y - at.y) + (own_low.y - low.y) + from.y;
            const float dz = (own.z - at.z) + (own_low.z - low.z) + from.z;
            const float eps2 = mixed ? s.place[3][source].y + half : half;
            const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2))));
            float d[TERMS], scale[P + 1], moment[USED], factors[P + 1];
            expansion<P>::derivatives(dx * inverse, dy * inverse, dz * inverse, d);
            scale[0] = inverse;
            scale[1] = inverse * inverse;
#pragma unroll
            for (int degree = 2; degree <= P; degree++)
                scale[degree] = 0;
            moment[0] = s.place[2][source].x;
            moment[1] = moment[2] = moment[3] = 0;
            load_row<USED - 4>(s.moments + (size_t)source * row_of(P), moment + 4);
            powers_of<P>(positive(at.w) * inverse, factors);
            by_degree<4, USED>::scale(factors, moment);
            expansion<P>::template translate<POTENTIAL>(moment, d, scale, sum);
        }
        float power[TERMS], local[TERMS] = {}, pull[3];
#pragma unroll
        for (int k = 0; k < 4; k++)
            local[k] = warp_sum(sum[k]);
        expansion<P>::powers(0, 0, 0, power);
        expansion<P>::gradient(power, local, pull);
        if (lane == 0)
            s.given[l] = make_float4(pull[0], pull[1], pull[2], expansion<P>::value(power, local));
    }
}

/* Adds the expansions of all cells above a leaf to that of the leaf. One thread per leaf. */
template <int P> __global__ void __launch_bounds__(128) gather_kernel(tree_space s, bool first)
{
    if (nothing_to_do(s.head, first))
        return;
    for (unsigned c = blockIdx.x * 128 + threadIdx.x; c < s.head->work.cells;
         c += gridDim.x * 128) {
        if (s.cell[c].children > 0 || sinks_in(s, s.cell[c].first, s.cell[c].count) == 0)
            continue;
        const float4 at = s.place[0][c], low = s.place[1][c];
        float *row = s.local + (size_t)c * row_of(P), sum[terms_of(P)];
        load_row<terms_of(P)>(row, sum);
        for (unsigned above = c; above > 0;) {
            above = s.parent[above];
            if (s.cell[above].children >= PASSED)
                continue;
            const float4 from = s.place[0][above], from_low = s.place[1][above];
            const float r = 1 / positive(from.w), ratio = positive(at.w) * r;
            const float *given = s.local + (size_t)above * row_of(P);
            float power[terms_of(P)], local[terms_of(P)], out[terms_of(P)], factors[P + 1];
            load_row<terms_of(P)>(given, local);
            expansion<P>::powers(((at.x - from.x) + (low.x - from_low.x)) * r,
                                 ((at.y - from.y) + (low.y - from_low.y)) * r,
                                 ((at.z - from.z) + (low.z - from_low.z)) * r, power);
            expansion<P>::lower(power, local, out);
            powers_of<P>(ratio, factors);
            if (at.w == 0) /* all bodies at one point: only the gradient is needed */
#pragma unroll
                for (int degree = 2; degree <= P; degree++)
                    factors[degree] = 0;
            by_degree<0, terms_of(P)>::scale(factors, out);
#pragma unroll
            for (int n = 0; n < terms_of(P); n++)
                sum[n] += out[n];
        }
        store_row<terms_of(P)>(row, sum);
    }
}

template <int P, bool POTENTIAL>
static int launch(const struct tree_cuda_plan *plan, const tree_space &space, bool first,
                  cudaStream_t stream)
{
    const bool soft = plan->mixed && !plan->spline; /* splines: joins are beyond support */
    join_kernel<P, POTENTIAL>
        <<<plan->multiprocessors * 24, WALKERS * WARP, 0, stream>>>(space, soft, first);
    gather_kernel<P><<<2 * plan->blocks, 128, 0, stream>>>(space, first);
    lone_kernel<P, POTENTIAL>
        <<<plan->multiprocessors * 2, THREADS, 0, stream>>>(space, soft, first, plan->lone);
    return cudaGetLastError();
}

int tree_cuda_join(const struct tree_cuda_plan *plan, const struct tree_space *space, bool first,
                   bool potential, cudaStream_t stream)
{
    if (potential)
        return plan->order == 4 ? launch<4, true>(plan, *space, first, stream)
                                : launch<5, true>(plan, *space, first, stream);
    return plan->order == 4 ? launch<4, false>(plan, *space, first, stream)
                            : launch<5, false>(plan, *space, first, stream);
}
