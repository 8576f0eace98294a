/* The tree's opening criterion: which pairs of cells may be joined. C compiles it for vector lanes
 * and CUDA for floats; accuracy.h derives its parameters from the requested error.
 *
 * It follows W. Dehnen, Comput. Astrophys. Cosmol. 1:1 (2014), section 3. The estimated error,
 * 8 max(rA, rB) / (rA + rB) sum_k C(p,k) P_k(A) rB^(p-k) / R^(p+2) / (1 - (rA + rB) / R),
 * must be below the `hold` of B, a share of the least acceleration in B. The same must hold with A
 * and B exchanged, and rA + rB < 0.9 R. P_n(A)^2 = sum_ij m_i m_j |a_i|^n |a_j|^n Legendre_n(cos of
 * the angle between them). Softening counts as distance, R^2 = r^2 + eps^2 / 4: the series for
 * softened bodies converges like the series for points sqrt(r^2 + eps^2) apart. Only a quarter of
 * eps^2 is used, because where softening matters, many pairs are equally far apart and their errors
 * add up. The centre of each cell lies outside the other cell, so no cell is joined with its own
 * bodies; only on the CPU, a cell of bodies at one place is joined with itself. Before any
 * accelerations are known, the criterion is rA + rB < opening R.
 *
 * With spline softening (kernels/spline.h), bodies beyond the spline's support are points. The
 * series then use eps = 0, and two cells may be joined only if all bodies of each are beyond the
 * support of all bodies of the other, R > rA + rB + H. Within it, leaves of bodies much closer
 * together than their softening pull as one body each, see tree_merged in accuracy.h; on a device,
 * this is so with any softening, for leaves of bodies with equal keys.
 *
 * A cell whose bodies differ in softening has a mean half of eps^2 and a spread about it. A series
 * about the mean has an error of 3/2 of the spreads over R^2. The CPU keeps that below `soft`. On a
 * device, where many cells act on a wide sink and their errors add up, that error must be below
 * `unlike` of the error allowed at the sink, because all these errors have the same sign, and
 * max(rA, rB)^p must be below reach R^p.
 *
 * The file that includes this must first define
 *
 *     number, truth                      a float and an int, or lanes of them
 *     TREE_CRITERION                     static inline, with the file's qualifiers
 *     number larger_of(number, number)
 *
 * t and s are the radii of source and sink divided by R, and r2 = R^2. */
#pragma once

#include "kernels/spline.h"
#include "kernels/tree/tree_cells.h"

#define TREE_CLOSEST  0.9f  /* upper bound on (rA + rB) / R */
#define TREE_SOFTENED 0.25f /* fraction of eps^2 that counts in R^2 */

enum { TREE_FEW = 64 }; /* at most this many pairs are cheaper than a join of two leaves */

/* A lower bound on eps^2 over all pairs of bodies from the two cells. */
TREE_CRITERION number least_softening(number half, number spread, number own_half,
                                      number own_spread)
{
    const number none = half * 0;
    return larger_of(own_half - own_spread, none) + larger_of(half - spread, none);
}

/* R^2 for a squared distance r^2 = d2. */
TREE_CRITERION number softened_distance2(number d2, number softening2)
{
    return d2 + TREE_SOFTENED * softening2;
}

TREE_CRITERION truth outside_each_other(number d2, number radius, number own_radius)
{
    const number wider = larger_of(radius, own_radius);
    return d2 > wider * wider;
}

/* Whether both cells are points, which may be joined even if they are at one place, because the
 * softening alone makes R. */
TREE_CRITERION truth points(number radius, number own_radius)
{
    return larger_of(radius, own_radius) <= TREE_POINT;
}

/* Whether all bodies of one cell are beyond the softening support of all bodies of the other. */
TREE_CRITERION truth beyond_support(number r2, number t, number s, number half, number spread,
                                    number own_half, number own_spread)
{
    const number room = 1 - (t + s);
    const number support2 =
        (float)SPLINE_SUPPORT2 * larger_of(half + spread, own_half + own_spread);
    return (room > 0) & (room * room * r2 > support2);
}

TREE_CRITERION truth within_reach(int order, number t, number s, float reach)
{
    const number larger = larger_of(t, s), square = larger * larger;
    return (order == 5 ? square * square * larger : square * square) < reach;
}

TREE_CRITERION truth alike_in_softening(number r2, number spread, number own_spread, float soft)
{
    return 1.5f * (spread + own_spread) <= soft * r2;
}

/* Whether the error from the spread of the source's softenings is small enough for the sink. */
TREE_CRITERION truth unlike_holds(number r2, number spread, number own_spread, number mass,
                                  number own_hold, float unlike)
{
    return 1.5f * (spread + own_spread) * mass <= unlike * r2 * r2 * own_hold;
}

/* C(order, k), k > 1. */
TREE_CRITERION float binomial(int order, int k)
{
    return k == order ? 1 : order == 4 ? (k == 2 ? 6 : 4) : k == 4 ? 5 : 10;
}

/* sum_k C(p,k) P_k t^k s^(p-k), without the term k = 1. */
TREE_CRITERION number error_of(int order, number mass, const number *power, number t, number s)
{
    number sum = mass, step = t;
    for (int k = 1; k <= order; k++) {
        sum = sum * s;
        if (k > 1)
            sum = sum + binomial(order, k) * power[k - 2] * step;
        step = step * t;
    }
    return sum;
}

/* Whether the source's error at the sink is below the sink's hold. */
TREE_CRITERION truth error_holds(int order, number r2, number t, number s, number mass,
                                 const number *power, number own_hold)
{
    const number limit = r2 * (1 - (t + s)) * (t + s), factor = 8 * larger_of(t, s);
    return factor * error_of(order, mass, power, t, s) <= limit * own_hold;
}
