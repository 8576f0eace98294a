#include "cmd/regression/record/luma.h"

#include "base/functions/fn.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { CODES = 1 << 16 };

static const double power = 2.2;

/* The weights are in 65536ths. */
uint32_t luma_of(uint32_t red, uint32_t green, uint32_t blue)
{
    return (uint32_t)((13933ull * red + 46871ull * green + 4732ull * blue + 32768) >> 16);
}

/* Converts a row of plane 0 to luma codes with the format's number of bits. */
static void read_row(enum picture_format format, const uint8_t *row, uint32_t width, uint16_t *out)
{
    const uint16_t *wide = (const uint16_t *)(const void *)row;
    const bool deep = picture_format_bits(format) > 8;
    if (!picture_format_is_rgb(format) && deep)
        memcpy(out, row, width * sizeof *out);
    else if (!picture_format_is_rgb(format))
        for (uint32_t x = 0; x < width; x++)
            out[x] = row[x];
    else if (deep)
        for (uint32_t x = 0; x < width; x++)
            out[x] = (uint16_t)luma_of(wide[4 * x], wide[4 * x + 1], wide[4 * x + 2]);
    else
        for (uint32_t x = 0; x < width; x++)
            out[x] = (uint16_t)luma_of(row[4 * x], row[4 * x + 1], row[4 * x + 2]);
}

/* Converts a row to luma for a picture whose colours still have to be multiplied by alpha:
 * composited on black. */
static void put_on_black(const struct picture *picture, uint32_t y, uint16_t *luma)
{
    const struct picture_layout *layout = &picture->layout;
    const bool rgb = picture_format_is_rgb(layout->format),
               deep = picture_format_bits(layout->format) > 8;
    const int plane = rgb ? 0 : 3;
    const uint8_t *row =
        picture->data + layout->plane[plane].offset + (size_t)y * layout->plane[plane].stride;
    const uint16_t *wide = (const uint16_t *)(const void *)row;
    const uint32_t top = (1u << picture_format_bits(layout->format)) - 1;
    const uint32_t black = rgb ? 0 : (top + 1) / 16;
    if (picture_format_alpha(layout->format) != ALPHA_STRAIGHT)
        return;
    for (uint32_t x = 0; x < layout->width; x++) {
        const uint32_t at = rgb ? 4 * x + 3 : x, alpha = deep ? wide[at] : row[at];
        const uint32_t above = luma[x] > black ? luma[x] - black : 0;
        luma[x] = (uint16_t)(black + (above * alpha + top / 2) / top);
    }
}

/* Returns the brightness of a code, 0 .. 1; Y'CbCr has limited range. */
static double brightness(enum picture_format format, double code)
{
    const double bits = picture_format_bits(format), unit = fn_exp2(bits - 8);
    const double value = picture_format_is_rgb(format) ? code / (fn_exp2(bits) - 1)
                                                       : (code - 16 * unit) / (219 * unit);
    return fmin(fmax(value, 0), 1);
}

static void hash_picture(const struct picture *picture, char out[HASH_TEXT])
{
    const struct picture_layout *layout = &picture->layout;
    size_t rows = 0;
    for (int p = 0; p < layout->planes; p++)
        rows += layout->plane[p].rows;
    struct hash_part *parts = memory_new(rows, sizeof *parts), *part = parts;
    for (int p = 0; p < layout->planes; p++)
        for (uint32_t y = 0; y < layout->plane[p].rows; y++)
            *part++ = (struct hash_part){picture->data + layout->plane[p].offset +
                                             (size_t)y * layout->plane[p].stride,
                                         layout->plane[p].bytes};
    hash_parts(parts, rows, out);
    free(parts);
}

struct measure {
    uint32_t count[CODES]; /* number of pixels with each code */
    uint64_t sum[RECORD_THUMBNAIL_HEIGHT][RECORD_THUMBNAIL_WIDTH];
    uint64_t pixels[RECORD_THUMBNAIL_HEIGHT][RECORD_THUMBNAIL_WIDTH];
};

static void add_row(struct measure *measure, const uint16_t *luma, uint32_t width, uint64_t block)
{
    for (uint32_t x = 0; x < width;) {
        const uint32_t column = (uint32_t)((uint64_t)x * RECORD_THUMBNAIL_WIDTH / width);
        const uint32_t from = x;
        uint64_t sum = 0;
        for (; x < width && (uint64_t)x * RECORD_THUMBNAIL_WIDTH / width == column; x++) {
            measure->count[luma[x]]++;
            sum += luma[x];
        }
        measure->sum[block][column] += sum;
        measure->pixels[block][column] += x - from;
    }
}

static double mean_light(const struct measure *measure, enum picture_format format, double pixels)
{
    double light = 0;
    for (uint32_t code = 0; code < CODES; code++)
        if (measure->count[code] > 0)
            light += measure->count[code] * fn_pow(brightness(format, code), power);
    return light / pixels;
}

static void measure_picture(const struct picture *picture, struct frame_record *frame)
{
    const struct picture_layout *layout = &picture->layout;
    struct measure *measure = memory_new(1, sizeof *measure);
    uint16_t *row = memory_new(layout->width, sizeof *row);
    for (uint32_t y = 0; y < layout->height; y++) {
        read_row(layout->format, picture->data + (size_t)y * layout->plane[0].stride, layout->width,
                 row);
        put_on_black(picture, y, row);
        add_row(measure, row, layout->width,
                (uint64_t)y * RECORD_THUMBNAIL_HEIGHT / layout->height);
    }
    frame->picture_light =
        mean_light(measure, layout->format, (double)layout->width * layout->height);
    for (int y = 0; y < RECORD_THUMBNAIL_HEIGHT; y++)
        for (int x = 0; x < RECORD_THUMBNAIL_WIDTH; x++) {
            const double pixels = (double)measure->pixels[y][x];
            const double mean = pixels > 0 ? (double)measure->sum[y][x] / pixels : 0;
            frame->thumbnail[y][x] = (uint8_t)lround(255 * brightness(layout->format, mean));
        }
    free(measure);
    free(row);
}

void luma_measure(const struct picture *picture, const struct frame_record *known,
                  struct frame_record *frame)
{
    hash_picture(picture, frame->picture);
    if (known && strcmp(known->picture, frame->picture) == 0) {
        frame->picture_light = known->picture_light;
        memcpy(frame->thumbnail, known->thumbnail, sizeof frame->thumbnail);
    } else {
        measure_picture(picture, frame);
    }
}
