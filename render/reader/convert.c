#include "render/reader/convert.h"

#include <stdbool.h>

/* One text for every processor, compiled again with wider vectors where they are. */
#define INLINE static inline __attribute__((always_inline))

#if defined __x86_64__
#define WIDE __attribute__((target("avx2"))) static
static bool is_wide(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
#define WIDE static
static bool is_wide(void)
{
    return false;
}
#endif

INLINE uint16_t code(float value)
{
    value = value > 0 ? value : 0;
    value = value < 1 ? value : 1;
    return (uint16_t)(int32_t)(value * 65535 + 0.5f);
}

INLINE void bytes(const uint8_t *restrict from, size_t count, float zero, float range,
                  float *restrict to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = ((float)from[i] - zero) / range;
}

INLINE void blend(float *restrict to, const float *restrict other, size_t count, float part)
{
    for (size_t i = 0; i < count; i++)
        to[i] += part * (other[i] - to[i]);
}

INLINE void spread(const float *restrict from, size_t pairs, float *restrict to)
{
    for (size_t i = 0; i < pairs; i++) {
        to[2 * i] = from[i];
        to[2 * i + 1] = from[i] + 0.5f * (from[i + 1] - from[i]);
    }
}

INLINE void colours(const float *restrict luma, const float *restrict blue,
                    const float *restrict red, size_t count, const struct matrix *matrix,
                    uint16_t *restrict to_red, uint16_t *restrict to_green,
                    uint16_t *restrict to_blue)
{
    const float of_red = matrix->red, of_blue = matrix->blue, green = 1 - of_red - of_blue;
    const float more_red = 2 * (1 - of_red), more_blue = 2 * (1 - of_blue);
    for (size_t i = 0; i < count; i++) {
        const float r = luma[i] + more_red * red[i], b = luma[i] + more_blue * blue[i];
        to_red[i] = code(r);
        to_green[i] = code((luma[i] - of_red * r - of_blue * b) / green);
        to_blue[i] = code(b);
    }
}

WIDE void bytes_wide(const uint8_t *from, size_t count, float zero, float range, float *to)
{
    bytes(from, count, zero, range, to);
}

WIDE void blend_wide(float *to, const float *other, size_t count, float part)
{
    blend(to, other, count, part);
}

WIDE void spread_wide(const float *from, size_t pairs, float *to)
{
    spread(from, pairs, to);
}

WIDE void colours_wide(const float *luma, const float *blue, const float *red, size_t count,
                       const struct matrix *matrix, uint16_t *const rgb[3])
{
    colours(luma, blue, red, count, matrix, rgb[0], rgb[1], rgb[2]);
}

void convert_bytes(const uint8_t *from, size_t count, float zero, float range, float *to)
{
    if (is_wide())
        bytes_wide(from, count, zero, range, to);
    else
        bytes(from, count, zero, range, to);
}

void convert_words(const uint16_t *from, size_t count, float zero, float range, float *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = ((float)from[i] - zero) / range;
}

void convert_blend(float *to, const float *other, size_t count, float part)
{
    if (is_wide())
        blend_wide(to, other, count, part);
    else
        blend(to, other, count, part);
}

void convert_spread(const float *from, size_t pairs, float *to)
{
    if (is_wide())
        spread_wide(from, pairs, to);
    else
        spread(from, pairs, to);
}

void convert_colours(const float *luma, const float *blue, const float *red, size_t count,
                     const struct matrix *matrix, uint16_t *const rgb[3])
{
    if (is_wide())
        colours_wide(luma, blue, red, count, matrix, rgb);
    else
        colours(luma, blue, red, count, matrix, rgb[0], rgb[1], rgb[2]);
}
