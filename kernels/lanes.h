/* A vector of floats as wide as the instruction set that the including file is compiled for, and
 * its reciprocal square root, with the error of the hardware's estimate.
 *
 * A vector has LANES floats. TARGETS vectors of target bodies, or VECTORS of bodies on either side
 * of a pair, fit in the register file at once. ESTIMATE_TERMS is the number of terms of the series
 * (1 - h)^(-1/2) that bring the estimate to full single precision: the estimates are good to 2^-14
 * (AVX-512), 2^-15 (NEON, after a step of Newton's) and 1.5 * 2^-12 (SSE, AVX). */
#pragma once

#include "kernels/bits.h"

#include <math.h>

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* LANES_EIGHT: vectors are no wider than eight floats. */
#if defined(__AVX512F__) && !defined(LANES_EIGHT)
#define LANES_SIXTEEN
enum { LANES = 16, TARGETS = 4, VECTORS = 2, ESTIMATE_TERMS = 1 };
#elif defined(__AVX2__)
enum { LANES = 8, TARGETS = 2, VECTORS = 1, ESTIMATE_TERMS = 2 };
#elif defined(__aarch64__)
enum { LANES = 4, TARGETS = 2, VECTORS = 2, ESTIMATE_TERMS = 1 };
#else
enum { LANES = 4, TARGETS = 2, VECTORS = 2, ESTIMATE_TERMS = 2 };
#endif

typedef float lanes __attribute__((vector_size(LANES * sizeof(float))));
typedef int lanes_int __attribute__((vector_size(LANES * sizeof(int))));

static inline lanes lanes_rsqrt_estimate(lanes x)
{
#ifdef LANES_SIXTEEN
    return (lanes)_mm512_rsqrt14_ps((__m512)x);
#elif defined(__AVX2__)
    return (lanes)_mm256_rsqrt_ps((__m256)x);
#elif defined(__SSE2__)
    return (lanes)_mm_rsqrt_ps((__m128)x);
#elif defined(__aarch64__)
    /* The architecture defines the estimate, good to 8 bits, and the step: every maker's bits. */
    float32x4_t e = vrsqrteq_f32((float32x4_t)x);
    return (lanes)vmulq_f32(e, vrsqrtsq_f32((float32x4_t)x, vmulq_f32(e, e)));
#else
    lanes y;
    for (int l = 0; l < LANES; l++)
        y[l] = 1 / sqrtf(x[l]);
    return y;
#endif
}

/* ---- the lane operations that exact mode must not leave to the compiler's choice ---- */

/* a b + c, rounded once. Without the instruction it is slow but still correct. */
static inline lanes fused(lanes a, lanes b, lanes c)
{
#ifdef LANES_SIXTEEN
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

/* y and g of bits.h. */
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
