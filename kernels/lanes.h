/* A vector of floats as wide as the instruction set that the including file is compiled for, and
 * its reciprocal square root, with the error of the hardware's estimate.
 *
 * A vector has LANES floats. TARGETS vectors of target bodies, or VECTORS of bodies on either side
 * of a pair, fit in the register file at once. ESTIMATE_TERMS is the number of terms of the series
 * (1 - h)^(-1/2) that bring the estimate to full single precision: the estimates are good to 2^-14
 * (AVX-512), 2^-15 (NEON, after a step of Newton's) and 1.5 * 2^-12 (SSE, AVX). */
#pragma once

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#else
#include <math.h>
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
