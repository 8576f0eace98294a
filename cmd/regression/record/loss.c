#include "cmd/regression/record/loss.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "cmd/regression/record/luma.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    BLOCK = 4, /* four of them are a window of SSIM */
    LIT = 4,   /* codes of 255 above black */
};

/* One component to compare: the picture's samples in codes of its own bits, the decoded ones in
 * codes of `bits`. */
struct pair {
    const struct picture_layout *layout;
    const uint8_t *data;
    const struct decoded *decoded;
    int component;
    uint32_t width, height, given, bits;
};

static uint32_t code_at(const uint8_t *row, uint32_t index, bool deep)
{
    uint16_t code;
    if (!deep)
        return row[index];
    memcpy(&code, row + 2 * (size_t)index, sizeof code);
    return code;
}

/* Returns a sample composited on black, as the picture is read back. */
static uint32_t shown_at(const uint8_t *row, uint32_t index, enum picture_format format)
{
    const bool deep = picture_format_bits(format) > 8;
    const uint32_t code = code_at(row, index, deep), widen = deep ? 1 : 257;
    if (picture_format_alpha(format) != ALPHA_STRAIGHT)
        return code;
    return picture_on_black(code * widen, code_at(row, index | 3, deep) * widen) / widen;
}

/* Returns luma, blue or red of a pixel of 16-bit or 8-bit RGB. */
static uint32_t of_rgb(int component, uint32_t red, uint32_t green, uint32_t blue)
{
    return component == 0 ? luma_of(red, green, blue) : component == 1 ? blue : red;
}

/* Gets row y of the picture. */
static void given_row(const struct pair *pair, uint32_t y, uint32_t *out)
{
    const struct picture_layout *layout = pair->layout;
    const bool rgb = picture_format_is_rgb(layout->format), deep = pair->given > 8;
    const bool woven = layout->format == PICTURE_NV12 && pair->component > 0;
    const int plane = rgb ? 0 : woven ? 1 : pair->component;
    const uint8_t *row =
        pair->data + layout->plane[plane].offset + (size_t)y * layout->plane[plane].stride;
    for (uint32_t x = 0; x < pair->width; x++)
        out[x] = rgb     ? of_rgb(pair->component, shown_at(row, 4 * x, layout->format),
                                  shown_at(row, 4 * x + 1, layout->format),
                                  shown_at(row, 4 * x + 2, layout->format))
                 : woven ? row[2 * x + (uint32_t)pair->component - 1]
                         : code_at(row, x, deep);
    for (uint32_t x = 0; x < pair->width; x++)
        out[x] <<= pair->bits - pair->given;
}

static void decoded_row(const struct pair *pair, uint32_t y, uint32_t *out)
{
    const bool rgb = picture_format_is_rgb(pair->layout->format);
    const struct decoded_component *from = &pair->decoded->component[rgb ? 0 : pair->component];
    const uint16_t *row = from->samples + (rgb ? 3 : 1) * (size_t)y * from->width;
    const uint32_t narrow = picture_format_bits(pair->layout->format) == 8 ? 257 : 1;
    for (uint32_t x = 0; x < pair->width; x++)
        out[x] = rgb ? of_rgb(pair->component, row[3 * x] / narrow, row[3 * x + 1] / narrow,
                              row[3 * x + 2] / narrow)
                     : row[x];
}

/* Returns false if the decoded picture is smaller, has another chroma size or fewer bits. */
static bool pair_open(struct pair *pair, const struct picture_layout *layout, const uint8_t *data,
                      const struct decoded *decoded, int component)
{
    const bool rgb = picture_format_is_rgb(layout->format);
    const uint32_t shift = component > 0 && picture_format_subsampled(layout->format) ? 1 : 0;
    const struct decoded_component *from = &decoded->component[rgb ? 0 : component],
                                   *luma = &decoded->component[0];
    const uint32_t given = picture_format_bits(layout->format);
    *pair = (struct pair){.layout = layout,
                          .data = data,
                          .decoded = decoded,
                          .component = component,
                          .width = (layout->width + shift) >> shift,
                          .height = (layout->height + shift) >> shift,
                          .given = given,
                          .bits = rgb ? given : decoded->bits};
    return from->samples && luma->samples && pair->bits >= given && pair->bits <= 16 &&
           from->width >= pair->width && from->height >= pair->height &&
           from->width == (luma->width + shift) >> shift;
}

static double psnr(const struct pair *pair)
{
    const double most = fn_exp2(pair->bits) - 1;
    uint32_t *a = memory_new(2 * (size_t)pair->width, sizeof *a), *b = a + pair->width;
    double squares = 0;
    for (uint32_t y = 0; y < pair->height; y++) {
        given_row(pair, y, a);
        decoded_row(pair, y, b);
        for (uint32_t x = 0; x < pair->width; x++) {
            const double difference = (double)a[x] - b[x];
            squares += difference * difference;
        }
    }
    free(a);
    const double mean = squares / ((double)pair->width * pair->height);
    return squares == 0 ? INFINITY : 10 * fn_log10(most * most / mean);
}

/* Returns the mean signed difference over the pixels that are lit in the picture. Correct encoding
 * changes pixels in both directions, so that the mean stays small. */
static double bias(const struct pair *pair)
{
    const double unit = fn_exp2(pair->bits - 8),
                 black = picture_format_is_rgb(pair->layout->format) ? 0 : 16;
    uint32_t *a = memory_new(2 * (size_t)pair->width, sizeof *a), *b = a + pair->width;
    double sum = 0, lit = 0;
    for (uint32_t y = 0; y < pair->height; y++) {
        given_row(pair, y, a);
        decoded_row(pair, y, b);
        for (uint32_t x = 0; x < pair->width; x++) {
            if (!(a[x] > (black + LIT) * unit))
                continue;
            sum += (double)b[x] - a[x];
            lit++;
        }
    }
    free(a);
    return lit > 0 ? sum / lit / unit : 0;
}

/* ---- SSIM ---- */

/* Sums over a block, in codes of 255. */
struct block {
    double a, b, squares, product;
};

static void sum_row(struct block *blocks, uint32_t columns, const uint32_t *a, const uint32_t *b,
                    double scale)
{
    for (uint32_t x = 0; x < columns * BLOCK; x++) {
        struct block *block = &blocks[x / BLOCK];
        const double p = a[x] * scale, q = b[x] * scale;
        block->a += p;
        block->b += q;
        block->squares += p * p + q * q;
        block->product += p * q;
    }
}

/* Wang, Bovik, Sheikh and Simoncelli (2004), K1 = 0.01, K2 = 0.03. */
static double window(const struct block *upper, const struct block *lower)
{
    const double n = 4 * BLOCK * BLOCK, c1 = 0.01 * 255 * 0.01 * 255, c2 = 0.03 * 255 * 0.03 * 255;
    const double a = (upper[0].a + upper[1].a + lower[0].a + lower[1].a) / n;
    const double b = (upper[0].b + upper[1].b + lower[0].b + lower[1].b) / n;
    const double squares =
        (upper[0].squares + upper[1].squares + lower[0].squares + lower[1].squares) / n;
    const double product =
        (upper[0].product + upper[1].product + lower[0].product + lower[1].product) / n;
    return (2 * a * b + c1) * (2 * (product - a * b) + c2) /
           ((a * a + b * b + c1) * (squares - a * a - b * b + c2));
}

/* Returns the SSIM of the worst window of 8 x 8 pixels, at steps of 4 pixels; 1 if none fits. */
static double worst_ssim(const struct pair *pair)
{
    const uint32_t columns = pair->width / BLOCK, rows = pair->height / BLOCK;
    const double scale = 1 / fn_exp2(pair->bits - 8);
    double worst = 1;
    if (columns < 2 || rows < 2)
        return worst;
    uint32_t *a = memory_new(2 * (size_t)pair->width, sizeof *a), *b = a + pair->width;
    struct block *blocks = memory_new(2 * (size_t)columns, sizeof *blocks);
    for (uint32_t y = 0; y < rows * BLOCK; y++) {
        struct block *lower = blocks + (y / BLOCK % 2 ? columns : 0),
                     *upper = blocks + (y / BLOCK % 2 ? 0 : columns);
        if (y % BLOCK == 0)
            memset(lower, 0, columns * sizeof *lower);
        given_row(pair, y, a);
        decoded_row(pair, y, b);
        sum_row(lower, columns, a, b, scale);
        for (uint32_t x = 0; y % BLOCK == BLOCK - 1 && y >= BLOCK && x + 1 < columns; x++)
            worst = fmin(worst, window(upper + x, lower + x));
    }
    free(blocks);
    free(a);
    return worst;
}

void loss_measure(const struct picture_layout *layout, const uint8_t *data,
                  const struct decoded *decoded, struct frame_record *frame)
{
    double *const into[3] = {&frame->psnr_y, &frame->psnr_cb, &frame->psnr_cr};
    struct pair pair;
    frame->ssim = frame->bias = NAN;
    for (int c = 0; c < 3; c++)
        *into[c] = pair_open(&pair, layout, data, decoded, c) ? psnr(&pair) : NAN;
    if (!pair_open(&pair, layout, data, decoded, 0))
        return;
    frame->ssim = isinf(frame->psnr_y) ? 1 : worst_ssim(&pair);
    frame->bias = isinf(frame->psnr_y) ? 0 : bias(&pair);
}

bool loss_luma(const struct picture_layout *layout, const uint8_t *data,
               const struct decoded *decoded, uint8_t *given, uint8_t *shown)
{
    struct pair pair;
    if (!pair_open(&pair, layout, data, decoded, 0))
        return false;
    uint32_t *a = memory_new(2 * (size_t)pair.width, sizeof *a), *b = a + pair.width;
    for (uint32_t y = 0; y < pair.height; y++) {
        given_row(&pair, y, a);
        decoded_row(&pair, y, b);
        for (uint32_t x = 0; x < pair.width; x++) {
            *given++ = (uint8_t)(a[x] >> (pair.bits - 8));
            *shown++ = (uint8_t)(b[x] >> (pair.bits - 8));
        }
    }
    free(a);
    return true;
}
