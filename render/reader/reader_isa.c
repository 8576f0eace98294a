#include "render/picture/pixel_lanes.h"
#include "render/picture/picture.h"
#include "render/reader/frame.h"
#include "render/reader/rgb16.h"

/* Compiled once per instruction set (render/picture/pixel_lanes.h). */

typedef uint8_t bytes __attribute__((vector_size(LANES)));
typedef uint16_t half __attribute__((vector_size(LANES)));

enum { SIGN = 0x8000, HALF = 1 << (CONVERT_BITS - 1) };

/* A factor for each of two samples, split into high * 256 + low. */
struct pair {
    lanes high, low;
};

struct factors {
    struct pair red, green_blue, green_red, blue;
};

LANES_INLINE struct pair pair_of(int32_t first, int32_t second)
{
    return (struct pair){
        lanes_both((int16_t)(first >> 8), (int16_t)(second >> 8)),
        lanes_both((int16_t)(first & 255), (int16_t)(second & 255)),
    };
}

LANES_INLINE lanes_wide weigh(lanes samples, const struct pair *by)
{
    return (lanes_dot(samples, by->high) << 8) + lanes_dot(samples, by->low);
}

/* Rounds and clamps. */
LANES_INLINE lanes code(lanes_wide low, lanes_wide high)
{
    const int32_t offset = HALF - (SIGN << CONVERT_BITS);
    return lanes_pack((low + offset) >> CONVERT_BITS, (high + offset) >> CONVERT_BITS) ^
           lanes_all(SIGN);
}

LANES_INLINE lanes read_luma(const uint8_t *from)
{
    bytes samples;
    memcpy(&samples, from, sizeof samples);
    return __builtin_convertvector(samples, lanes);
}

LANES_INLINE lanes_wide read_half(const uint16_t *from)
{
    half samples;
    memcpy(&samples, from, sizeof samples);
    return __builtin_convertvector(samples, lanes_wide);
}

/* In eighths. */
LANES_INLINE lanes read_chroma(const uint16_t *from, size_t x, bool halved)
{
    if (!halved)
        return lanes_load(from + x) * 2;
    const lanes_wide here = read_half(from + x / 2), next = read_half(from + x / 2 + 1);
    return (lanes)(here | here << 16) + (lanes)(here | next << 16);
}

LANES_INLINE void convert(lanes luma, lanes blue, lanes red, const struct factors *by,
                          uint16_t *const rgb[3], size_t x)
{
    const lanes red_low = lanes_low(luma, red), red_high = lanes_high(luma, red);
    const lanes blue_low = lanes_low(luma, blue), blue_high = lanes_high(luma, blue);
    const lanes zero = lanes_all(0);
    lanes_store(rgb[0] + x, code(weigh(red_low, &by->red), weigh(red_high, &by->red)));
    lanes_store(
        rgb[1] + x,
        code(weigh(blue_low, &by->green_blue) + weigh(lanes_low(red, zero), &by->green_red),
             weigh(blue_high, &by->green_blue) + weigh(lanes_high(red, zero), &by->green_red)));
    lanes_store(rgb[2] + x, code(weigh(blue_low, &by->blue), weigh(blue_high, &by->blue)));
}

void OF_ISA(convert_row)(const struct convert_row *row, const struct convert_factors *factors,
                         size_t count, uint16_t *const rgb[3])
{
    const struct factors by = {.red = pair_of(factors->luma, factors->red),
                               .green_blue = pair_of(factors->luma, factors->green_blue),
                               .green_red = pair_of(factors->green_red, 0),
                               .blue = pair_of(factors->luma, factors->blue)};
    const lanes black = lanes_all((uint16_t)factors->black), grey = lanes_all(8 * 128);
    const size_t whole = count - count % LANES, rest = count - whole;
    for (size_t x = 0; x < whole; x += LANES)
        convert(read_luma(row->luma + x) - black, read_chroma(row->blue, x, row->halved) - grey,
                read_chroma(row->red, x, row->halved) - grey, &by, rgb, x);
    if (rest == 0)
        return;
    uint8_t luma[LANES] = {0};
    uint16_t apart[3][LANES];
    uint16_t *const to[3] = {apart[0], apart[1], apart[2]};
    memcpy(luma, row->luma + whole, rest);
    convert(read_luma(luma) - black, read_chroma(row->blue, whole, row->halved) - grey,
            read_chroma(row->red, whole, row->halved) - grey, &by, to, 0);
    for (int c = 0; c < 3; c++)
        memcpy(rgb[c] + whole, apart[c], rest * sizeof *apart[c]);
}

/* ---- quiet_isa ---- */

/* Compiled once per instruction set (render/picture/pixel_lanes.h). */

enum { SPAN = LANES_BYTES };

/* Marks the samples that are not quiet: those above `most` on either side, and those that differ by
 * more than `free`. */
LANES_INLINE lanes_bytes loud_luma(const uint8_t *in_a, const uint8_t *in_b, lanes_bytes most,
                                   lanes_bytes free)
{
    const lanes_bytes a = lanes_load_bytes(in_a), b = lanes_load_bytes(in_b);
    const lanes_bytes apart = lanes_bytes_beyond(a, b) | lanes_bytes_beyond(b, a);
    return lanes_bytes_beyond(a, most) | lanes_bytes_beyond(b, most) |
           lanes_bytes_beyond(apart, free);
}

LANES_INLINE lanes_bytes loud_chroma(const uint8_t *in_a, const uint8_t *in_b)
{
    const lanes_bytes a = lanes_load_bytes(in_a), b = lanes_load_bytes(in_b);
    return (a ^ b) | lanes_bytes_beyond(a, lanes_all_bytes(QUIET_GREY + QUIET_CHROMA_NEAR)) |
           lanes_bytes_beyond(lanes_all_bytes(QUIET_GREY - QUIET_CHROMA_NEAR), a);
}

/* Copies fewer samples than a span has, padded with quiet ones. */
LANES_INLINE void copy_part(const uint8_t *from, uint32_t count, uint8_t fill, uint8_t to[SPAN])
{
    memset(to, fill, SPAN);
    memcpy(to, from, count);
}

static bool is_luma_quiet(const struct quiet_pictures *self, const struct quiet_bounds *bounds,
                          uint32_t x, uint32_t y)
{
    const lanes_bytes most = lanes_all_bytes(bounds->luma),
                      free = lanes_all_bytes(bounds->free_luma);
    const uint32_t end = self->width - x < PLANES_TILE ? self->width - x : PLANES_TILE;
    lanes_bytes loud = {0};
    for (uint32_t row = y; row < y + PLANES_TILE && row < self->height; row++) {
        const uint8_t *a = self->a[0] + row * self->stride_a[0] + x;
        const uint8_t *b = self->b[0] + row * self->stride_b[0] + x;
        uint32_t at = 0;
        for (; at + SPAN <= end; at += SPAN)
            loud |= loud_luma(a + at, b + at, most, free);
        if (at < end) {
            uint8_t in_a[SPAN], in_b[SPAN];
            copy_part(a + at, end - at, 0, in_a);
            copy_part(b + at, end - at, 0, in_b);
            loud |= loud_luma(in_a, in_b, most, free);
        }
        if (row % 8 == 7 && lanes_bytes_any(loud))
            return false;
    }
    return !lanes_bytes_any(loud);
}

/* Includes the samples next to the tile, which affect its outermost pixels. */
static bool is_chroma_quiet(const struct quiet_pictures *self, int plane, uint32_t x, uint32_t y)
{
    const uint32_t columns = (self->width + (1u << self->shift_x) - 1) >> self->shift_x;
    const uint32_t rows = (self->height + (1u << self->shift_y) - 1) >> self->shift_y;
    uint32_t left = x >> self->shift_x, top = y >> self->shift_y;
    uint32_t right = left + (PLANES_TILE >> self->shift_x) + 1;
    uint32_t bottom = top + (PLANES_TILE >> self->shift_y) + 1;
    left -= left > 0;
    top -= top > 0;
    right = right < columns ? right : columns;
    bottom = bottom < rows ? bottom : rows;
    lanes_bytes loud = {0};
    for (uint32_t row = top; row < bottom; row++) {
        const uint8_t *a = self->a[plane] + row * self->stride_a[plane];
        const uint8_t *b = self->b[plane] + row * self->stride_b[plane];
        uint32_t at = left;
        for (; at + SPAN <= right; at += SPAN)
            loud |= loud_chroma(a + at, b + at);
        if (at < right && right - left >= SPAN) { /* overlaps samples that were already read */
            loud |= loud_chroma(a + right - SPAN, b + right - SPAN);
        } else if (at < right) {
            uint8_t in_a[SPAN], in_b[SPAN];
            copy_part(a + at, right - at, QUIET_GREY, in_a);
            copy_part(b + at, right - at, QUIET_GREY, in_b);
            loud |= loud_chroma(in_a, in_b);
        }
        if (row % 4 == 3 && lanes_bytes_any(loud))
            return false;
    }
    return !lanes_bytes_any(loud);
}

bool OF_ISA(quiet_tile)(const struct quiet_pictures *pictures, const struct quiet_bounds *bounds,
                        uint32_t x, uint32_t y)
{
    return is_luma_quiet(pictures, bounds, x, y) && is_chroma_quiet(pictures, 1, x, y) &&
           is_chroma_quiet(pictures, 2, x, y);
}
