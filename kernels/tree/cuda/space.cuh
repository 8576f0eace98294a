/* The memory that the tree's kernels share. */
#pragma once

#include "kernels/tree/accuracy.h"

#include <cuda_runtime_api.h>
#include <stdint.h>

enum {
    WARP = 32,
    LEVELS = 21, /* of keys, below the root */
    DEPTHS = LEVELS + 1,
    LEAF = TREE_CUDA_LEAF,
    SPAN = 8,        /* levels below a leaf at which two of its bodies may still separate */
    SURVEYORS = 256, /* blocks */
    THREADS = 256,
    NEAR = 16384, /* capacity for cells that a warp leaves to children, over all levels */
    WALKERS = 4,  /* warps per block of a walk */
    WALKS = 32,   /* walking warps per multiprocessor, at most */
    WAVES = TREE_CUDA_WAVES,
    EXTENT = 1024, /* entries of the pool that a warp allocates at a time */
};

#define ALL 0xffffffffu

/* A cell; children 0: a leaf. A cell that is passed over has PASSED added to `children`: the walk
 * skips the cell, and its children take its place. */
struct tree_cell {
    unsigned first, count, child, children;
};

static const unsigned PASSED = 0x80000000u;

/* Added to the leaf number of a list that is for a single body of the leaf. */
static const unsigned LONE = 0x80000000u;

/* A list, in the pool, of cells that act on a cell. For a leaf they act on its bodies from `first`
 * on or, with LONE, on the body lone[first]. */
struct tree_list {
    unsigned cell, from, count, first;
};

/* One block's sums over bodies. */
struct tree_share {
    double least[3], most[3], mass, size, half, largest; /* half, largest: smallest and largest
                                                          * half */
    unsigned broken, negative, moving, unknown;
};

struct tree_head {
    double centre[3], scale; /* of the box: (x - centre) * scale lies in [-1, 1) */
    double unit;             /* unit of accelerations */
    double mass_unit;
    double typical; /* an acceleration that is small compared with that of most bodies, 0: not
                     * known */
    float softening2, zoom, least; /* eps^2, or 0 if mixed; least: the smallest acceleration that
                                    * counts, in the tree's units */
    unsigned broken;               /* 1: some number is not finite */
    unsigned known;                /* 1: accelerations of a previous evaluation exist */
    unsigned mixed;                /* 1: bodies have a softening each */
    double half, octaves;          /* the smallest half; the softening range that keys tell apart */
    unsigned level[DEPTHS + 1];    /* first cell of each level; last: number of cells */
    unsigned levels;
    unsigned waves[WAVES + 1], next[WAVES + 1]; /* cells of each wave; the last wave: units */
    unsigned pool, joins, meets, lone;          /* entries and lists used so far */
    unsigned longs, taken; /* of lists of met cells: those at the end, and those begun */
    struct tree_cuda_work work;
};

/* All arrays lie in one block of memory. */
struct tree_space {
    struct tree_head *head;
    struct tree_share *share;   /* [SURVEYORS] */
    unsigned long long *key[2]; /* [bodies] */
    unsigned *body[2];          /* [bodies]; [1]: the body at each place of the order */
    unsigned short *depth;      /* [bodies]: first and last level of the cells that begin at this
                                 * body */
    unsigned *counts;           /* [DEPTHS][blocks of THREADS bodies] */
    double *at[3];              /* [bodies] in the tree's order and units */
    unsigned *sinks_before;     /* [bodies + 1]: number of sinks before a place; NULL: all are
                                 * sinks */
    float4 *relative;           /* [bodies] x y z from the centre of the leaf, mass */
    float *size;                /* [bodies]: magnitude of the last acceleration */
    float *half;                /* [bodies], if mixed */
    tree_cell *cell;            /* [cells] */
    unsigned *parent, *arrived; /* [cells] */
    float4 *place[4];           /* [cells]: hi, radius; lo, hold; mass, P2, P3, P4; P5, half,
                                   spread, 0 */
    float *moments, *local;     /* [cells][row] */
    uint2 *kept;                /* [cells]: a list in the pool, left to the children; y = ALL:
                                 * none */
    unsigned *wave[WAVES + 1];  /* [cells]; in units, the cells */
    unsigned *root;             /* a list that holds only the root */
    unsigned *near;             /* [warps][NEAR] */
    unsigned *pool;             /* [plan.pool] */
    tree_list *join, *meet;     /* [cells], [tree_meets_room]: from the beginning, and long ones
                                 * from the end */
    tree_list *lone;            /* [plan.lone]: cells joined with a single body */
    float4 *given;              /* [plan.lone]: their effect on the body: gradient, potential */
    void *scratch;              /* memory of sorting and scanning */
    size_t lasting;             /* bytes before what building and lists need */
};

static constexpr __host__ __device__ int terms_of(int order)
{
    return (order + 1) * (order + 2) * (order + 3) / 6;
}

/* Floats per row: moments from the fourth term on, or a local expansion. */
static constexpr __host__ __device__ int row_of(int order)
{
    return order == 4 ? 40 : 64;
}

static constexpr __host__ __device__ int degree_of(int term)
{
    int degree = 0;
    while ((degree + 1) * (degree + 2) * (degree + 3) / 6 <= term)
        degree++;
    return degree;
}

/* Multiplies terms FROM to END - 1 by base^degree. */
template <int FROM, int END> struct by_degree {
    static __device__ __forceinline__ void scale(const float *powers, float *terms)
    {
        if constexpr (FROM < END) {
            terms[FROM] *= powers[degree_of(FROM)];
            by_degree<FROM + 1, END>::scale(powers, terms);
        }
    }
};

/* Reads the beginning of a row of moments or of an expansion. */
template <int COUNT> static __device__ __forceinline__ void load_row(const float *row, float *out)
{
#pragma unroll
    for (int k = 0; k < (COUNT + 3) / 4; k++) {
        const float4 q = ((const float4 *)row)[k];
        const float part[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
        for (int n = 4 * k; n < 4 * k + 4; n++)
            if (n < COUNT)
                out[n] = part[n - 4 * k];
    }
}

/* Writes a row; the rest of the last float4 beyond COUNT is set to 0. */
template <int COUNT> static __device__ __forceinline__ void store_row(float *row, const float *from)
{
#pragma unroll
    for (int k = 0; k < (COUNT + 3) / 4; k++) {
        float part[4];
#pragma unroll
        for (int n = 0; n < 4; n++)
            part[n] = 4 * k + n < COUNT ? from[4 * k + n < COUNT ? 4 * k + n : 0] : 0;
        ((float4 *)row)[k] = make_float4(part[0], part[1], part[2], part[3]);
    }
}

template <int P> static __device__ __forceinline__ void powers_of(float base, float *powers)
{
    powers[0] = 1;
#pragma unroll
    for (int k = 1; k <= P; k++)
        powers[k] = powers[k - 1] * base;
}

static inline unsigned blocks_for(size_t items)
{
    return (unsigned)((items + THREADS - 1) / THREADS);
}

static inline unsigned tree_meets_room(const struct tree_cuda_plan *plan)
{
    return plan->cells + (unsigned)(plan->bodies / WARP) + plan->lone;
}

/* Computes where each array lies in `work`, which may be NULL if only *bytes is needed. */
struct tree_space tree_space_of(const struct tree_cuda_plan *plan, const void *work, size_t *bytes);

/* Bytes of scratch memory that sorting keys and scanning counts need. */
cudaError_t tree_cuda_scratch(size_t bodies, size_t *sort_bytes, size_t *scan_bytes);

/* Sorts [0] by key into [1]; equal keys keep their order. The last `passed` levels of the keys are
 * ignored. Only launches. */
int tree_cuda_order(void *scratch, size_t bytes, unsigned long long *const key[2],
                    unsigned *const body[2], size_t count, int passed, cudaStream_t stream);

/* Stages, each in a file of its own. Sorts by keys, then builds the cells; `again`: builds only if
 * no accelerations were known before. */
int tree_cuda_sort(const struct tree_cuda_plan *plan, const struct tree_space *space,
                   const double *rows, const double *halves, const double *last, double softening,
                   cudaStream_t stream);
/* Fills in sinks_before: sinks are the bodies from that rung on, or all bodies if no accelerations
 * are known. */
int tree_cuda_count_sinks(const struct tree_cuda_plan *plan, const struct tree_space *space,
                          const uint8_t *rungs, int from, cudaStream_t stream);
int tree_cuda_build(const struct tree_cuda_plan *plan, const struct tree_space *space,
                    const struct tree_cuda_rule *rule, const double *last, bool again,
                    cudaStream_t stream);
int tree_cuda_moments(const struct tree_cuda_plan *plan, const struct tree_space *space,
                      const double *rows, const double *halves, float share, bool again,
                      cudaStream_t stream);
/* After a first evaluation: the mean magnitude of the accelerations. */
int tree_cuda_survey(const struct tree_cuda_plan *plan, const struct tree_space *space,
                     const double *rows, const double *last, cudaStream_t stream);
/* Assigns cells to waves; must follow the moments, whose kernels need the children of all cells. */
int tree_cuda_waves(const struct tree_cuda_plan *plan, const struct tree_space *space, bool again,
                    cudaStream_t stream);
/* Lists the cells that act on each sink. first: runs only if no accelerations are known, and uses
 * the opening angle; otherwise runs only if they are known, or with `again` always. */
int tree_cuda_lists(const struct tree_cuda_plan *plan, const struct tree_space *space,
                    const struct tree_cuda_rule *rule, bool first, cudaStream_t stream);
/* Evaluates expansions about the leaves, then the bodies; `out` gets accelerations or
 * potentials. */
int tree_cuda_join(const struct tree_cuda_plan *plan, const struct tree_space *space, bool first,
                   bool potential, cudaStream_t stream);
int tree_cuda_meet(const struct tree_cuda_plan *plan, const struct tree_space *space, float merged2,
                   bool first, bool potential, double *out, cudaStream_t stream);

/* The number of sinks among `count` bodies of the tree's order. */
static __device__ __forceinline__ unsigned sinks_in(const tree_space &s, unsigned first,
                                                    unsigned count)
{
    return s.sinks_before ? s.sinks_before[first + count] - s.sinks_before[first] : count;
}

/* Reduce the values of a warp's lanes, or of each OF successive lanes; every lane of the warp calls
 * them. */
template <int OF = WARP, class NUMBER>
static __device__ __forceinline__ NUMBER warp_sum(NUMBER value)
{
    for (int step = OF / 2; step > 0; step /= 2)
        value += __shfl_xor_sync(ALL, value, step);
    return value;
}

/* No value is NaN, unless the input is broken. */
template <int OF = WARP> static __device__ __forceinline__ float warp_max(float value)
{
#if __CUDA_ARCH__ >= 800
    if constexpr (OF == WARP) { /* integers that are ordered like the floats */
        const int bits = __float_as_int(value);
        const int most = __reduce_max_sync(ALL, bits ^ (bits >> 31 & 0x7fffffff));
        return __int_as_float(most ^ (most >> 31 & 0x7fffffff));
    } else
#endif
    {
        for (int step = OF / 2; step > 0; step /= 2)
            value = fmaxf(value, __shfl_xor_sync(ALL, value, step));
        return value;
    }
}

template <int OF = WARP> static __device__ __forceinline__ float warp_min(float value)
{
    return -warp_max<OF>(-value);
}

/* Splits a double into the sum of two floats. */
static __device__ __forceinline__ void split(double value, float *hi, float *lo)
{
    *hi = (float)value;
    *lo = (float)(value - (double)*hi);
}

static __device__ __forceinline__ float positive(float radius)
{
    return radius > 0 ? radius : 1;
}

/* Sums of `count` <= 64 values over the lanes, distributed over the lanes: lanes exchange halves of
 * their values, so that each lane ends with a few complete sums. values[k], k < own, is sum number
 * first + k. COUNT is the number of values. */
template <int COUNT, int STEP> struct spread_sum {
    static __device__ __forceinline__ void run(float *values, int lane, int *first, int *own)
    {
        constexpr int half = (COUNT + 1) / 2;
        const bool upper = lane & STEP;
        float next[half];
#pragma unroll
        for (int k = 0; k < half; k++) {
            float high = half + k < COUNT ? values[half + k < COUNT ? half + k : 0] : 0;
            float keep = upper ? high : values[k], send = upper ? values[k] : high;
            next[k] = keep + __shfl_xor_sync(ALL, send, STEP);
        }
        int mine = *own - half;
        *first += upper ? half : 0;
        *own = upper ? (mine > 0 ? mine : 0) : (*own < half ? *own : half);
        spread_sum<half, STEP / 2>::run(next, lane, first, own);
#pragma unroll
        for (int k = 0; k < half; k++)
            values[k] = next[k];
    }
};
template <int COUNT> struct spread_sum<COUNT, 0> {
    static __device__ __forceinline__ void run(float *, int, int *, int *)
    {
    }
};
