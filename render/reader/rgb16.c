#include "render/reader/rgb16.h"

#include "render/picture/pixel_isa.h"

#include <math.h>

/* One source for every processor, compiled again with wider vectors where available. */
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

void convert_factors(struct convert_factors *factors, const struct matrix *matrix, bool full)
{
    const double unit = 65535.0 * (1 << CONVERT_BITS), chroma = unit / (8 * (full ? 255 : 224));
    const double red = (double)matrix->red, blue = (double)matrix->blue, green = 1 - red - blue;
    *factors = (struct convert_factors){
        .luma = (int32_t)lround(unit / (full ? 255 : 219)),
        .red = (int32_t)lround(chroma * 2 * (1 - red)),
        .green_blue = (int32_t)lround(-chroma * 2 * (1 - blue) * blue / green),
        .green_red = (int32_t)lround(-chroma * 2 * (1 - red) * red / green),
        .blue = (int32_t)lround(chroma * 2 * (1 - blue)),
        .black = full ? 0 : 16,
    };
}

INLINE void between(const uint8_t *restrict upper, const uint8_t *restrict lower, size_t count,
                    int part, uint16_t *restrict to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (uint16_t)((4 - part) * upper[i] + part * lower[i]);
}

WIDE void between_wide(const uint8_t *upper, const uint8_t *lower, size_t count, int part,
                       uint16_t *to)
{
    between(upper, lower, count, part, to);
}

void convert_between(const uint8_t *upper, const uint8_t *lower, size_t count, int part,
                     uint16_t *to)
{
    if (is_wide())
        between_wide(upper, lower, count, part, to);
    else
        between(upper, lower, count, part, to);
}

void convert_row(const struct convert_row *row, const struct convert_factors *factors, size_t count,
                 uint16_t *const rgb[3])
{
    ISA_CALL(convert_row, row, factors, count, rgb);
}
