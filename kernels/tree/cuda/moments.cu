/* Contents of the cells: bodies relative to the centres of their leaves, centres of mass, radii,
 * moments and their powers. Eight lanes of a warp fill a cell, or all of them: a leaf from its
 * bodies, another cell from its children in their order. */
#include "kernels/tree/cuda/space.cuh"
#include "kernels/tree/cuda/expansion.cuh"
#include "kernels/tree/tree_cells.h"

#include <cuda/atomic>

enum {
    SCANNED = 256, /* a cell with more bodies than this derives its radius from its children's
                    * radii */
    CROWD = 4 * LEAF,
    EIGHT = 8,      /* lanes that fill a leaf, or a parent, which has at most eight children */
    MANY = 1 << 21, /* bodies from which on that is so; with fewer, a warp fills a parent sooner */
};

static __device__ __forceinline__ float length(double x, double y, double z)
{
    float a = (float)x, b = (float)y, c = (float)z;
    return sqrtf(a * a + b * b + c * c);
}

/* Adds up the terms of OF lanes, and stores the sums. */
template <int P, int OF>
static __device__ __forceinline__ void store_moments(float *terms, int lane, float *row)
{
    int first = 0, own = terms_of(P);
    spread_sum<terms_of(P), OF / 2>::run(terms, lane, &first, &own);
#pragma unroll
    for (int k = 0; k < (terms_of(P) + OF - 1) / OF; k++)
        if (row && k < own && first + k >= 4)
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
    s.relative[i] = make_float4(0, 0, 0, (float)(zm.y / head->mass_unit));
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
#pragma unroll(STEP == WARP ? 4 : 2)
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
#pragma unroll(STEP == WARP ? 4 : 2)
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

/* Fills a leaf by OF lanes; all of a warp's call it, those without a leaf with `some` false. */
template <int P, int OF>
static __device__ __forceinline__ void fill_leaf(const tree_space &s, const filling &from,
                                                 bool some, unsigned c, const tree_cell &cell,
                                                 int lane)
{
    const unsigned first = cell.first + lane, end = some ? cell.first + cell.count : 0;
    leaf_sums sums = sums_of<OF>(s, from.halves != NULL, first, end);
    __syncwarp();
    sums.mass = warp_sum<OF>(sums.mass);
    for (int a = 0; a < 3; a++) {
        sums.weighted[a] = warp_sum<OF>(sums.weighted[a]);
        sums.middle[a] = warp_sum<OF>(sums.middle[a]);
    }
    sums.least = warp_min<OF>(sums.least);
    sums.small = warp_min<OF>(sums.small);
    sums.large = warp_max<OF>(sums.large);
    sums.halves = warp_sum<OF>(sums.halves);
    sums.heavy = warp_sum<OF>(sums.heavy);
    float hi[3], lo[3], terms[terms_of(P)] = {};
    double centre[3];
    set_centre(sums.mass, sums.weighted, sums.middle, cell.count, hi, lo, centre);
    const float square = settle_in<OF>(s, centre, first, end);
    __syncwarp();
    const float radius = radius_of(warp_max<OF>(square));
    add_moments<P, OF>(s, radius, first, end, terms);
    __syncwarp();
    store_moments<P, OF>(terms, lane, some ? s.moments + (size_t)c * row_of(P) : NULL);
    if (some && lane == 0)
        store_leaf(s, from, c, sums, hi, lo, radius);
}

/* Eight lanes a leaf, or a warp if it has many bodies at one point. */
template <int P> __global__ void __launch_bounds__(128) leaf_kernel(tree_space s, filling from)
{
    const tree_head *head = s.head;
    if (from.again && head->known)
        return;
    const unsigned lane = threadIdx.x % WARP, cells = head->work.cells;
    for (unsigned begin = (blockIdx.x * 128 + threadIdx.x) / WARP * (WARP / EIGHT); begin < cells;
         begin += gridDim.x * (128 / EIGHT)) {
        const unsigned c = begin + lane / EIGHT;
        tree_cell cell = {};
        if (c < cells)
            cell = s.cell[c];
        const bool leaf = cell.count > 0 && cell.children == 0, crowd = leaf && cell.count > CROWD;
        if (__any_sync(ALL, leaf && !crowd))
            fill_leaf<P, EIGHT>(s, from, leaf && !crowd, c, cell, (int)(lane % EIGHT));
        for (unsigned crowds = __ballot_sync(ALL, crowd && lane % EIGHT == 0); crowds;
             crowds &= crowds - 1) {
            const unsigned one = begin + (unsigned)(__ffs((int)crowds) - 1) / EIGHT;
            fill_leaf<P, WARP>(s, from, true, one, s.cell[one], (int)lane);
        }
    }
}

/* Fills a parent by OF lanes, like fill_leaf. */
template <int P, int OF>
static __device__ void fill_parent(const tree_space &s, bool mixed, bool some, unsigned c,
                                   const tree_cell &cell, int lane)
{
    const bool is_child = some && lane < (int)cell.children;
    const unsigned k = cell.child + (is_child ? lane : 0);
    const float4 at = s.place[0][k], low = s.place[1][k];
    const double m = is_child ? (double)s.place[2][k].x : 0;
    const double count = is_child ? s.cell[k].count : 0;
    const double from[3] = {(double)at.x + (double)low.x, (double)at.y + (double)low.y,
                            (double)at.z + (double)low.z};
    double mass = warp_sum<OF>(m), weighted[3], middle[3], centre[3];
    for (int a = 0; a < 3; a++) {
        weighted[a] = warp_sum<OF>(m * from[a]);
        middle[a] = warp_sum<OF>(count * from[a]);
    }
    float hi[3], lo[3], radius = 0;
    set_centre(mass, weighted, middle, cell.count, hi, lo, centre);
    if (some && cell.count <= SCANNED) {
#pragma unroll 8
        for (unsigned b = lane; b < cell.count; b += OF) {
            const unsigned i = cell.first + b;
            radius = fmaxf(radius, length(s.at[0][i] - centre[0], s.at[1][i] - centre[1],
                                          s.at[2][i] - centre[2]));
        }
    } else if (is_child) {
        radius = length(from[0] - centre[0], from[1] - centre[1], from[2] - centre[2]) + at.w;
    }
    __syncwarp();
    radius = warp_max<OF>(radius) * (1 + 1e-6f);

    float half = 0, spread = 0;
    if (mixed) {
        const float4 rest = s.place[3][k];
        const float weight = (float)(mass > 0 ? m : count);
        half = warp_sum<OF>(is_child ? rest.y * weight : 0) / warp_sum<OF>(is_child ? weight : 0);
        spread = warp_max<OF>(rest.y + rest.z / 2) - warp_min<OF>(rest.y - rest.z / 2);
    }
    const float hold = warp_min<OF>(low.w);

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
    __syncwarp();
    store_moments<P, OF>(terms, lane, some ? s.moments + (size_t)c * row_of(P) : NULL);
    if (some && lane == 0) {
        s.place[0][c] = make_float4(hi[0], hi[1], hi[2], radius);
        s.place[1][c] = make_float4(lo[0], lo[1], lo[2], hold);
        s.place[2][c] = make_float4((float)mass, 0, 0, 0);
        s.place[3][c] = make_float4(0, half, spread, 0);
    }
}

/* Starts with the cells whose children are all leaves. After that, whichever OF lanes complete
 * the last unfilled child of a cell go on to fill that cell. */
template <int P, int OF>
__global__ void __launch_bounds__(128) parent_kernel(tree_space s, bool mixed, bool again)
{
    if (again && s.head->known)
        return;
    const unsigned lane = threadIdx.x % WARP, own = lane % OF, group = lane / OF * OF;
    const unsigned cells = s.head->work.cells;
    /* A warp looks at so many cells at a time that about one in each OF lanes is a start. */
    constexpr unsigned LOOKED = 8 * WARP / OF, WARPS = 128 / WARP;
    unsigned next = (blockIdx.x * WARPS + threadIdx.x / WARP) * LOOKED;
    unsigned begin = next, todo = 0, c = ALL;
    tree_cell cell = {};
    for (;;) {
        unsigned idle = __ballot_sync(ALL, c == ALL && own == 0);
        for (; idle && todo == 0 && next < cells; next += gridDim.x * WARPS * LOOKED) {
            const unsigned k = next + lane;
            bool starts = false;
            if (lane < LOOKED && k < cells) {
                const tree_cell some = s.cell[k];
                starts = some.children > 0;
                for (unsigned n = 0; n < some.children; n++)
                    starts &= s.cell[some.child + n].children == 0;
            }
            begin = next;
            todo = __ballot_sync(ALL, starts);
        }
        if (c == ALL) {
            const unsigned before = __popc(idle & ((1u << group) - 1));
            const unsigned at = __fns(todo, 0, (int)before + 1);
            if (at < WARP) {
                c = begin + at;
                cell = s.cell[c];
            }
        }
        for (unsigned taken = min(__popc(idle), __popc(todo)); taken > 0; taken--)
            todo &= todo - 1;
        const bool some = c != ALL;
        if (!__any_sync(ALL, some)) {
            if (todo == 0 && next >= cells)
                break;
            continue;
        }
        const unsigned parent = some && c > 0 ? s.parent[c] : 0; /* read before it is waited for */
        const tree_cell above = s.cell[parent];
        const bool filled = own < above.children && s.cell[above.child + own].children > 0;
        fill_parent<P, OF>(s, mixed, some, some ? c : 0, cell, (int)own);
        const unsigned expected =
            __popc(__ballot_sync(ALL, filled) >> group & ((1u << EIGHT) - 1)); /* of its children */
        unsigned before = 0;
        __syncwarp();
        if (some && c > 0 && own == 0) {
            cuda::atomic_ref<unsigned, cuda::thread_scope_device> arrived(s.arrived[parent]);
            before = arrived.fetch_add(1, cuda::memory_order_acq_rel);
        }
        before = __shfl_sync(ALL, before, (int)group);
        __syncwarp();
        c = some && c > 0 && before + 1 == expected ? parent : ALL;
        cell = above;
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
    leaf_kernel<P><<<4 * plan->blocks, 128, 0, stream>>>(space, from);
    const auto parents = plan->bodies < MANY ? parent_kernel<P, WARP> : parent_kernel<P, EIGHT>;
    parents<<<2 * plan->blocks, 128, 0, stream>>>(space, plan->mixed, from.again);
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
