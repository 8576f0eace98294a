/* Sixteen floats of each of LANES rows, turned so that the lanes are rows. */
#ifndef KERNELS_TREE_TURN_H
#define KERNELS_TREE_TURN_H

#include "kernels/lanes.h"

#include <stdint.h>

/* out[n][l] = number n of row list[l]; rows are `stride` floats apart and 64-byte aligned. */
static inline __attribute__((always_inline)) void turn(const float *base, size_t stride,
                                                       const uint32_t *list, lanes out[16])
{
#if defined(__AVX512F__)
    __m512 a[16], b[16];
    for (int l = 0; l < 16; l++)
        a[l] = _mm512_load_ps(base + list[l] * stride);
    for (int l = 0; l < 16; l += 2) {
        b[l] = _mm512_unpacklo_ps(a[l], a[l + 1]);
        b[l + 1] = _mm512_unpackhi_ps(a[l], a[l + 1]);
    }
    for (int l = 0; l < 16; l += 4) { /* a[l + k]: number k of each quarter, of rows l to l + 3 */
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
#else
    for (int n = 0; n < 16; n++)
        for (int l = 0; l < LANES; l++)
            out[n][l] = base[list[l] * stride + n];
#endif
}

#endif
