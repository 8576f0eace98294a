#include "tests/support/controls/samples.h"

#include <math.h>
#include <string.h>

/* Where the samples of one component lie: plane, distance between samples, index of the first. */
struct lie {
    int plane;
    uint32_t apart, from;
};

static struct lie lie_of(const struct picture *picture, int plane)
{
    if (picture_format_is_rgb(picture->layout.format))
        return (struct lie){0, 4, (uint32_t)plane};
    if (picture->layout.format == PICTURE_NV12 && plane > 0)
        return (struct lie){1, 2, (uint32_t)plane - 1};
    return (struct lie){plane, 1, 0};
}

static uint32_t bytes_of(const struct picture *picture)
{
    return picture_format_bits(picture->layout.format) > 8 ? 2 : 1;
}

uint32_t samples_columns(const struct picture *picture, int plane)
{
    const struct lie lie = lie_of(picture, plane);
    return picture->layout.plane[lie.plane].bytes / bytes_of(picture) / lie.apart;
}

uint32_t samples_rows(const struct picture *picture, int plane)
{
    return picture->layout.plane[lie_of(picture, plane).plane].rows;
}

double samples_scale(const struct picture *picture)
{
    const uint32_t bits = picture_format_bits(picture->layout.format);
    return bits == 16 ? 257 : (double)(1u << (bits - 8));
}

static uint8_t *place(const struct picture *picture, int plane, uint32_t x, uint32_t y)
{
    const struct lie lie = lie_of(picture, plane);
    return picture->data + picture->layout.plane[lie.plane].offset +
           (size_t)y * picture->layout.plane[lie.plane].stride +
           (size_t)(x * lie.apart + lie.from) * bytes_of(picture);
}

double samples_get(const struct picture *picture, int plane, uint32_t x, uint32_t y)
{
    const uint8_t *at = place(picture, plane, x, y);
    uint16_t wide;
    if (bytes_of(picture) == 1)
        return *at;
    memcpy(&wide, at, sizeof wide);
    return wide;
}

void samples_set(struct picture *picture, int plane, uint32_t x, uint32_t y, double code)
{
    uint8_t *at = place(picture, plane, x, y);
    const double top = (double)((1u << picture_format_bits(picture->layout.format)) - 1);
    const uint16_t wide = (uint16_t)fmin(fmax(floor(code + 0.5), 0), top);
    if (bytes_of(picture) == 1)
        *at = (uint8_t)wide;
    else
        memcpy(at, &wide, sizeof wide);
}

void samples_rgb(const struct picture *picture, uint32_t x, uint32_t y, double rgb[3])
{
    const double scale = samples_scale(picture);
    const bool is_rgb = picture_format_is_rgb(picture->layout.format);
    const uint32_t shift = picture_format_halves_height(picture->layout.format) ? 1 : 0;
    double code[SAMPLES_PLANES];
    for (int p = 0; p < SAMPLES_PLANES; p++)
        code[p] = samples_get(picture, p, p ? x >> shift : x, p ? y >> shift : y) / scale;
    for (int k = 0; k < 3; k++)
        rgb[k] = code[k] / 255;
    if (is_rgb)
        return;
    const double luma = (code[0] - 16) / 219;
    rgb[0] = luma + 1.5748 * (code[2] - 128) / 224;
    rgb[2] = luma + 1.8556 * (code[1] - 128) / 224;
    rgb[1] = (luma - 0.2126 * rgb[0] - 0.0722 * rgb[2]) / 0.7152;
}
