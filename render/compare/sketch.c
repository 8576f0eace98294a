#include "render/compare/sketch.h"

#include "base/functions/fn.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* One source for every processor, compiled again with wider vectors where available. */
#define INLINE static inline __attribute__((always_inline))

struct sums {
    int32_t sum[SKETCH_SUMS];
};

/* A hash for 64 columns of a row: the index of their sums, and in the highest bit the sign. */
INLINE uint32_t mix(uint32_t row, uint32_t group)
{
    uint32_t h = row * 0x9e3779b1u ^ (group + 1) * 0x85ebca77u;
    h = (h ^ h >> 15) * 0x2c1b3c6du;
    h = (h ^ h >> 12) * 0x297a2d39u;
    return h ^ h >> 15;
}

INLINE void add(struct sums *sums, uint32_t row, uint32_t group, const uint8_t *restrict luma,
                uint32_t count)
{
    const uint32_t bits = mix(row, group);
    int32_t *restrict to = sums->sum + (bits % SKETCH_PARTS) * SKETCH_LANES;
    const int32_t sign = bits >> 31 ? -1 : 1;
    if (count == SKETCH_LANES)
        for (uint32_t i = 0; i < SKETCH_LANES; i++)
            to[i] += sign * luma[i];
    else
        for (uint32_t i = 0; i < count; i++)
            to[i] += sign * luma[i];
}

INLINE void add_row(struct sums *sums, uint32_t row, const uint8_t *luma, uint32_t width)
{
    for (uint32_t x = 0; x < width; x += SKETCH_LANES)
        add(sums, row, x / SKETCH_LANES, luma + x,
            width - x < SKETCH_LANES ? width - x : SKETCH_LANES);
}

static void finish(struct sketch *sketch, const struct sums *sums)
{
    for (int i = 0; i < SKETCH_SUMS; i++)
        sketch->sum[i] = (float)sums->sum[i];
}

INLINE void add_rows(struct sums *sums, const uint8_t *luma, ptrdiff_t stride, uint32_t width,
                     uint32_t height)
{
    for (uint32_t y = 0; y < height; y += 2)
        add_row(sums, y, luma + (ptrdiff_t)y * stride, width);
}

#if defined __x86_64__

__attribute__((target("avx2"))) static void add_rows_wide(struct sums *sums, const uint8_t *luma,
                                                          ptrdiff_t stride, uint32_t width,
                                                          uint32_t height)
{
    add_rows(sums, luma, stride, width, height);
}

static bool is_wide(void)
{
    return __builtin_cpu_supports("avx2");
}

#else

#define add_rows_wide add_rows
static bool is_wide(void)
{
    return false;
}

#endif

void sketch_bytes(struct sketch *sketch, const uint8_t *luma, ptrdiff_t stride, uint32_t width,
                  uint32_t height)
{
    struct sums sums;
    memset(&sums, 0, sizeof sums);
    if (is_wide())
        add_rows_wide(&sums, luma, stride, width, height);
    else
        add_rows(&sums, luma, stride, width, height);
    finish(sketch, &sums);
}

void sketch_planes(struct sketch *sketch, const struct planes *planes)
{
    struct sums sums;
    memset(&sums, 0, sizeof sums);
    for (uint32_t y = 0; y < planes->height; y += 2)
        for (uint32_t x = 0; x < planes->width; x += SKETCH_LANES) {
            const uint32_t count =
                planes->width - x < SKETCH_LANES ? planes->width - x : SKETCH_LANES;
            const size_t at = y * planes->stride + x;
            uint8_t luma[SKETCH_LANES];
            for (uint32_t i = 0; i < count; i++)
                luma[i] = (uint8_t)((54u * planes->channel[0][at + i] +
                                     183u * planes->channel[1][at + i] +
                                     19u * planes->channel[2][at + i]) >>
                                    16);
            add(&sums, y, x / SKETCH_LANES, luma, count);
        }
    finish(sketch, &sums);
}

double sketch_distance(const struct sketch *a, const struct sketch *b)
{
    double sum = 0;
    for (int i = 0; i < SKETCH_SUMS; i++) {
        const float d = a->sum[i] - b->sum[i];
        sum += (double)(d * d);
    }
    return sum;
}

/* ---- quality ---- */

/* Sums over 4 x 4 pixels. */
struct block {
    int32_t a, b, squares, product;
};

static void sum_blocks(const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b, ptrdiff_t stride_b,
                       uint32_t count, struct block *blocks)
{
    for (uint32_t i = 0; i < count; i++) {
        struct block block = {0};
        for (ptrdiff_t y = 0; y < 4; y++)
            for (ptrdiff_t x = 4 * (ptrdiff_t)i; x < 4 * (ptrdiff_t)i + 4; x++) {
                const int32_t p = a[y * stride_a + x], q = b[y * stride_b + x];
                block.a += p;
                block.b += q;
                block.squares += p * p + q * q;
                block.product += p * q;
            }
        blocks[i] = block;
    }
}

/* Uses the constants and the rounding of FFmpeg's filter. */
static float window(const struct block *upper, const struct block *lower)
{
    const int32_t c1 = (int32_t)(.01 * .01 * 255 * 255 * 64 + .5);
    const int32_t c2 = (int32_t)(.03 * .03 * 255 * 255 * 64 * 63 + .5);
    const int32_t a = upper[0].a + upper[1].a + lower[0].a + lower[1].a;
    const int32_t b = upper[0].b + upper[1].b + lower[0].b + lower[1].b;
    const int32_t squares =
        upper[0].squares + upper[1].squares + lower[0].squares + lower[1].squares;
    const int32_t product =
        upper[0].product + upper[1].product + lower[0].product + lower[1].product;
    const int32_t variances = squares * 64 - a * a - b * b, covariance = product * 64 - a * b;
    return (float)(2 * a * b + c1) * (float)(2 * covariance + c2) /
           ((float)(a * a + b * b + c1) * (float)(variances + c2));
}

void quality_measure(const uint8_t *a, ptrdiff_t stride_a, const uint8_t *b, ptrdiff_t stride_b,
                     uint32_t width, uint32_t height, struct quality *quality)
{
    uint64_t error = 0;
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *in_a = a + (ptrdiff_t)y * stride_a, *in_b = b + (ptrdiff_t)y * stride_b;
        uint32_t row = 0;
        for (uint32_t x = 0; x < width; x++)
            row += (uint32_t)((in_a[x] - in_b[x]) * (in_a[x] - in_b[x]));
        error += row;
    }
    const uint32_t columns = width / 4, rows = height / 4;
    *quality = (struct quality){(double)error / ((double)width * height), 1};
    if (columns < 2 || rows < 2)
        return;
    struct block *line[2] = {memory_new(columns, sizeof *line[0]),
                             memory_new(columns, sizeof *line[1])};
    double sum = 0;
    for (uint32_t y = 0; y < rows; y++) {
        const ptrdiff_t at = 4 * (ptrdiff_t)y;
        sum_blocks(a + at * stride_a, stride_a, b + at * stride_b, stride_b, columns, line[y % 2]);
        for (uint32_t x = 0; x + 1 < columns && y > 0; x++)
            sum += (double)window(line[(y + 1) % 2] + x, line[y % 2] + x);
    }
    free(line[0]);
    free(line[1]);
    quality->ssim = sum / ((double)(columns - 1) * (rows - 1));
}

double quality_psnr(double error)
{
    return error > 0 ? 10 * fn_log10(255.0 * 255.0 / error) : INFINITY;
}
