/* Compiled once per instruction set (render/picture/lanes.h). */
#include "render/reader/frame.h"

#include "render/picture/lanes.h"
#include "render/picture/picture.h"

enum { SPAN = LANES_BYTES };

/* What is not quiet in a row: the maximum of both, and their difference. */
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
