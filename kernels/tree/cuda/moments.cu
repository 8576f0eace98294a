/* Contents of the cells: bodies relative to the centres of their leaves, centres of mass, radii,
 * moments and their powers. Threads fill leaves; warps fill the cells above, each from all of its
 * children in their order. */
#include "kernels/tree/cuda/space.cuh"
#include "kernels/tree/cuda/expansion.cuh"
#include "kernels/tree/tree_cells.h"

#include <cuda/atomic>

enum {
    SCANNED = 256, /* a cell with more bodies than this derives its radius from its children's
                    * radii */
    CROWD = 4 * LEAF,
};

static __device__ __forceinline__ float length(double x, double y, double z)
{
    float a = (float)x, b = (float)y, c = (float)z;
    return sqrtf(a * a + b * b + c * c);
}

template <int P>
static __device__ __forceinline__ void store_moments(float *terms, int lane, float *row)
{
    int first = 0, own = terms_of(P);
    spread_sum<terms_of(P), WARP / 2>::run(terms, lane, &first, &own);
#pragma unroll
    for (int k = 0; k < 2; k++)
        if (k < own && first + k >= 4)
            row[first + k - 4] = terms[k];
}

struct filling {
    const double *rows, *halves;
    float share;
    bool again;
};

/* Sets the centre, as the sum of two floats, from the lanes' sums over the bodies. */
static __device__ __forceinline__ void set_centre(double mass, const double *weighted,
                                                  const double *middle, double count, float *hi,
                                                  float *lo, double *centre)
{
    for (int c = 0; c < 3; c++) {
        double at = mass > 0 ? weighted[c] / mass : middle[c] / count;
        split(at, hi + c, lo + c);
        centre[c] = (double)hi[c] + (double)lo[c];
    }
}

/* Bodies in the tree's order and units. */
__global__ void __launch_bounds__(THREADS) place_kernel(size_t count, tree_space s, filling from)
{
    const tree_head *head = s.head;
    const size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (i >= count || (from.again && head->known))
        return;
    const size_t body = s.body[1][i];
    const double2 *row = (const double2 *)(from.rows + 4 * body);
    const double2 xy = row[0], zm = row[1];
    s.at[0][i] = (xy.x - head->centre[0]) * head->scale;
    s.at[1][i] = (xy.y - head->centre[1]) * head->scale;
    s.at[2][i] = (zm.x - head->centre[2]) * head->scale;
    s.relative[i].w = (float)(zm.y / head->mass_unit);
    if (from.halves)
        s.half[i] = (float)(from.halves[body] * head->scale * head->scale);
}

/* Sums over the bodies of a leaf. */
struct leaf_sums {
    double mass, weighted[3], middle[3];
    float least, small, large, halves, heavy; /* halves: their sum; heavy: their sum weighted by
                                               * mass */
};

/* Sums over every STEP-th body from `first` on. */
template <int STEP>
static __device__ __forceinline__ leaf_sums sums_of(const tree_space &s, bool mixed, unsigned first,
                                                    unsigned end)
{
    leaf_sums sums = {};
    sums.least = sums.small = INFINITY;
#pragma unroll 4
    for (unsigned i = first; i < end; i += STEP) {
        const double m = (double)s.relative[i].w;
        sums.mass += m;
        for (int a = 0; a < 3; a++) {
            sums.weighted[a] += m * s.at[a][i];
            sums.middle[a] += s.at[a][i];
        }
        sums.least = fminf(sums.least, s.size[i]);
        if (mixed) {
            sums.small = fminf(sums.small, s.half[i]);
            sums.large = fmaxf(sums.large, s.half[i]);
            sums.halves += s.half[i];
            sums.heavy += s.relative[i].w * s.half[i];
        }
    }
    return sums;
}

/* Sets the places about the centre; returns the largest distance squared. */
template <int STEP>
static __device__ __forceinline__ float settle_in(const tree_space &s, const double *centre,
                                                  unsigned first, unsigned end)
{
    float square = 0;
#pragma unroll 4
    for (unsigned i = first; i < end; i += STEP) {
        float4 at = s.relative[i];
        at.x = (float)(s.at[0][i] - centre[0]);
        at.y = (float)(s.at[1][i] - centre[1]);
        at.z = (float)(s.at[2][i] - centre[2]);
        square = fmaxf(square, at.x * at.x + at.y * at.y + at.z * at.z);
        s.relative[i] = at;
    }
    return square;
}

template <int P, int STEP>
static __device__ __forceinline__ void add_moments(const tree_space &s, float radius,
                                                   unsigned first, unsigned end, float *terms)
{
    const float inverse = -1 / positive(radius);
#pragma unroll 2
    for (unsigned i = first; i < end; i += STEP) {
        const float4 at = s.relative[i];
        float power[terms_of(P)];
        expansion<P>::powers(at.x * inverse, at.y * inverse, at.z * inverse, power);
#pragma unroll
        for (int n = 4; n < terms_of(P); n++)
            terms[n] = fmaf(at.w, power[n], terms[n]);
    }
}

static __device__ __forceinline__ void store_leaf(const tree_space &s, const filling &from,
                                                  unsigned c, const leaf_sums &sums,
                                                  const float *hi, const float *lo, float radius)
{
    const float hold = fmaxf(sums.least, s.head->least) * from.share;
    const float count = (float)s.cell[c].count;
    s.place[0][c] = make_float4(hi[0], hi[1], hi[2], radius);
    s.place[1][c] = make_float4(lo[0], lo[1], lo[2], hold);
    s.place[2][c] = make_float4((float)sums.mass, 0, 0, 0);
    if (from.halves) { /* about the mass-weighted mean, the errors of a source's bodies cancel */
        const float mass = (float)sums.mass;
        s.place[3][c] = make_float4(0, mass > 0 ? sums.heavy / mass : sums.halves / count,
                                    sums.large - sums.small, 0);
    } else {
        s.place[3][c] = make_float4(0, 0, 0, 0);
    }
}

static __device__ __forceinline__ float radius_of(float square)
{
    return sqrtf(square) * (1 + 1e-6f);
}

/* Fills a leaf that has so many bodies at one point that it takes a whole warp. */
template <int P>
static __device__ void fill_crowd(const tree_space &s, const filling &from, unsigned c, int lane)
{
    const tree_cell cell = s.cell[c];
    const unsigned first = cell.first + lane, end = cell.first + cell.count;
    leaf_sums sums = sums_of<WARP>(s, from.halves != NULL, first, end);
    sums.mass = warp_sum(sums.mass);
    for (int a = 0; a < 3; a++) {
        sums.weighted[a] = warp_sum(sums.weighted[a]);
        sums.middle[a] = warp_sum(sums.middle[a]);
    }
    sums.least = warp_min(sums.least);
    sums.small = warp_min(sums.small);
    sums.large = warp_max(sums.large);
    sums.halves = warp_sum(sums.halves);
    sums.heavy = warp_sum(sums.heavy);
    float hi[3], lo[3], terms[terms_of(P)] = {};
    double centre[3];
    set_centre(sums.mass, sums.weighted, sums.middle, cell.count, hi, lo, centre);
    const float radius = radius_of(warp_max(settle_in<WARP>(s, centre, first, end)));
    add_moments<P, WARP>(s, radius, first, end, terms);
    store_moments<P>(terms, lane, s.moments + (size_t)c * row_of(P));
    if (lane == 0)
        store_leaf(s, from, c, sums, hi, lo, radius);
}

/* One thread a leaf. */
template <int P> __global__ void __launch_bounds__(128) leaf_kernel(tree_space s, filling from)
{
    const tree_head *head = s.head;
    if (from.again && head->known)
        return;
    const int lane = threadIdx.x % WARP;
    for (unsigned begin = blockIdx.x * 128 + threadIdx.x - lane; begin < head->work.cells;
         begin += gridDim.x * 128) {
        const unsigned c = begin + lane;
        tree_cell cell = {};
        if (c < head->work.cells)
            cell = s.cell[c];
        const bool leaf = cell.count > 0 && cell.children == 0;
        unsigned crowds = __ballot_sync(ALL, leaf && cell.count > CROWD);
        if (leaf && cell.count <= CROWD) {
            const unsigned end = cell.first + cell.count;
            const leaf_sums sums = sums_of<1>(s, from.halves != NULL, cell.first, end);
            float hi[3], lo[3], terms[terms_of(P)] = {};
            double centre[3];
            set_centre(sums.mass, sums.weighted, sums.middle, cell.count, hi, lo, centre);
            const float radius = radius_of(settle_in<1>(s, centre, cell.first, end));
            add_moments<P, 1>(s, radius, cell.first, end, terms);
            store_row<terms_of(P) - 4>(s.moments + (size_t)c * row_of(P), terms + 4);
            store_leaf(s, from, c, sums, hi, lo, radius);
        }
        __syncwarp();
        for (; crowds; crowds &= crowds - 1)
            fill_crowd<P>(s, from, begin + __ffs((int)crowds) - 1, lane);
    }
}

template <int P>
static __device__ void fill_parent(const tree_space &s, bool mixed, unsigned c, int lane)
{
    const tree_cell cell = s.cell[c];
    const bool is_child = lane < (int)cell.children;
    const unsigned k = cell.child + (is_child ? lane : 0);
    const float4 at = s.place[0][k], low = s.place[1][k];
    const double m = is_child ? (double)s.place[2][k].x : 0;
    const double count = is_child ? s.cell[k].count : 0;
    const double from[3] = {(double)at.x + (double)low.x, (double)at.y + (double)low.y,
                            (double)at.z + (double)low.z};
    double mass = warp_sum(m), weighted[3], middle[3], centre[3];
    for (int a = 0; a < 3; a++) {
        weighted[a] = warp_sum(m * from[a]);
        middle[a] = warp_sum(count * from[a]);
    }
    float hi[3], lo[3], radius = 0;
    set_centre(mass, weighted, middle, cell.count, hi, lo, centre);
    if (cell.count <= SCANNED) {
#pragma unroll 8
        for (unsigned b = lane; b < cell.count; b += WARP) {
            const unsigned i = cell.first + b;
            radius = fmaxf(radius, length(s.at[0][i] - centre[0], s.at[1][i] - centre[1],
                                          s.at[2][i] - centre[2]));
        }
    } else if (is_child) {
        radius = length(from[0] - centre[0], from[1] - centre[1], from[2] - centre[2]) + at.w;
    }
    radius = warp_max(radius) * (1 + 1e-6f);

    float half = 0, spread = 0;
    if (mixed) {
        const float4 rest = s.place[3][k];
        const float weight = (float)(mass > 0 ? m : count);
        half = warp_sum(is_child ? rest.y * weight : 0) / warp_sum(is_child ? weight : 0);
        spread = warp_max(rest.y + rest.z / 2) - warp_min(rest.y - rest.z / 2);
    }
    const float hold = warp_min(low.w);

    float terms[terms_of(P)] = {};
    if (is_child) {
        const float r = positive(radius);
        float own[terms_of(P)], power[terms_of(P)];
        const float *row = s.moments + (size_t)k * row_of(P);
        own[0] = (float)m;
        own[1] = own[2] = own[3] = 0;
        load_row<terms_of(P) - 4>(row, own + 4);
        float factors[P + 1];
        powers_of<P>(positive(at.w) / r, factors);
        by_degree<0, terms_of(P)>::scale(factors, own);
        expansion<P>::powers(-(float)(from[0] - centre[0]) / r, -(float)(from[1] - centre[1]) / r,
                             -(float)(from[2] - centre[2]) / r, power);
        expansion<P>::raise(power, own, terms);
    }
    store_moments<P>(terms, lane, s.moments + (size_t)c * row_of(P));
    if (lane == 0) {
        s.place[0][c] = make_float4(hi[0], hi[1], hi[2], radius);
        s.place[1][c] = make_float4(lo[0], lo[1], lo[2], hold);
        s.place[2][c] = make_float4((float)mass, 0, 0, 0);
        s.place[3][c] = make_float4(0, half, spread, 0);
    }
}

/* Starts with the cells whose children are all leaves. After that, whichever warp completes the
 * last unfilled child of a cell goes on to fill that cell. */
template <int P>
__global__ void __launch_bounds__(THREADS) parent_kernel(tree_space s, bool mixed, bool again)
{
    if (again && s.head->known)
        return;
    const int lane = threadIdx.x % WARP;
    const unsigned cells = s.head->work.cells;
    for (unsigned w = (blockIdx.x * THREADS + threadIdx.x) / WARP; w < cells;
         w += gridDim.x * (THREADS / WARP)) {
        const tree_cell cell = s.cell[w];
        if (cell.children == 0)
            continue;
        if (__any_sync(ALL, lane < (int)cell.children && s.cell[cell.child + lane].children > 0))
            continue;
        for (unsigned c = w;;) {
            const unsigned parent = c > 0 ? s.parent[c] : 0; /* read before it is waited for */
            const tree_cell above = s.cell[parent];
            const bool filled =
                lane < (int)above.children && s.cell[above.child + lane].children > 0;
            fill_parent<P>(s, mixed, c, lane);
            if (c == 0)
                break;
            c = parent;
            const unsigned expected = __popc(__ballot_sync(ALL, filled));
            unsigned before = 0;
            __syncwarp();
            if (lane == 0) {
                cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(s.arrived[c]);
                before = arrived.fetch_add(1, cuda::memory_order_acq_rel);
            }
            before = __shfl_sync(ALL, before, 0);
            if (before + 1 < expected)
                break;
            __syncwarp();
        }
    }
}

static __device__ __host__ constexpr int term_at(int i, int j, int k)
{
    return (i + j + k) * (i + j + k + 1) * (i + j + k + 2) / 6 + (j + k) * (j + k + 1) / 2 + k;
}

/* See kernels/tree/tree_cells.h. */
template <int P> static __device__ float shape_of(const tree_space &s, unsigned c)
{
    while (c > 0 && s.cell[c].count < CELL_SHAPED)
        c = s.parent[c];
    float row[8];
    load_row<8>(s.moments + (size_t)c * row_of(P), row);
    return cell_shape(row);
}

/* The powers of the multipoles, as tree_weigh in kernels/tree/expansion_isa.c computes them, and
 * the shapes of the cells, as mind_shapes in sim/gravity/tree/cells.c does. */
template <int P> __global__ void __launch_bounds__(THREADS) weigh_kernel(tree_space s, bool again)
{
    if (again && s.head->known)
        return;
    const float factorial[] = {1, 1, 2, 6, 24, 120};
    const float legendre[6][3] = {{1},
                                  {1},
                                  {3 / 2.0f, -1 / 2.0f},
                                  {5 / 2.0f, -3 / 2.0f},
                                  {35 / 8.0f, -30 / 8.0f, 3 / 8.0f},
                                  {63 / 8.0f, -70 / 8.0f, 15 / 8.0f}};
    for (unsigned c = blockIdx.x * THREADS + threadIdx.x; c < s.head->work.cells;
         c += gridDim.x * THREADS) {
        float row[terms_of(P) - 4], power[4] = {};
        load_row<terms_of(P) - 4>(s.moments + (size_t)c * row_of(P), row);
#pragma unroll
        for (int degree = 2; degree <= P; degree++) {
            float trace[terms_of(P)], square = 0;
#pragma unroll
            for (int i = 0; i <= degree; i++)
#pragma unroll
                for (int j = 0; j <= degree - i; j++) {
                    const int k = degree - i - j, n = term_at(i, j, k);
                    trace[n] = row[n - 4] * factorial[i] * factorial[j] * factorial[k];
                }
#pragma unroll
            for (int t = 0; 2 * t <= degree; t++) {
                const int left = degree - 2 * t;
                float norm = 0;
#pragma unroll
                for (int i = 0; i <= left; i++)
#pragma unroll
                    for (int j = 0; j <= left - i; j++) {
                        const int k = left - i - j;
                        const float value = trace[term_at(i, j, k)];
                        norm += factorial[left] / (factorial[i] * factorial[j] * factorial[k]) *
                                value * value;
                    }
                square += legendre[degree][t] * norm;
#pragma unroll
                for (int i = 0; i <= left - 2; i++)
#pragma unroll
                    for (int j = 0; j <= left - 2 - i; j++) {
                        const int k = left - 2 - i - j;
                        trace[term_at(i, j, k)] = trace[term_at(i + 2, j, k)] +
                                                  trace[term_at(i, j + 2, k)] +
                                                  trace[term_at(i, j, k + 2)];
                    }
            }
            power[degree - 2] = sqrtf(fmaxf(square, 0));
        }
        const float shape = shape_of<P>(s, c);
        s.place[1][c].w /= shape;
        s.place[2][c].y = power[0] * shape;
        s.place[2][c].z = power[1] * shape;
        s.place[2][c].w = power[2] * shape;
        s.place[3][c].x = power[3] * shape;
    }
}

template <int P>
static int fill_all(const struct tree_cuda_plan *plan, const tree_space &space, const filling &from,
                    cudaStream_t stream)
{
    const unsigned blocks = (unsigned)((plan->bodies + THREADS - 1) / THREADS);
    place_kernel<<<blocks, THREADS, 0, stream>>>(plan->bodies, space, from);
    leaf_kernel<P><<<2 * plan->blocks, 128, 0, stream>>>(space, from);
    parent_kernel<P><<<plan->blocks, THREADS, 0, stream>>>(space, plan->mixed, from.again);
    weigh_kernel<P><<<plan->blocks, THREADS, 0, stream>>>(space, from.again);
    return cudaGetLastError();
}

int tree_cuda_moments(const struct tree_cuda_plan *plan, const struct tree_space *space,
                      const double *rows, const double *halves, float share, bool again,
                      cudaStream_t stream)
{
    const filling from = {rows, halves, share, again};
    return plan->order == 4 ? fill_all<4>(plan, *space, from, stream)
                            : fill_all<5>(plan, *space, from, stream);
}
