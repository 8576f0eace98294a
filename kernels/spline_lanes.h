/* The steps of kernels/spline.h on lanes. The including file must define lanes, lanes_int,
 * everything that spline.h requires, and spline_root(x), x^(-1/2). */
#pragma once

#include "kernels/spline.h"

#include <stdbool.h>
#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

static inline bool spline_any(lanes_int condition)
{
#if defined(__AVX512F__)
    return _mm512_test_epi32_mask((__m512i)condition, (__m512i)condition) != 0;
#elif defined(__AVX2__)
    return _mm256_movemask_epi8((__m256i)condition) != 0;
#elif defined(__SSE2__)
    return _mm_movemask_epi8((__m128i)condition) != 0;
#elif defined(__aarch64__)
    return vmaxvq_u32((uint32x4_t)condition) != 0;
#else
    bool any = false;
    for (int l = 0; l < LANES; l++)
        any |= condition[l] != 0;
    return any;
#endif
}

static inline lanes spline_choose(lanes_int condition, lanes yes, lanes no)
{
    return (lanes)((condition & (lanes_int)yes) | (~condition & (lanes_int)no));
}

static inline lanes spline_larger(lanes a, lanes b)
{
    return spline_choose(a > b, a, b);
}

/* P, given r^-3 as `point`; both are in units of `unit`. */
static inline __attribute__((always_inline)) lanes spline_pull(lanes r2, lanes half, lanes point,
                                                               SPLINE_REAL unit)
{
    lanes support2 = half * (SPLINE_REAL)SPLINE_SUPPORT2;
    lanes_int inside = r2 < support2;
    if (!spline_any(inside))
        return point;
    lanes inverse = spline_root(support2), inverse2 = inverse * inverse;
    lanes q = spline_larger(r2 * inverse2, SPLINE_CONST(SPLINE_LEAST)), u = q * spline_root(q);
    lanes t = SPLINE_CONST(1) - u, t2 = t * t;
    lanes outer = point * SPLINE_OUTER_PULL(t, t2);
    lanes inner = (inverse * inverse2) * (SPLINE_INNER_PULL(q, u) * unit);
    return spline_choose(inside, spline_choose(u < (SPLINE_REAL)0.5, inner, outer), point);
}

/* F, given 1 / r as `point`. */
static inline __attribute__((always_inline)) lanes spline_phi(lanes r2, lanes half, lanes point)
{
    lanes support2 = half * (SPLINE_REAL)SPLINE_SUPPORT2;
    lanes_int inside = r2 < support2;
    if (!spline_any(inside))
        return point;
    lanes inverse = spline_root(support2), inverse2 = inverse * inverse;
    lanes q = spline_larger(r2 * inverse2, SPLINE_CONST(SPLINE_LEAST)), u = q * spline_root(q);
    lanes t = SPLINE_CONST(1) - u, t2 = t * t;
    lanes outer = point * SPLINE_OUTER_PHI(t, t2);
    lanes inner = inverse * SPLINE_INNER_PHI(q, u);
    return spline_choose(inside, spline_choose(u < (SPLINE_REAL)0.5, inner, outer), point);
}
