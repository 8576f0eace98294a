/* Evaluates bodies: the expansion of their leaf, and the pulls of the bodies in the listed
 * leaves. */
#include "kernels/tree/cuda/expansion.cuh"
#include "kernels/tree/cuda/judge.cuh"
#include "kernels/interaction.cuh"

enum {
    ONE_EACH = 12,    /* a leaf of more bodies has two in each lane */
    STRIP = 128,      /* source bodies per strip */
    BEYOND = 3 * WARP /* further bodies that are read, with mass 0 */
};

/* A body of the leaf. Copy c of the first `lanes` bodies is in lanes c * lanes and following, which
 * also hold the `lanes` bodies after those; the copies share the sources. */
struct target {
    unsigned body; /* place in the tree's order */
    float x, y, z, half;
    float ax, ay, az, phi;
};

template <bool MIXED, bool POTENTIAL> struct strip {
    float4 at[STRIP + BEYOND];
    float half[MIXED ? STRIP + BEYOND : 1];
    unsigned body[POTENTIAL ? STRIP + BEYOND : 1];
    unsigned prefix[WARP], first[WARP];
    float4 shift[WARP]; /* w: mass of a leaf that pulls as one body; below 0: of others */
};

struct fast_root {
    static __device__ __forceinline__ float inverse(float x)
    {
        return inverse_root(x);
    }
};

template <bool POTENTIAL>
static __device__ __forceinline__ void pull_by_spline(const strip<true, POTENTIAL> &w, target &b,
                                                      int j)
{
    const float4 q = w.at[j];
    const float dx = q.x - b.x, dy = q.y - b.y, dz = q.z - b.z;
    const float r2 = fmaf(dx, dx, fmaf(dy, dy, dz * dz)), e = inverse_root(r2);
    const float support2 = fmaxf(w.half[j], b.half) * (float)SPLINE_SUPPORT2;
    if (POTENTIAL) {
        const float phi = r2 < support2 ? spline_phi<fast_root, float>(r2, support2, e) : e;
        b.phi += w.body[j] == b.body ? 0 : q.w * phi;
    } else {
        float pull = e * (e * e);
        if (r2 < support2)
            pull = spline_pull<fast_root, float>(r2, support2, pull);
        pull *= q.w;
        b.ax = fmaf(pull, dx, b.ax);
        b.ay = fmaf(pull, dy, b.ay);
        b.az = fmaf(pull, dz, b.az);
    }
}

template <bool MIXED, bool POTENTIAL>
static __device__ __forceinline__ void pull_one(const strip<MIXED, POTENTIAL> &w, target &b, int j)
{
    const float4 q = w.at[j];
    const float dx = q.x - b.x, dy = q.y - b.y, dz = q.z - b.z;
    const float eps2 = MIXED ? w.half[j] + b.half : b.half;
    const float e = inverse_root(softened(dx, dy, dz, eps2));
    if (POTENTIAL) {
        b.phi += w.body[j] == b.body ? 0 : q.w * e;
    } else {
        const float pull = q.w * e * (e * e);
        b.ax = fmaf(pull, dx, b.ax);
        b.ay = fmaf(pull, dy, b.ay);
        b.az = fmaf(pull, dz, b.az);
    }
}

template <int EACH, bool MIXED, bool SPLINE, bool POTENTIAL>
static __device__ __forceinline__ void pull(const strip<MIXED, POTENTIAL> &w, target (&b)[2],
                                            int copy, int copies, int count)
{
    int j = copy;
    while (j < count) {
#pragma unroll
        for (int k = 0; k < 4; k++, j += copies)
#pragma unroll
            for (int n = 0; n < EACH; n++)
                if constexpr (SPLINE)
                    pull_by_spline<POTENTIAL>(w, b[n], j);
                else
                    pull_one<MIXED, POTENTIAL>(w, b[n], j);
    }
}

/* A warp takes one list at a time, long ones first. Its lanes hold the leaf's bodies, one or two
 * each and as many times as they fit, and each copy of a body takes every copies-th source. For
 * each 32 listed leaves, lane l reads leaf l, a prefix sum over the leaves' counts numbers all of
 * their bodies, and strips of 128 of these are gathered into shared memory, one per lane, and
 * pulled by all lanes. A merged leaf counts as one body, at its centre. At the end the copies are
 * added up, and each body also gets the leaf's expansion. */
template <int P, bool MIXED, bool SPLINE, bool POTENTIAL>
__global__ void __launch_bounds__(WALKERS *WARP, 8)
    meet_kernel(tree_space s, float merged2, unsigned room, bool first, double *__restrict__ out)
{
    __shared__ strip<MIXED, POTENTIAL> strips[WALKERS];
    const int lane = threadIdx.x % WARP;
    strip<MIXED, POTENTIAL> &w = strips[threadIdx.x / WARP];
    const tree_head *head = s.head;
    if (first && head->known)
        return;
    for (int k = STRIP + lane; k < STRIP + BEYOND; k += WARP) {
        w.at[k] = make_float4(1, 1, 1, 0);
        if (MIXED)
            w.half[k] = 1;
        if (POTENTIAL)
            w.body[k] = ALL;
    }
    const float zoom = head->zoom;
    const unsigned longs = head->longs, lists = longs + head->meets;
    unsigned l = (blockIdx.x * WALKERS * WARP + threadIdx.x) / WARP, next;
    for (; l < lists; l = __shfl_sync(ALL, next, 0)) {
        next = lane == 0 ? gridDim.x * WALKERS + atomicAdd(&s.head->taken, 1) : 0;
        tree_list list = s.meet[l < longs ? room - 1 - l : l - longs];
        float4 given = make_float4(0, 0, 0, 0);
        const bool lone = list.cell & LONE;
        list.cell &= ~LONE;
        if (lone) {
            given = s.given[list.first];
            list.first = s.lone[list.first].first;
        }
        const tree_cell cell = s.cell[list.cell];
        const int bodies =
            lone ? 1 : (int)min(cell.first + cell.count - list.first, (unsigned)WARP);
        const float4 centre = s.place[0][list.cell], low = s.place[1][list.cell];
        const int each = bodies > ONE_EACH ? 2 : 1, lanes = (bodies + each - 1) / each;
        const int copies = WARP / lanes, copy = lane / lanes < copies ? lane / lanes : 0;
        target mine[2] = {};
#pragma unroll
        for (int n = 0; n < 2; n++) {
            const int body = min(lane % lanes + n * lanes, bodies - 1);
            mine[n].body = list.first + (unsigned)body;
            const float4 at = s.relative[mine[n].body];
            mine[n].x = at.x * zoom;
            mine[n].y = at.y * zoom;
            mine[n].z = at.z * zoom;
            mine[n].half = (MIXED ? s.half[mine[n].body] : head->softening2) * (zoom * zoom);
        }
        for (unsigned begin = 0; begin < list.count; begin += WARP) {
            unsigned count = 0, end;
            __syncwarp();
            if (begin + lane < list.count) {
                const unsigned source = s.pool[list.from + begin + lane];
                const tree_cell other = s.cell[source];
                const float4 from = s.place[0][source], from_low = s.place[1][source];
                w.first[lane] = other.first;
                const bool merged = is_merged(s, other, source, merged2);
                w.shift[lane] = make_float4((from.x - centre.x) + (from_low.x - low.x),
                                            (from.y - centre.y) + (from_low.y - low.y),
                                            (from.z - centre.z) + (from_low.z - low.z),
                                            merged ? s.place[2][source].x : -1);
                count = merged ? 1 : other.count;
            }
            end = count;
            for (int step = 1; step < WARP; step *= 2) {
                unsigned other = __shfl_up_sync(ALL, end, step);
                end += lane >= step ? other : 0;
            }
            w.prefix[lane] = end - count;
            const unsigned total = __shfl_sync(ALL, end, WARP - 1);
            __syncwarp();
            for (unsigned base = 0; base < total; base += STRIP) {
#pragma unroll
                for (int part = 0; part < STRIP / WARP; part++) {
                    const unsigned k = base + part * WARP + lane;
                    float4 q = make_float4(1, 1, 1, 0);
                    float half = 1;
                    unsigned from = ALL;
                    bool merged = false;
                    if (k < total) {
                        int r = 0;
#pragma unroll
                        for (int step = WARP / 2; step > 0; step /= 2)
                            r += w.prefix[r + step] <= k ? step : 0;
                        from = w.first[r] + (k - w.prefix[r]);
                        const float4 shift = w.shift[r];
                        merged = shift.w >= 0;
                        q = merged ? make_float4(0, 0, 0, shift.w) : s.relative[from];
                        q.x = (q.x + shift.x) * zoom;
                        q.y = (q.y + shift.y) * zoom;
                        q.z = (q.z + shift.z) * zoom;
                        half = MIXED ? s.half[from] * (zoom * zoom) : 0;
                    }
                    w.at[part * WARP + lane] = q;
                    if (MIXED)
                        w.half[part * WARP + lane] = half;
                    if (POTENTIAL) /* from a merged leaf the body itself is subtracted later */
                        w.body[part * WARP + lane] = merged ? ALL : from;
                }
                __syncwarp();
                const int here = (int)min(total - base, (unsigned)STRIP);
                if (each == 2)
                    pull<2, MIXED, SPLINE, POTENTIAL>(w, mine, copy, copies, here);
                else
                    pull<1, MIXED, SPLINE, POTENTIAL>(w, mine, copy, copies, here);
                __syncwarp();
            }
        }
        float ax = 0, ay = 0, az = 0, phi = 0;
        const int body = lane < bodies ? lane : 0;
        for (int c = 0; c < copies; c++) {
            const int other = body % lanes + c * lanes;
            const bool second = body >= lanes;
            float v0 = __shfl_sync(ALL, mine[0].ax, other),
                  v1 = __shfl_sync(ALL, mine[1].ax, other);
            ax += second ? v1 : v0;
            v0 = __shfl_sync(ALL, mine[0].ay, other), v1 = __shfl_sync(ALL, mine[1].ay, other);
            ay += second ? v1 : v0;
            v0 = __shfl_sync(ALL, mine[0].az, other), v1 = __shfl_sync(ALL, mine[1].az, other);
            az += second ? v1 : v0;
            if (POTENTIAL) {
                v0 = __shfl_sync(ALL, mine[0].phi, other),
                v1 = __shfl_sync(ALL, mine[1].phi, other);
                phi += second ? v1 : v0;
            }
        }
        const unsigned own = list.first + (unsigned)body;
        if (lane >= bodies || sinks_in(s, own, 1) == 0)
            continue;
        const float4 at = s.relative[own];
        if (POTENTIAL && is_merged(s, cell, list.cell, merged2)) /* 1 / eps, with a spline too */
            phi -=
                at.w * inverse_root((MIXED ? 2 * s.half[own] : head->softening2) * (zoom * zoom));
        const float inverse = 1 / positive(centre.w), lost = head->work.lost > 0 ? NAN : 0;
        const float *local = s.local + (size_t)list.cell * row_of(P);
        float power[terms_of(P)], far[3];
        expansion<P>::powers(at.x * inverse, at.y * inverse, at.z * inverse, power);
        const size_t to = s.body[1][own];
        if (POTENTIAL) {
            out[to] =
                -((double)phi * zoom + (double)expansion<P>::value(power, local) + given.w + lost) *
                head->mass_unit * head->scale;
            continue;
        }
        expansion<P>::gradient(power, local, far);
        const float factor = zoom * zoom;
        out[3 * to] = (double)(ax * factor + far[0] * inverse + given.x + lost) * head->unit;
        out[3 * to + 1] = (double)(ay * factor + far[1] * inverse + given.y + lost) * head->unit;
        out[3 * to + 2] = (double)(az * factor + far[2] * inverse + given.z + lost) * head->unit;
    }
}

/* Makes all results NaN if some input is not finite or some list did not fit. */
__global__ void __launch_bounds__(THREADS)
    spoil_kernel(size_t numbers, const tree_head *head, double *__restrict__ out)
{
    if (head->broken == 0 && head->work.lost == 0)
        return;
    for (size_t i = (size_t)blockIdx.x * THREADS + threadIdx.x; i < numbers;
         i += (size_t)gridDim.x * THREADS)
        out[i] = NAN;
}

template <int P, bool MIXED, bool SPLINE, bool POTENTIAL>
static int launch(const struct tree_cuda_plan *plan, const tree_space &space, float merged2,
                  bool first, double *out, cudaStream_t stream)
{
    meet_kernel<P, MIXED, SPLINE, POTENTIAL>
        <<<plan->multiprocessors * 8, WALKERS * WARP, 0, stream>>>(
            space, merged2, tree_meets_room(plan), first, out);
    if (!first)
        spoil_kernel<<<plan->multiprocessors, THREADS, 0, stream>>>(
            POTENTIAL ? plan->bodies : 3 * plan->bodies, space.head, out);
    return cudaGetLastError();
}

int tree_cuda_meet(const struct tree_cuda_plan *plan, const struct tree_space *space, float merged2,
                   bool first, bool potential, double *out, cudaStream_t stream)
{
    static int (*const launchers[2][2][2])(const struct tree_cuda_plan *, const tree_space &, float,
                                           bool, double *, cudaStream_t) = {
        {{launch<4, false, false, false>, launch<4, false, false, true>},
         {launch<4, true, false, false>, launch<4, true, false, true>}},
        {{launch<5, false, false, false>, launch<5, false, false, true>},
         {launch<5, true, false, false>, launch<5, true, false, true>}},
    };
    if (plan->spline)
        return (potential
                    ? launch<5, true, true, true>
                    : launch<5, true, true, false>)(plan, *space, merged2, first, out, stream);
    return launchers[plan->order == 5][plan->mixed][potential](plan, *space, merged2, first, out,
                                                               stream);
}
