/* A vector of floats as wide as the instruction set that the including file is compiled for, and
 * the two operations on it that the compiler must not choose for itself. */
#ifndef KERNELS_FORCE_EXACT_LANES_H
#define KERNELS_FORCE_EXACT_LANES_H

#include "kernels/force_exact_root.h"

#include <math.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

/* LANES a vector; TARGETS vectors of target bodies stay in registers. */
#if defined(__AVX512F__)
enum { LANES = 16, TARGETS = 4 };
#elif defined(__AVX2__)
enum { LANES = 8, TARGETS = 2 };
#else
enum { LANES = 4, TARGETS = 2 };
#endif

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int lanes_int __attribute__((vector_size(LANES * sizeof(int))));

/* a b + c, rounded once. Without the instruction it is slow and still right. */
static inline lanes fused(lanes a, lanes b, lanes c)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_fmadd_ps((__m512)a, (__m512)b, (__m512)c);
#elif defined(__FMA__) && defined(__AVX2__)
    return (lanes)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
#else
    lanes sum;
    for (int l = 0; l < LANES; l++)
        sum[l] = fmaf(a[l], b[l], c[l]);
    return sum;
#endif
}

/* As near to a b + c as is cheap. */
static inline lanes multiply_add(lanes a, lanes b, lanes c)
{
#if defined(__FMA__)
    return fused(a, b, c);
#else
    return a * b + c;
#endif
}

/* x^(-1/2) within 2^-14 (AVX-512) or 1.5 * 2^-12, by an instruction that differs from one make of
 * processor to another. */
static inline lanes hardware_root(lanes x)
{
#if defined(__AVX512F__)
    return (lanes)_mm512_rsqrt14_ps((__m512)x);
#elif defined(__AVX2__)
    return (lanes)_mm256_rsqrt_ps((__m256)x);
#elif defined(__SSE2__)
    return (lanes)_mm_rsqrt_ps((__m128)x);
#else
    lanes y;
    for (int l = 0; l < LANES; l++)
        y[l] = 1 / sqrtf(x[l]);
    return y;
#endif
}

static inline lanes everywhere(float value)
{
    return value - (lanes){0};
}

/* y and g of force_exact_root.h. */
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
    lanes e = hardware_root(x), e2 = e * e;
    lanes h = multiply_add(-x, e2, everywhere(1));
    lanes series =
        multiply_add(h, multiply_add(h, everywhere(1.875f), everywhere(1.5f)), everywhere(1));
    return (e * e2) * series;
}

#endif
