#include "render/reader/quiet.h"

#include "base/memory.h"
#include "render/picture/planes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Chroma of a dark picture is this near to grey. A code of chroma moves red, green or blue by at
 * most 2 * (1 - 0.0593) * 255 / 224 (blue, BT.2020), one of luma by 255 / 219. */
enum { CHROMA_NEAR = 2, GREY = 128 };
static const double chroma_gain = 2.1419, luma_gain = 255 / 219.0;

struct bounds {
    uint8_t luma;      /* the darkest that is no longer dark */
    uint8_t free_luma; /* difference that is free while chroma is the same */
};

static bool find_bounds(bool full, double lit, double free, struct bounds *bounds)
{
    const double rest = floor((lit - CHROMA_NEAR * chroma_gain) / luma_gain - 1e-6);
    const double same = floor(free / luma_gain);
    if (!(rest >= 1 && rest < 128 && same >= 0 && same < 128))
        return false;
    bounds->luma = (uint8_t)(rest + (full ? 0 : 16) + 1);
    bounds->free_luma = (uint8_t)same;
    return true;
}

static uint8_t larger(uint8_t a, uint8_t b)
{
    return a > b ? a : b;
}

/* The brightest of both, and the largest difference, of one row. */
static void scan_row(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t count,
                     uint8_t *restrict most, uint8_t *restrict difference)
{
    uint8_t high = *most, apart = *difference;
    if (count == PLANES_TILE)
        for (uint32_t x = 0; x < PLANES_TILE; x++) {
            const uint8_t up = larger(a[x], b[x]), down = a[x] < b[x] ? a[x] : b[x];
            high = larger(high, up);
            apart = larger(apart, (uint8_t)(up - down));
        }
    else
        for (uint32_t x = 0; x < count; x++) {
            high = larger(high, larger(a[x], b[x]));
            apart = larger(apart, (uint8_t)abs(a[x] - b[x]));
        }
    *most = high;
    *difference = apart;
}

static bool is_luma_quiet(const struct quiet_pictures *self, const struct bounds *bounds,
                          uint32_t x, uint32_t y)
{
    const uint32_t width = self->width - x < PLANES_TILE ? self->width - x : PLANES_TILE;
    uint8_t most = 0, apart = 0;
    for (uint32_t row = y; row < y + PLANES_TILE && row < self->height; row++) {
        scan_row(self->a[0] + row * self->stride_a[0] + x, self->b[0] + row * self->stride_b[0] + x,
                 width, &most, &apart);
        if (row % 8 == 7 && (most >= bounds->luma || apart > bounds->free_luma))
            return false;
    }
    return most < bounds->luma && apart <= bounds->free_luma;
}

/* With the samples beside the tile, which enter its outermost pixels. */
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
    for (uint32_t row = top; row < bottom; row++) {
        const uint8_t *a = self->a[plane] + row * self->stride_a[plane];
        const uint8_t *b = self->b[plane] + row * self->stride_b[plane];
        if (memcmp(a + left, b + left, right - left) != 0)
            return false;
        uint8_t far = 0;
        for (uint32_t i = left; i < right; i++)
            far = larger(far, (uint8_t)abs(a[i] - GREY));
        if (far > CHROMA_NEAR)
            return false;
    }
    return true;
}

bool quiet_find_needed(const struct quiet_pictures *self, double lit, double free, uint8_t *needed)
{
    struct bounds bounds;
    if (!find_bounds(self->full, lit, free, &bounds))
        return false;
    const uint32_t columns = (self->width + PLANES_TILE - 1) / PLANES_TILE;
    const uint32_t rows = (self->height + PLANES_TILE - 1) / PLANES_TILE;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            const uint32_t x = column * PLANES_TILE, y = row * PLANES_TILE;
            needed[(size_t)row * columns + column] =
                !(is_luma_quiet(self, &bounds, x, y) && is_chroma_quiet(self, 1, x, y) &&
                  is_chroma_quiet(self, 2, x, y));
        }
    return true;
}
