/* Vector helpers of the tree's kernels: places and rows of moments as lanes, sums, selection. For
 * NAME_isa.c, which is compiled once per instruction set. */
#pragma once

#include "kernels/tree/tree_cells.h"
#include "kernels/lanes.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline lanes load(const float *from)
{
    lanes vector;
    memcpy(&vector, from, sizeof vector);
    return vector;
}

static inline void store(float *to, lanes vector)
{
    memcpy(to, &vector, sizeof vector);
}

static inline float sum_of(lanes vector)
{
#ifdef LANES_SIXTEEN
    return _mm512_reduce_add_ps((__m512)vector);
#elif defined(__aarch64__)
    return vaddvq_f32((float32x4_t)vector);
#else
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            vector[l] += vector[l + width];
    return vector[0];
#endif
}

/* Lane n of the result is the sum of from[n]. */
static inline __attribute__((always_inline)) lanes sums_of(const lanes from[LANES])
{
#ifdef LANES_SIXTEEN
    __m512 a[8], b[4];
    for (int k = 0; k < 8; k++)
        a[k] = _mm512_add_ps(_mm512_unpacklo_ps((__m512)from[2 * k], (__m512)from[2 * k + 1]),
                             _mm512_unpackhi_ps((__m512)from[2 * k], (__m512)from[2 * k + 1]));
    for (int k = 0; k < 4; k++) {
        __m512d even = _mm512_castps_pd(a[2 * k]), odd = _mm512_castps_pd(a[2 * k + 1]);
        b[k] = _mm512_add_ps(_mm512_castpd_ps(_mm512_unpacklo_pd(even, odd)),
                             _mm512_castpd_ps(_mm512_unpackhi_pd(even, odd)));
    }
    for (int k = 0; k < 2; k++)
        a[k] = _mm512_add_ps(_mm512_shuffle_f32x4(b[2 * k], b[2 * k + 1], 0x88),
                             _mm512_shuffle_f32x4(b[2 * k], b[2 * k + 1], 0xdd));
    return (lanes)_mm512_add_ps(_mm512_shuffle_f32x4(a[0], a[1], 0x88),
                                _mm512_shuffle_f32x4(a[0], a[1], 0xdd));
#elif defined(__AVX2__)
    __m256 a[4], b[2];
    for (int k = 0; k < 4; k++)
        a[k] = _mm256_add_ps(_mm256_unpacklo_ps((__m256)from[2 * k], (__m256)from[2 * k + 1]),
                             _mm256_unpackhi_ps((__m256)from[2 * k], (__m256)from[2 * k + 1]));
    for (int k = 0; k < 2; k++)
        b[k] = _mm256_add_ps(_mm256_shuffle_ps(a[2 * k], a[2 * k + 1], 0x44),
                             _mm256_shuffle_ps(a[2 * k], a[2 * k + 1], 0xee));
    return (lanes)_mm256_add_ps(_mm256_permute2f128_ps(b[0], b[1], 0x20),
                                _mm256_permute2f128_ps(b[0], b[1], 0x31));
#elif defined(__aarch64__)
    return (lanes)vpaddq_f32(vpaddq_f32((float32x4_t)from[0], (float32x4_t)from[1]),
                             vpaddq_f32((float32x4_t)from[2], (float32x4_t)from[3]));
#else
    lanes out;
    for (int l = 0; l < LANES; l++)
        out[l] = sum_of(from[l]);
    return out;
#endif
}

/* out[n] = sum of from[n], n < count, and zeros up to a whole vector. */
static inline __attribute__((always_inline)) void sum_each(const lanes *from, int count, float *out)
{
    for (int n = 0; n < count; n += LANES) {
        lanes some[LANES];
        for (int l = 0; l < LANES; l++)
            some[l] = n + l < count ? from[n + l] : (lanes){0};
        store(out + n, sums_of(some));
    }
}

/* The first `count` lanes. */
static inline lanes_int first_lanes(size_t count)
{
    static const int all[TREE_LANES] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    lanes_int index;
    memcpy(&index, all, sizeof index);
    return index < (count < LANES ? (int)count : LANES);
}

/* Sets the other lanes to zero. */
static inline lanes keep(lanes_int kept, lanes x)
{
    return (lanes)(kept & (lanes_int)x);
}

/* x^(-1/2) to single precision. */
static inline lanes inverse_root(lanes x)
{
    lanes e = lanes_rsqrt_estimate(x);
    return e * (1.5f - 0.5f * x * e * e);
}

/* condition ? yes : no */
static inline lanes choose(lanes_int condition, lanes yes, lanes no)
{
    return (lanes)((condition & (lanes_int)yes) | (~condition & (lanes_int)no));
}

static inline lanes root_of(lanes x)
{
#ifdef LANES_SIXTEEN
    return (lanes)_mm512_sqrt_ps((__m512)x);
#elif defined(__AVX2__)
    return (lanes)_mm256_sqrt_ps((__m256)x);
#elif defined(__SSE2__)
    return (lanes)_mm_sqrt_ps((__m128)x);
#elif defined(__aarch64__)
    return (lanes)vsqrtq_f32((float32x4_t)x);
#else
    for (int l = 0; l < LANES; l++)
        x[l] = sqrtf(x[l]);
    return x;
#endif
}

static inline float positive(float radius)
{
    return radius > 0 ? radius : 1;
}

/* The numbers of a place. */
enum {
    HI = 0,
    LO = 3,
    RADIUS = 6,
    HOLD,
    MASS,
    POWER,
    HALF = POWER + TREE_POWERS - 2,
    SPREAD,
    LEAF
};

/* Transposes sixteen floats from each of LANES rows: out[n][l] = number n of row list[l]. Rows are
 * `stride` floats apart and 64-byte aligned. */
static inline __attribute__((always_inline)) void transpose(const float *base, size_t stride,
                                                            const uint32_t *list, lanes out[16])
{
#ifdef LANES_SIXTEEN
    __m512 a[16], b[16];
    for (int l = 0; l < 16; l++)
        a[l] = _mm512_load_ps(base + list[l] * stride);
    for (int l = 0; l < 16; l += 2) {
        b[l] = _mm512_unpacklo_ps(a[l], a[l + 1]);
        b[l + 1] = _mm512_unpackhi_ps(a[l], a[l + 1]);
    }
    for (int l = 0; l < 16; l += 4) { /* a[l + k]: the k-th number of each quarter, of rows l to l +
                                       * 3 */
        a[l] = _mm512_castpd_ps(
            _mm512_unpacklo_pd(_mm512_castps_pd(b[l]), _mm512_castps_pd(b[l + 2])));
        a[l + 1] = _mm512_castpd_ps(
            _mm512_unpackhi_pd(_mm512_castps_pd(b[l]), _mm512_castps_pd(b[l + 2])));
        a[l + 2] = _mm512_castpd_ps(
            _mm512_unpacklo_pd(_mm512_castps_pd(b[l + 1]), _mm512_castps_pd(b[l + 3])));
        a[l + 3] = _mm512_castpd_ps(
            _mm512_unpackhi_pd(_mm512_castps_pd(b[l + 1]), _mm512_castps_pd(b[l + 3])));
    }
    for (int k = 0; k < 4; k++) {
        __m512 low = _mm512_shuffle_f32x4(a[k], a[4 + k], 0x88);
        __m512 high = _mm512_shuffle_f32x4(a[k], a[4 + k], 0xdd);
        __m512 low2 = _mm512_shuffle_f32x4(a[8 + k], a[12 + k], 0x88);
        __m512 high2 = _mm512_shuffle_f32x4(a[8 + k], a[12 + k], 0xdd);
        out[k] = (lanes)_mm512_shuffle_f32x4(low, low2, 0x88);
        out[8 + k] = (lanes)_mm512_shuffle_f32x4(low, low2, 0xdd);
        out[4 + k] = (lanes)_mm512_shuffle_f32x4(high, high2, 0x88);
        out[12 + k] = (lanes)_mm512_shuffle_f32x4(high, high2, 0xdd);
    }
#elif defined(__AVX2__)
    for (int half = 0; half < 16; half += 8) {
        __m256 a[8], b[8];
        for (int l = 0; l < 8; l++)
            a[l] = _mm256_load_ps(base + list[l] * stride + half);
        for (int l = 0; l < 8; l += 2) {
            b[l] = _mm256_unpacklo_ps(a[l], a[l + 1]);
            b[l + 1] = _mm256_unpackhi_ps(a[l], a[l + 1]);
        }
        for (int l = 0; l < 8; l += 4) {
            a[l] = _mm256_shuffle_ps(b[l], b[l + 2], 0x44);
            a[l + 1] = _mm256_shuffle_ps(b[l], b[l + 2], 0xee);
            a[l + 2] = _mm256_shuffle_ps(b[l + 1], b[l + 3], 0x44);
            a[l + 3] = _mm256_shuffle_ps(b[l + 1], b[l + 3], 0xee);
        }
        for (int k = 0; k < 4; k++) {
            out[half + k] = (lanes)_mm256_permute2f128_ps(a[k], a[4 + k], 0x20);
            out[half + 4 + k] = (lanes)_mm256_permute2f128_ps(a[k], a[4 + k], 0x31);
        }
    }
#elif defined(__SSE2__)
    for (int part = 0; part < 16; part += 4) {
        __m128 a[4];
        for (int l = 0; l < 4; l++)
            a[l] = _mm_load_ps(base + list[l] * stride + part);
        _MM_TRANSPOSE4_PS(a[0], a[1], a[2], a[3]);
        for (int k = 0; k < 4; k++)
            out[part + k] = (lanes)a[k];
    }
#elif defined(__aarch64__)
    for (int part = 0; part < 16; part += 4) {
        float64x2_t a[4];
        for (int l = 0; l < 4; l += 2) {
            float32x4_t even = vld1q_f32(base + list[l] * stride + part);
            float32x4_t odd = vld1q_f32(base + list[l + 1] * stride + part);
            a[l] = (float64x2_t)vtrn1q_f32(even, odd);
            a[l + 1] = (float64x2_t)vtrn2q_f32(even, odd);
        }
        for (int k = 0; k < 2; k++) {
            out[part + k] = (lanes)vtrn1q_f64(a[k], a[2 + k]);
            out[part + 2 + k] = (lanes)vtrn2q_f64(a[k], a[2 + k]);
        }
    }
#else
    for (int n = 0; n < 16; n++)
        for (int l = 0; l < LANES; l++)
            out[n][l] = base[list[l] * stride + n];
#endif
}
