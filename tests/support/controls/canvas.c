#include "tests/support/controls/canvas.h"

#include "base/random.h"
#include "tests/support/controls/samples.h"

#include <stdlib.h>
#include <string.h>

static bool is_rgb(const struct picture *picture)
{
    return picture_format_is_rgb(picture->layout.format);
}

static uint32_t chroma_shift(const struct picture *picture)
{
    return picture_format_halves_height(picture->layout.format) ? 1 : 0;
}

static void read_pixel(const struct picture *picture, uint32_t x, uint32_t y, float rgb[3])
{
    double found[3];
    samples_rgb(picture, x, y, found);
    for (int k = 0; k < 3; k++)
        rgb[k] = (float)fmin(fmax(found[k], 0), 1);
}

enum status canvas_open(struct canvas *canvas, const struct picture *picture)
{
    const uint32_t width = picture->layout.width, height = picture->layout.height;
    const size_t bytes = (size_t)width * height * 3 * sizeof(float);
    *canvas = (struct canvas){.width = width, .height = height, .frame = picture->frame};
    canvas->rgb = malloc(2 * bytes);
    if (!canvas->rgb)
        return status_fail(STATUS_RUNTIME, "no memory for a picture to paint on: %zu bytes",
                           2 * bytes);
    canvas->before = canvas->rgb + bytes / sizeof(float);
    for (uint32_t y = 0; y < height; y++)
        for (uint32_t x = 0; x < width; x++)
            read_pixel(picture, x, y, canvas_at(canvas, x, y));
    memcpy(canvas->before, canvas->rgb, bytes);
    return STATUS_OK;
}

/* Returns uniform noise in [0, 1) that depends only on the frame and the sample. */
static double noise(const struct canvas *canvas, int p, uint32_t x, uint32_t y)
{
    const uint64_t sample =
        canvas->frame * SPLITMIX_STEP + ((uint64_t)p << 60) + ((uint64_t)y << 30) + x;
    return (double)(splitmix64(sample) >> 11) * 0x1p-53;
}

static void add(const struct canvas *canvas, struct picture *picture, int p, uint32_t x, uint32_t y,
                double codes)
{
    /* Ignore the rounding error of the conversion to floats and back. */
    if (fabs(codes) < 1e-3)
        return;
    samples_set(picture, p, x, y,
                floor(samples_get(picture, p, x, y) + codes + noise(canvas, p, x, y)));
}

/* Computes the mean change of colour over the pixels that share a sample. */
static void mean_change(const struct canvas *canvas, uint32_t x, uint32_t y, uint32_t side,
                        double change[3])
{
    uint32_t pixels = 0;
    memset(change, 0, 3 * sizeof *change);
    for (uint32_t v = y * side; v < (y + 1) * side && v < canvas->height; v++)
        for (uint32_t u = x * side; u < (x + 1) * side && u < canvas->width; u++, pixels++)
            for (int k = 0; k < 3; k++)
                change[k] +=
                    (double)canvas_at(canvas, u, v)[k] - (double)canvas_was(canvas, u, v)[k];
    for (int k = 0; k < 3; k++)
        change[k] /= pixels;
}

/* Converts a change of colour to codes of a plane. */
static double codes_of(const struct picture *picture, int p, const double change[3])
{
    const double luma = 0.2126 * change[0] + 0.7152 * change[1] + 0.0722 * change[2];
    if (is_rgb(picture))
        return 255 * change[p];
    return p == 0   ? 219 * luma
           : p == 1 ? 224 * (change[2] - luma) / 1.8556
                    : 224 * (change[0] - luma) / 1.5748;
}

void canvas_write(const struct canvas *canvas, struct picture *picture)
{
    const double scale = samples_scale(picture);
    for (int p = 0; p < SAMPLES_PLANES; p++) {
        const uint32_t side = p && !is_rgb(picture) ? 1u << chroma_shift(picture) : 1;
        for (uint32_t y = 0; y < samples_rows(picture, p); y++)
            for (uint32_t x = 0; x < samples_columns(picture, p); x++) {
                double change[3];
                mean_change(canvas, x, y, side, change);
                add(canvas, picture, p, x, y, scale * codes_of(picture, p, change));
            }
    }
}

void canvas_fullest(const struct canvas *canvas, uint32_t side, float (*measure)(const float *),
                    uint32_t at[2])
{
    double most = -1;
    for (uint32_t y = 0; y == 0 || y + side <= canvas->height; y += side)
        for (uint32_t x = 0; x == 0 || x + side <= canvas->width; x += side) {
            double sum = 0;
            for (uint32_t v = y; v < y + side && v < canvas->height; v++)
                for (uint32_t u = x; u < x + side && u < canvas->width; u++)
                    sum += (double)measure(canvas_was(canvas, u, v));
            if (sum > most) {
                most = sum;
                at[0] = x, at[1] = y;
            }
        }
}

void canvas_close(struct canvas *canvas)
{
    free(canvas->rgb);
    *canvas = (struct canvas){0};
}
