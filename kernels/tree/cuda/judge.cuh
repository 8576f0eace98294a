/* Whether a cell and a sink may be joined: the opening criterion of kernels/tree/criterion.h. */
#pragma once

#include "kernels/tree/cuda/space.cuh"

typedef float number;
typedef bool truth;

#define TREE_CRITERION static __device__ __forceinline__

TREE_CRITERION float larger_of(float a, float b)
{
    return fmaxf(a, b);
}

#include "kernels/tree/criterion.h"

/* The cell being walked. */
struct sink {
    unsigned index, count, children;
    float4 at, low, mass, rest;
};

static __device__ __forceinline__ sink sink_of(const tree_space &s, unsigned index)
{
    const tree_cell cell = s.cell[index];
    return {index,
            cell.count,
            cell.children,
            s.place[0][index],
            s.place[1][index],
            s.place[2][index],
            s.place[3][index]};
}

static __device__ __forceinline__ sink lone_sink_of(const tree_space &s, unsigned leaf,
                                                    unsigned place)
{
    const float4 at = s.place[0][leaf], low = s.place[1][leaf], from = s.relative[place];
    return {leaf,
            1,
            0,
            make_float4(at.x, at.y, at.z, 0),
            make_float4(low.x + from.x, low.y + from.y, low.z + from.z, low.w),
            make_float4(from.w, 0, 0, 0),
            make_float4(0, s.head->mixed ? s.half[place] : 0, 0, 0)};
}

/* eps^2 of all pairs, or -1 if each body has its own softening. */
static __device__ __forceinline__ float softening_of(const tree_space &s)
{
    return s.head->mixed ? -1 : s.head->softening2;
}

/* Whether a leaf pulls others as one body at its centre. A leaf has that many bodies only if they
 * share the finest key. */
static __device__ __forceinline__ bool is_merged(const tree_space &s, const tree_cell &cell,
                                                 unsigned index, float merged2)
{
    if (cell.children > 0 || cell.count <= LEAF)
        return false;
    const float radius = s.place[0][index].w;
    const float4 rest = s.place[3][index]; /* y, z: half and spread */
    const float eps2 = s.head->mixed ? 2 * rest.y : s.head->softening2;
    return rest.z == 0 && radius * radius <= merged2 * eps2;
}

/* Whether a cell and the sink may be joined. All of the cell is read at once: what it costs to read
 * moments that are not needed is less than waiting for those that are. */
template <int P, bool SPLINE>
static __device__ __forceinline__ bool judge(const tree_space &s, const sink &b, unsigned source,
                                             const float4 at, const struct tree_cuda_rule &rule,
                                             float softening2)
{
    const float4 low = s.place[1][source], mass = s.place[2][source], rest = s.place[3][source];
    const bool mixed = SPLINE || softening2 < 0;
    const float dx = (b.at.x - at.x) + (b.low.x - low.x), dy = (b.at.y - at.y) + (b.low.y - low.y);
    const float dz = (b.at.z - at.z) + (b.low.z - low.z), d2 = dx * dx + dy * dy + dz * dz;
    const float r2 =
        SPLINE ? d2
               : softened_distance2(d2, mixed ? least_softening(rest.y, rest.z, b.rest.y, b.rest.z)
                                              : softening2);
    const float inverse = rsqrtf(r2), t = at.w * inverse, u = b.at.w * inverse;
    const bool near = rule.opening > 0
                          ? !(t + u < rule.opening)
                          : !(t + u < TREE_CLOSEST && within_reach(P, t, u, rule.reach));
    if (near || !outside_each_other(d2, at.w, b.at.w))
        return false;
    if (SPLINE && !beyond_support(r2, t, u, rest.y, rest.z, b.rest.y, b.rest.z))
        return false;
    if (rule.opening > 0)
        return true;
    const float theirs[4] = {mass.y, mass.z, mass.w, rest.x};
    const float ours[4] = {b.mass.y, b.mass.z, b.mass.w, b.rest.x};
    return error_holds(P, r2, t, u, mass.x, theirs, b.low.w) &&
           error_holds(P, r2, u, t, b.mass.x, ours, low.w) &&
           (SPLINE || (unlike_holds(r2, rest.z, b.rest.z, mass.x, b.low.w, rule.unlike) &&
                       unlike_holds(r2, rest.z, b.rest.z, b.mass.x, low.w, rule.unlike)));
}
