/* Expansions: evaluates each cell's list of joined cells and passes the results down to the
 * leaves. */
#include "kernels/tree/cuda/expansion.cuh"
#include "kernels/tree/cuda/space.cuh"

static __device__ __forceinline__ bool nothing_to_do(const tree_head *head, bool first)
{
    return head->broken || (first && head->known);
}

/* Copies from global to shared memory, bypassing the registers where the device supports it. */
static __device__ __forceinline__ void copy_async(float4 *to, const float *from)
{
#if __CUDA_ARCH__ >= 800
    unsigned at = (unsigned)__cvta_generic_to_shared(to);
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from));
#else
    *to = *(const float4 *)from;
#endif
}

static __device__ __forceinline__ void copies_arrive(void)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/* One warp per list, one lane per source. */
template <int P, bool POTENTIAL>
__global__ void __launch_bounds__(WALKERS *WARP, P == 4 ? 5 : 3)
    join_kernel(tree_space s, bool mixed, bool first)
{
    constexpr int TERMS = terms_of(P), PULLING = P * (P + 1) * (P + 2) / 6;
    constexpr int USED = POTENTIAL ? TERMS : PULLING;
    constexpr int CHUNKS = P == 4 ? 4 : 8; /* chunks of 16 bytes per row when rows are staged */
    constexpr int ROWS = WARP / CHUNKS;
    __shared__ float4 stages[WALKERS][WARP * CHUNKS];
    const int lane = threadIdx.x % WARP;
    float4 *stage = stages[threadIdx.x / WARP];
    if (nothing_to_do(s.head, first))
        return;
    const unsigned lists = s.head->joins;
    for (unsigned l = (blockIdx.x * WALKERS * WARP + threadIdx.x) / WARP; l < lists;
         l += gridDim.x * WALKERS) {
        const tree_list list = s.join[l];
        const float4 own = s.place[0][list.cell], own_low = s.place[1][list.cell];
        const float half = mixed ? s.place[3][list.cell].y : s.head->softening2;
        float sum[TERMS] = {};
        for (unsigned begin = 0; begin < list.count; begin += WARP) {
            const bool some = begin + lane < list.count;
            const unsigned source = s.pool[list.from + (some ? begin + lane : list.count - 1)];
            __syncwarp();
#pragma unroll
            for (int k = 0; k < CHUNKS; k++) {
                const int r = k * ROWS + lane / CHUNKS, c = lane % CHUNKS;
                const unsigned from = __shfl_sync(ALL, source, r);
                copy_async(&stage[r * CHUNKS + (c ^ (r * CHUNKS / 8 & (CHUNKS - 1)))],
                           s.moments + (size_t)from * row_of(P) + 4 * c);
            }
            const float4 at = s.place[0][source], low = s.place[1][source];
            const float mass = s.place[2][source].x;
            const float dx = (own.x - at.x) + (own_low.x - low.x);
            const float dy = (own.y - at.y) + (own_low.y - low.y);
            const float dz = (own.z - at.z) + (own_low.z - low.z);
            const float eps2 = mixed ? s.place[3][source].y + half : half;
            const float inverse = rsqrtf(fmaf(dx, dx, fmaf(dy, dy, fmaf(dz, dz, eps2))));
            const float t = positive(at.w) * inverse, u = positive(own.w) * inverse;
            float d[TERMS], scale[P + 1], moment[USED + 16];
            expansion<P>::derivatives(dx * inverse, dy * inverse, dz * inverse, d);
            scale[0] = some ? inverse : 0;
#pragma unroll
            for (int degree = 1; degree <= P; degree++)
                scale[degree] = degree > 1 && own.w == 0 ? 0 : scale[degree - 1] * u;
            copies_arrive();
            __syncwarp();
            moment[0] = mass;
#pragma unroll
            for (int k = 0; k < CHUNKS; k++) {
                const float4 q = stage[lane * CHUNKS + (k ^ (lane * CHUNKS / 8 & (CHUNKS - 1)))];
                moment[4 + 4 * k] = q.x;
                moment[5 + 4 * k] = q.y;
                moment[6 + 4 * k] = q.z;
                moment[7 + 4 * k] = q.w;
            }
            if (POTENTIAL) { /* the rest of the row, needed only for the potential */
#pragma unroll
                for (int n = 4 + 4 * CHUNKS; n < TERMS; n++)
                    moment[n] = s.moments[(size_t)source * row_of(P) + n - 4];
            }
            float factors[P + 1];
            powers_of<P>(t, factors);
            by_degree<4, USED>::scale(factors, moment);
            expansion<P>::template translate<POTENTIAL>(moment, d, scale, sum);
        }
        int low = 0, mine = TERMS;
        spread_sum<TERMS, WARP / 2>::run(sum, lane, &low, &mine);
        float *row = s.local + (size_t)list.cell * row_of(P);
#pragma unroll
        for (int k = 0; k < 2; k++)
            if (k < mine)
                row[low + k] = sum[k];
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
