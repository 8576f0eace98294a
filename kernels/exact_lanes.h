/* The lane operations that exact mode must not leave to the compiler's choice. */
#pragma once

#include "kernels/exact_root.h"
#include "kernels/lanes.h"

#include <math.h>

/* a b + c, rounded once. Without the instruction it is slow but still correct. */
static inline lanes fused(lanes a, lanes b, lanes c)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__) && defined(__AVX2__)
    return (lanes)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#elif defined(__aarch64__)
    return (lanes)vfmaq_f32((float32x4_t)c, (float32x4_t)a, (float32x4_t)b);
#else
    lanes sum;
    for (int l = 0; l < LANES; l++)
        sum[l] = fmaf(a[l], b[l], c[l]);
    return sum;
#endif
}

/* a b + c, rounded once or twice, whichever is cheaper. */
static inline lanes multiply_add(lanes a, lanes b, lanes c)
{
#if defined(__FMA__) || defined(__aarch64__)
    return fused(a, b, c);
#else
    return a * b + c;
#endif
}

static inline lanes everywhere(float value)
{
    return value - (lanes){0};
}

/* y and g of exact_root.h. */
static inline lanes exact_root(lanes x, lanes *g)
{
    lanes y = (lanes)(EXACT_GUESS - ((lanes_int)x >> 1));
    y = y * fused(-x, y * y, everywhere(EXACT_NEWTON));
    *g = fused(-x, y * y, everywhere(EXACT_SQUARE));
    return y;
}

static inline lanes exact_inverse_cube(lanes x)
{
    lanes g, y = exact_root(x, &g);
    lanes series = fused(g, fused(g, everywhere(EXACT_CUBE_2), everywhere(EXACT_CUBE_1)),
                         everywhere(EXACT_CUBE_0));
    return (y * (y * y)) * series;
}

static inline lanes exact_inverse(lanes x)
{
    lanes g, y = exact_root(x, &g);
    lanes series = fused(g, fused(g, everywhere(EXACT_ROOT_2), everywhere(EXACT_ROOT_1)),
                         everywhere(EXACT_ROOT_0));
    return y * series;
}

/* With the estimate e and h = 1 - x e^2: e^3 (1 + 3/2 h + 15/8 h^2). */
static inline lanes quick_inverse_cube(lanes x)
{
    lanes e = lanes_rsqrt_estimate(x), e2 = e * e;
    lanes h = multiply_add(-x, e2, everywhere(1));
    lanes series =
        multiply_add(h, multiply_add(h, everywhere(1.875f), everywhere(1.5f)), everywhere(1));
    return (e * e2) * series;
}
