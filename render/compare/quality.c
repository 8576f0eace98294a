#include "render/compare/quality.h"

#include "base/functions/fn.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

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
