#include "cmd/regression/record/readback.h"

#include "base/functions/fn.h"
#include "base/memory.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* ---- luma ---- */

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

/* The luma of a picture as drawn, on black. */
struct drawn {
    const struct picture *picture;
    uint32_t count[CODES]; /* number of pixels with each code */
    uint64_t sum[RECORD_THUMBNAIL_HEIGHT][RECORD_THUMBNAIL_WIDTH];
    uint64_t pixels[RECORD_THUMBNAIL_HEIGHT][RECORD_THUMBNAIL_WIDTH];
};

static void add_row(struct drawn *drawn, const uint16_t *luma, uint32_t width, uint64_t block)
{
    for (uint32_t x = 0; x < width;) {
        const uint32_t column = (uint32_t)((uint64_t)x * RECORD_THUMBNAIL_WIDTH / width);
        const uint32_t from = x;
        uint64_t sum = 0;
        for (; x < width && (uint64_t)x * RECORD_THUMBNAIL_WIDTH / width == column; x++) {
            drawn->count[luma[x]]++;
            sum += luma[x];
        }
        drawn->sum[block][column] += sum;
        drawn->pixels[block][column] += x - from;
    }
}

static double mean_light(const struct drawn *drawn)
{
    const struct picture_layout *layout = &drawn->picture->layout;
    double light = 0;
    for (uint32_t code = 0; code < CODES; code++)
        if (drawn->count[code] > 0)
            light += drawn->count[code] * fn_pow(brightness(layout->format, code), power);
    return light / ((double)layout->width * layout->height);
}

static double *value_at(struct frame_record *frame, size_t offset)
{
    return (double *)(void *)((char *)frame + offset);
}

static void copy_value(struct frame_record *to, const struct frame_record *from, size_t offset)
{
    memcpy(value_at(to, offset), (const char *)from + offset, sizeof(double));
}

/* The rows DRAWN of measures.def. */
static const struct {
    size_t offset;
    double (*of)(const struct drawn *drawn);
} drawn_values[] = {
#define HASH(name, doc)
#define REAL(name, doc)
#define REALS(name, count, doc)
#define WHOLE(name, doc)
#define FLAG(name, doc)
#define DRAWN(name, function, doc) {offsetof(struct frame_record, name), function},
#include "cmd/regression/record/measures.def"
};

enum { DRAWN_VALUES = sizeof drawn_values / sizeof *drawn_values };

static void measure_picture(const struct picture *picture, struct frame_record *frame)
{
    const struct picture_layout *layout = &picture->layout;
    struct drawn *drawn = memory_new(1, sizeof *drawn);
    drawn->picture = picture;
    uint16_t *row = memory_new(layout->width, sizeof *row);
    for (uint32_t y = 0; y < layout->height; y++) {
        read_row(layout->format, picture->data + (size_t)y * layout->plane[0].stride, layout->width,
                 row);
        put_on_black(picture, y, row);
        add_row(drawn, row, layout->width, (uint64_t)y * RECORD_THUMBNAIL_HEIGHT / layout->height);
    }
    for (size_t i = 0; i < DRAWN_VALUES; i++)
        *value_at(frame, drawn_values[i].offset) = drawn_values[i].of(drawn);
    for (int y = 0; y < RECORD_THUMBNAIL_HEIGHT; y++)
        for (int x = 0; x < RECORD_THUMBNAIL_WIDTH; x++) {
            const double pixels = (double)drawn->pixels[y][x];
            const double mean = pixels > 0 ? (double)drawn->sum[y][x] / pixels : 0;
            frame->thumbnail[y][x] = (uint8_t)lround(255 * brightness(layout->format, mean));
        }
    free(drawn);
    free(row);
}

void luma_measure(const struct picture *picture, const struct frame_record *known,
                  struct frame_record *frame)
{
    hash_picture(picture, frame->picture);
    if (known && strcmp(known->picture, frame->picture) == 0) {
        for (size_t i = 0; i < DRAWN_VALUES; i++)
            copy_value(frame, known, drawn_values[i].offset);
        memcpy(frame->thumbnail, known->thumbnail, sizeof frame->thumbnail);
    } else {
        measure_picture(picture, frame);
    }
}

void drawn_record(const struct picture *picture, const struct frame_record *known,
                  struct frame_record *frame)
{
    memcpy(frame->light, picture->light.hash, sizeof frame->light);
    memcpy(frame->light_sum, picture->light.sum, sizeof frame->light_sum);
    frame->light_broken = picture->light.broken;
    luma_measure(picture, known, frame);
}

/* ---- loss ---- */

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
    double squares; /* sum of the squared differences; 0: equal */
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
    const bool chroma = component > 0;
    const uint32_t across = chroma && picture_format_halves_width(layout->format),
                   down = chroma && picture_format_halves_height(layout->format);
    const struct decoded_component *from = &decoded->component[rgb ? 0 : component],
                                   *luma = &decoded->component[0];
    const uint32_t given = picture_format_bits(layout->format);
    *pair = (struct pair){.layout = layout,
                          .data = data,
                          .decoded = decoded,
                          .component = component,
                          .width = (layout->width + across) >> across,
                          .height = (layout->height + down) >> down,
                          .given = given,
                          .bits = rgb ? given : decoded->bits};
    return from->samples && luma->samples && pair->bits >= given && pair->bits <= 16 &&
           from->width >= pair->width && from->height >= pair->height &&
           from->width == (luma->width + across) >> across &&
           from->height == (luma->height + down) >> down;
}

static void add_squares(struct pair *pair)
{
    uint32_t *a = memory_new(2 * (size_t)pair->width, sizeof *a), *b = a + pair->width;
    for (uint32_t y = 0; y < pair->height; y++) {
        given_row(pair, y, a);
        decoded_row(pair, y, b);
        for (uint32_t x = 0; x < pair->width; x++) {
            const double difference = (double)a[x] - b[x];
            pair->squares += difference * difference;
        }
    }
    free(a);
}

static double psnr(const struct pair *pair)
{
    const double most = fn_exp2(pair->bits) - 1,
                 mean = pair->squares / ((double)pair->width * pair->height);
    return pair->squares == 0 ? INFINITY : 10 * fn_log10(most * most / mean);
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
    if (pair->squares == 0 || columns < 2 || rows < 2)
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

/* The rows CODED and LOSS of measures.def. */
static const struct {
    size_t offset;
    int component;
    double (*of)(const struct pair *pair);
} coded_values[] = {
#define HASH(name, doc)
#define REAL(name, doc)
#define REALS(name, count, doc)
#define WHOLE(name, doc)
#define FLAG(name, doc)
#define CODED(name, component, function, doc)                                                      \
    {offsetof(struct frame_record, name), component, function},
#include "cmd/regression/record/measures.def"
};

enum { CODED_VALUES = sizeof coded_values / sizeof *coded_values };

void loss_measure(const struct picture_layout *layout, const uint8_t *data,
                  const struct decoded *decoded, struct frame_record *frame)
{
    struct pair pair[3];
    bool given[3];
    for (int c = 0; c < 3; c++) {
        given[c] = pair_open(&pair[c], layout, data, decoded, c);
        if (given[c])
            add_squares(&pair[c]);
    }
    for (size_t i = 0; i < CODED_VALUES; i++)
        *value_at(frame, coded_values[i].offset) =
            given[coded_values[i].component] ? coded_values[i].of(&pair[coded_values[i].component])
                                             : NAN;
}

void loss_take(struct frame_record *frame, const struct frame_record *known)
{
    for (size_t i = 0; i < CODED_VALUES; i++)
        if (known)
            copy_value(frame, known, coded_values[i].offset);
        else
            *value_at(frame, coded_values[i].offset) = NAN;
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
