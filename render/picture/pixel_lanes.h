/* Vectors of 16-bit samples, as wide as the instruction set that the including file is compiled
 * for. A file NAME_isa.c is compiled once per instruction set, with RENDER_ISA as the suffix of its
 * functions; all variants give identical bits.
 *
 * Interleaving and packing work within 128 bits, so packing reverses interleaving. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined __SSE2__
#include <immintrin.h>
#elif defined __aarch64__
#include <arm_neon.h>
#endif

#define LANES_JOIN_(name, isa) name##_##isa
#define LANES_JOIN(name, isa)  LANES_JOIN_(name, isa)
#define OF_ISA(name)           LANES_JOIN(name, RENDER_ISA) /* name_avx2 */

#define LANES_INLINE static inline __attribute__((always_inline))

#if defined __AVX512BW__
enum { LANES = 32 };
#elif defined __AVX2__
enum { LANES = 16 };
#else
enum { LANES = 8 };
#endif

enum { LANES_PAIRS = LANES / 2 };

typedef uint16_t lanes __attribute__((vector_size(2 * LANES)));
typedef int32_t lanes_wide __attribute__((vector_size(2 * LANES)));
typedef float lanes_float __attribute__((vector_size(2 * LANES)));

LANES_INLINE lanes lanes_load(const uint16_t *from)
{
    lanes v;
    memcpy(&v, from, sizeof v);
    return v;
}

LANES_INLINE void lanes_store(uint16_t *to, lanes v)
{
    memcpy(to, &v, sizeof v);
}

LANES_INLINE lanes lanes_all(uint16_t value)
{
    return value - (lanes){0};
}

/* value, other, value, other .. */
LANES_INLINE lanes lanes_both(int16_t value, int16_t other)
{
    const uint32_t pair = (uint32_t)(uint16_t)other << 16 | (uint16_t)value;
    return (lanes)((int32_t)pair - (lanes_wide){0});
}

LANES_INLINE lanes_float lanes_real(float value)
{
    return value - (lanes_float){0};
}

#if defined __AVX512BW__
#define LANES_DO(name, a, b) _mm512_##name((__m512i)(a), (__m512i)(b))
#elif defined __AVX2__
#define LANES_DO(name, a, b) _mm256_##name((__m256i)(a), (__m256i)(b))
#elif defined __SSE2__
#define LANES_DO(name, a, b) _mm_##name((__m128i)(a), (__m128i)(b))
#endif

#if defined __SSE2__

/* a - b, 0 if b is larger. */
LANES_INLINE lanes lanes_beyond(lanes a, lanes b)
{
    return (lanes)LANES_DO(subs_epu16, a, b);
}

/* Interleaves the lower, or the upper, half of each 128 bits of two vectors. */
LANES_INLINE lanes lanes_low(lanes a, lanes b)
{
    return (lanes)LANES_DO(unpacklo_epi16, a, b);
}

LANES_INLINE lanes lanes_high(lanes a, lanes b)
{
    return (lanes)LANES_DO(unpackhi_epi16, a, b);
}

/* For signed samples: a[2i] * b[2i] + a[2i + 1] * b[2i + 1] */
LANES_INLINE lanes_wide lanes_dot(lanes a, lanes b)
{
    return (lanes_wide)LANES_DO(madd_epi16, a, b);
}

/* Reverses lanes_low and lanes_high; values -32768 .. 32767. */
LANES_INLINE lanes lanes_pack(lanes_wide low, lanes_wide high)
{
    return (lanes)LANES_DO(packs_epi32, low, high);
}

#elif defined __aarch64__

LANES_INLINE lanes lanes_beyond(lanes a, lanes b)
{
    return (lanes)vqsubq_u16((uint16x8_t)a, (uint16x8_t)b);
}

LANES_INLINE lanes lanes_low(lanes a, lanes b)
{
    return (lanes)vzip1q_u16((uint16x8_t)a, (uint16x8_t)b);
}

LANES_INLINE lanes lanes_high(lanes a, lanes b)
{
    return (lanes)vzip2q_u16((uint16x8_t)a, (uint16x8_t)b);
}

LANES_INLINE lanes_wide lanes_dot(lanes a, lanes b)
{
    const int16x8_t x = (int16x8_t)a, y = (int16x8_t)b;
    const int32x4_t low = vmull_s16(vget_low_s16(x), vget_low_s16(y));
    return (lanes_wide)vpaddq_s32(low, vmull_high_s16(x, y));
}

LANES_INLINE lanes lanes_pack(lanes_wide low, lanes_wide high)
{
    return (lanes)vqmovn_high_s32(vqmovn_s32((int32x4_t)low), (int32x4_t)high);
}

#else

LANES_INLINE lanes lanes_beyond(lanes a, lanes b)
{
    return (a - b) & (lanes)(a > b);
}

LANES_INLINE lanes lanes_low(lanes a, lanes b)
{
    return __builtin_shuffle(a, b, (lanes){0, 8, 1, 9, 2, 10, 3, 11});
}

LANES_INLINE lanes lanes_high(lanes a, lanes b)
{
    return __builtin_shuffle(a, b, (lanes){4, 12, 5, 13, 6, 14, 7, 15});
}

LANES_INLINE lanes_wide lanes_dot(lanes a, lanes b)
{
    lanes_wide sum;
    for (int i = 0; i < LANES_PAIRS; i++)
        sum[i] =
            (int16_t)a[2 * i] * (int16_t)b[2 * i] + (int16_t)a[2 * i + 1] * (int16_t)b[2 * i + 1];
    return sum;
}

LANES_INLINE lanes lanes_pack(lanes_wide low, lanes_wide high)
{
    lanes packed;
    for (int i = 0; i < LANES_PAIRS; i++) {
        packed[i] = (uint16_t)low[i];
        packed[LANES_PAIRS + i] = (uint16_t)high[i];
    }
    return packed;
}

#endif

/* Byte vectors are 16 wide for every instruction set, because rows of tiles are short. */
enum { LANES_BYTES = 16 };

typedef uint8_t lanes_bytes __attribute__((vector_size(LANES_BYTES)));

LANES_INLINE lanes_bytes lanes_load_bytes(const uint8_t *from)
{
    lanes_bytes v;
    memcpy(&v, from, sizeof v);
    return v;
}

LANES_INLINE lanes_bytes lanes_all_bytes(uint8_t value)
{
    return value - (lanes_bytes){0};
}

/* a - b, 0 if b is larger. */
LANES_INLINE lanes_bytes lanes_bytes_beyond(lanes_bytes a, lanes_bytes b)
{
#if defined __SSE2__
    return (lanes_bytes)_mm_subs_epu8((__m128i)a, (__m128i)b);
#elif defined __aarch64__
    return (lanes_bytes)vqsubq_u8((uint8x16_t)a, (uint8x16_t)b);
#else
    return (a - b) & (lanes_bytes)(a > b);
#endif
}

LANES_INLINE bool lanes_bytes_any(lanes_bytes v)
{
    uint64_t part[sizeof v / 8];
    memcpy(part, &v, sizeof v);
    return (part[0] | part[1]) != 0;
}

LANES_INLINE lanes lanes_larger(lanes a, lanes b)
{
    return b + lanes_beyond(a, b);
}

/* |a - b| */
LANES_INLINE lanes lanes_apart(lanes a, lanes b)
{
    return lanes_beyond(a, b) | lanes_beyond(b, a);
}

/* All bits set where a <= b. */
LANES_INLINE lanes lanes_within(lanes a, lanes b)
{
    return (lanes)(lanes_beyond(a, b) == 0);
}

LANES_INLINE bool lanes_any(lanes v)
{
#if defined __AVX512BW__
    return _mm512_test_epi32_mask((__m512i)v, (__m512i)v) != 0;
#elif defined __AVX2__
    return !_mm256_testz_si256((__m256i)v, (__m256i)v);
#elif defined __aarch64__
    return vmaxvq_u16((uint16x8_t)v) != 0;
#else
    uint64_t part[sizeof v / 8], any = 0;
    memcpy(part, &v, sizeof v);
    for (size_t i = 0; i < sizeof v / 8; i++)
        any |= part[i];
    return any != 0;
#endif
}
