#include "render/reader/pixels.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "render/reader/rgb16.h"
#include "render/video/libav.h"

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* ---- drawn ---- */

enum status drawn_to_rgb(const struct picture *picture, uint16_t *rgb)
{
    const struct picture_layout *layout = &picture->layout;
    const bool is_rgb = picture_format_is_rgb(layout->format);
    AVFrame *frame = av_frame_alloc();
    if (!frame)
        memory_exhausted();
    frame->format = libav_pixel_format(layout->format);
    frame->width = (int)layout->width;
    frame->height = (int)layout->height;
    frame->color_range = is_rgb ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    frame->colorspace = is_rgb                               ? AVCOL_SPC_RGB
                        : picture_format_hdr(layout->format) ? AVCOL_SPC_BT2020_NCL
                                                             : AVCOL_SPC_BT709;
    frame->chroma_location = AVCHROMA_LOC_LEFT;
    for (int p = 0; p < layout->planes; p++) { /* borrowed: the frame owns no buffer */
        frame->data[p] = picture->data + layout->plane[p].offset;
        frame->linesize[p] = (int)layout->plane[p].stride;
    }
    enum status status =
        pixels_to_rgb(frame, picture_format_alpha(layout->format), "the picture", rgb);
    av_frame_free(&frame);
    return status;
}

/* ---- pixels ---- */

static bool find_matrix(enum AVColorSpace space, struct matrix *matrix)
{
    switch (space) {
    case AVCOL_SPC_RGB:
    case AVCOL_SPC_UNSPECIFIED:
    case AVCOL_SPC_BT709:
        *matrix = (struct matrix){0.2126f, 0.0722f};
        return true;
    case AVCOL_SPC_BT470BG:
    case AVCOL_SPC_SMPTE170M:
        *matrix = (struct matrix){0.299f, 0.114f};
        return true;
    case AVCOL_SPC_BT2020_NCL:
        *matrix = (struct matrix){0.2627f, 0.0593f};
        return true;
    default:
        return false;
    }
}

struct converter {
    const AVFrame *frame;
    const AVPixFmtDescriptor *format;
    struct matrix matrix;
    bool full;         /* range */
    bool straight;     /* colours must be multiplied by alpha */
    float left, top;   /* position of a chroma sample within its block of luma samples */
    uint16_t *samples; /* one row of the source */
    bool plain;        /* rows of bytes with chroma sited on luma: converted by convert_row */
    struct convert_factors factors;
    uint16_t *chroma[3];                 /* one row each, in quarters of a code */
    float *row[3], *upper[3], *lower[3]; /* one row each, 0 .. 1, or for chroma -0.5 .. 0.5 */
};

/* Part of a row. */
struct span {
    int y, x, width;
};

static void read_samples(struct converter *self, int component, struct span span)
{
    const AVFrame *frame = self->frame;
    av_read_image_line2(self->samples, (const uint8_t **)frame->data, frame->linesize, self->format,
                        span.x, span.y, component, span.width, 0, (int)sizeof *self->samples);
}

static bool has_bytes(const AVPixFmtDescriptor *format, int component)
{
    const AVComponentDescriptor *it = &format->comp[component];
    const uint64_t strange = AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_PAL;
    return it->depth == 8 && it->step == 1 && it->shift == 0 && !(format->flags & strange);
}

/* A component's samples if they are contiguous bytes; else NULL. */
static const uint8_t *bytes_of(const struct converter *self, int component, struct span span)
{
    const AVComponentDescriptor *it = &self->format->comp[component];
    if (!has_bytes(self->format, component))
        return NULL;
    return self->frame->data[it->plane] + (ptrdiff_t)span.y * self->frame->linesize[it->plane] +
           it->offset + span.x;
}

static void read_plane(struct converter *self, int component, struct span span, float *to)
{
    bool chroma = component > 0 && !(self->format->flags & AV_PIX_FMT_FLAG_RGB);
    int depth = self->format->comp[component].depth;
    float unit = (float)(1 << depth) / 256, most = (float)((1 << depth) - 1);
    float zero = chroma ? 128 * unit : self->full ? 0 : 16 * unit;
    float range = self->full ? most : chroma ? 224 * unit : 219 * unit;
    const uint8_t *bytes = bytes_of(self, component, span);
    if (bytes) {
        convert_bytes(bytes, (size_t)span.width, zero, range, to);
        return;
    }
    read_samples(self, component, span);
    convert_words(self->samples, (size_t)span.width, zero, range, to);
}

/* The two chroma samples around a luma sample; `part` is how far it lies past *first. */
static void place(int at, float offset, int shift, int count, int *first, int *second, float *part)
{
    float exact = ((float)at - offset) / (float)(1 << shift), whole = floorf(exact);
    int index = (int)whole;
    *part = exact - whole;
    *first = index < 0 ? 0 : index < count ? index : count - 1;
    *second = index + 1 < count ? index + 1 : count - 1;
}

/* The range of chroma samples that the span needs, with neighbours. */
static void find_chroma(const struct converter *self, struct span span, int *begin, int *end)
{
    const int shift = self->format->log2_chroma_w, columns = -(-self->frame->width >> shift);
    *begin = (span.x >> shift) - 1;
    *end = ((span.x + span.width) >> shift) + 2;
    *begin = *begin < 0 ? 0 : *begin;
    *end = *end < columns ? *end : columns;
}

static void read_chroma(struct converter *self, int component, struct span span)
{
    int shift_x = self->format->log2_chroma_w, shift_y = self->format->log2_chroma_h;
    int columns = -(-self->frame->width >> shift_x), rows = -(-self->frame->height >> shift_y);
    float *upper = self->upper[component], *lower = self->lower[component], part;
    int first, second, begin, end;
    find_chroma(self, span, &begin, &end);
    place(span.y, self->top, shift_y, rows, &first, &second, &part);
    const struct span above = {first, begin, end - begin}, below = {second, begin, end - begin};
    read_plane(self, component, above, upper);
    if (second != first && part > 0) {
        read_plane(self, component, below, lower);
        convert_blend(upper, lower, (size_t)above.width, part);
    }
    upper[above.width] = upper[above.width - 1];
    if (shift_x == 1 && self->left == 0) {
        convert_spread(upper + (span.x / 2 - begin), (size_t)(span.width + 1) / 2,
                       self->row[component]);
        return;
    }
    for (int x = 0; x < span.width; x++) {
        place(span.x + x, self->left, shift_x, columns, &first, &second, &part);
        const float here = upper[first - begin];
        self->row[component][x] = here + part * (upper[second - begin] - here);
    }
}

static const uint16_t *mix_chroma(struct converter *self, int component, struct span span)
{
    const int shift_x = self->format->log2_chroma_w, shift_y = self->format->log2_chroma_h;
    const int rows = -(-self->frame->height >> shift_y);
    uint16_t *to = self->chroma[component];
    float part;
    int first, second, begin, end;
    find_chroma(self, span, &begin, &end);
    place(span.y, self->top, shift_y, rows, &first, &second, &part);
    const struct span above = {first, begin, end - begin}, below = {second, begin, end - begin};
    convert_between(bytes_of(self, component, above), bytes_of(self, component, below),
                    (size_t)above.width, (int)(4 * part), to);
    to[above.width] = to[above.width - 1];
    return to + ((span.x >> shift_x) - begin);
}

static void convert_plain(struct converter *self, struct span span, uint16_t *const rgb[3])
{
    const struct convert_row row = {.luma = bytes_of(self, 0, span),
                                    .blue = mix_chroma(self, 1, span),
                                    .red = mix_chroma(self, 2, span),
                                    .halved = self->format->log2_chroma_w == 1};
    convert_row(&row, &self->factors, (size_t)span.width, rgb);
}

static void convert_ycc(struct converter *self, struct span span, uint16_t *const rgb[3])
{
    if (self->plain) {
        convert_plain(self, span, rgb);
        return;
    }
    read_plane(self, 0, span, self->row[0]);
    read_chroma(self, 1, span);
    read_chroma(self, 2, span);
    convert_colours(self->row[0], self->row[1], self->row[2], (size_t)span.width, &self->matrix,
                    rgb);
}

static uint16_t code(float value)
{
    return (uint16_t)(fminf(fmaxf(value, 0), 1) * 65535 + 0.5f);
}

static void convert_rgb(struct converter *self, struct span span, uint16_t *const rgb[3])
{
    bool grey = self->format->nb_components < 3;
    for (int c = 0; c < 3; c++) {
        if (c == 0 || !grey)
            read_plane(self, grey ? 0 : c, span, self->row[c]);
        for (int x = 0; x < span.width; x++)
            rgb[c][x] = code(self->row[grey ? 0 : c][x]);
    }
}

/* Light has a code for each half float, so that no difference of two halves is lost. The code is
 * the half's index among all halves, which grows with the logarithm, plus the brightness on a
 * display, scaled to the rest of 16 bits. */
enum { HALF_COUNT = 0x7c00 };
static uint16_t light_codes[HALF_COUNT];
static pthread_once_t light_once = PTHREAD_ONCE_INIT;

static void fill_light_codes(void)
{
    const double contrast = 100, range = 65535 - (HALF_COUNT - 1);
    for (int i = 0; i < HALF_COUNT; i++) {
        const int exponent = i >> 10, fraction = i & 1023;
        const double light =
            exponent > 0 ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
        const double shown = fmin(fn_log1p(contrast * light) / fn_log1p(contrast), 1);
        light_codes[i] = (uint16_t)(i + lround(range * shown));
    }
}

/* The number of the nearest half float: 0 for what is negative or NaN, the largest for infinity. */
static uint32_t half_of(float light)
{
    uint32_t bits;
    memcpy(&bits, &light, sizeof bits);
    if (!(light > 0))
        return 0;
    if (light < 0x1p-14f)
        return (uint32_t)(light * 0x1p24f + 0.5f);
    const uint32_t half = (bits - 0x38000000 + 0x1000) >> 13;
    return half < HALF_COUNT ? half : HALF_COUNT - 1;
}

static void convert_light(struct converter *self, struct span span, uint16_t *const rgb[3])
{
    pthread_once(&light_once, fill_light_codes);
    for (int c = 0; c < 3; c++) {
        const int plane = self->format->comp[c].plane;
        const float *from =
            (const float *)(const void *)(self->frame->data[plane] +
                                          (ptrdiff_t)span.y * self->frame->linesize[plane]) +
            span.x;
        for (int x = 0; x < span.width; x++)
            rgb[c][x] = light_codes[half_of(from[x])];
    }
}

static void convert_palette(struct converter *self, struct span span, uint16_t *const rgb[3])
{
    const uint32_t *palette = (const uint32_t *)(const void *)self->frame->data[1];
    read_samples(self, 0, span);
    for (int x = 0; x < span.width; x++)
        for (int c = 0; c < 3; c++)
            rgb[c][x] = (uint16_t)((palette[self->samples[x]] >> (16 - 8 * c) & 255) * 257);
}

static void put_on_black(struct converter *self, struct span span, uint16_t *const rgb[3])
{
    const int component = self->format->nb_components - 1;
    const uint32_t top = (1u << self->format->comp[component].depth) - 1;
    read_samples(self, component, span);
    for (int x = 0; x < span.width; x++) {
        const uint32_t alpha = (self->samples[x] * 65535u + top / 2) / top;
        for (int c = 0; c < 3; c++)
            rgb[c][x] = picture_on_black(rgb[c][x], alpha);
    }
}

static void convert_span(struct converter *self, struct span span, uint16_t *const rgb[3])
{
    if (self->format->flags & AV_PIX_FMT_FLAG_FLOAT)
        convert_light(self, span, rgb);
    else if (self->format->flags & AV_PIX_FMT_FLAG_PAL)
        convert_palette(self, span, rgb);
    else if (self->format->flags & AV_PIX_FMT_FLAG_RGB || self->format->nb_components < 3)
        convert_rgb(self, span, rgb);
    else
        convert_ycc(self, span, rgb);
    if (self->straight)
        put_on_black(self, span, rgb);
}

static bool understood(const AVPixFmtDescriptor *format)
{
    const uint64_t strange =
        AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
    if (format && format == av_pix_fmt_desc_get(AV_PIX_FMT_GBRPF32))
        return true;
    if (!format || format->flags & strange)
        return false;
    for (int c = 0; c < format->nb_components; c++)
        if (format->comp[c].depth > 16)
            return false;
    return true;
}

static bool is_ycc(const AVPixFmtDescriptor *format)
{
    return !(format->flags & AV_PIX_FMT_FLAG_RGB) && format->nb_components >= 3;
}

/* Whether samples are bytes in planes, with at most a fourth as much chroma as luma. */
static bool is_bytes(const AVPixFmtDescriptor *format)
{
    for (int c = 0; c < 3; c++)
        if (!has_bytes(format, c))
            return false;
    return format->log2_chroma_w <= 1 && format->log2_chroma_h <= 1;
}

static enum status prepare(struct converter *self, const char *path)
{
    const AVFrame *frame = self->frame;
    self->format = av_pix_fmt_desc_get(frame->format);
    if (!understood(self->format))
        return status_fail(STATUS_USAGE, "'%s' has the pixel format %s, which is not supported",
                           path, self->format ? self->format->name : "unknown");
    if (!find_matrix(frame->colorspace, &self->matrix))
        return status_fail(
            STATUS_USAGE,
            "'%s' has colours by the matrix %s; BT.709, BT.601 and BT.2020 are supported", path,
            av_color_space_name(frame->colorspace));
    bool ycc = is_ycc(self->format);
    bool named_full = frame->color_range == AVCOL_RANGE_JPEG ||
                      (self->format->name && strncmp(self->format->name, "yuvj", 4) == 0);
    self->full = named_full || (!ycc && frame->color_range != AVCOL_RANGE_MPEG);
    enum AVChromaLocation site = frame->chroma_location;
    float right = (float)((1 << self->format->log2_chroma_w) - 1);
    float bottom = (float)((1 << self->format->log2_chroma_h) - 1);
    bool centred =
        site == AVCHROMA_LOC_CENTER || site == AVCHROMA_LOC_TOP || site == AVCHROMA_LOC_BOTTOM;
    bool at_top = site == AVCHROMA_LOC_TOP || site == AVCHROMA_LOC_TOPLEFT;
    bool at_bottom = site == AVCHROMA_LOC_BOTTOM || site == AVCHROMA_LOC_BOTTOMLEFT;
    self->left = centred ? right / 2 : 0;
    self->top = at_top ? 0 : at_bottom ? bottom : bottom / 2;
    self->straight &= (self->format->flags & AV_PIX_FMT_FLAG_ALPHA) != 0 &&
                      !(self->format->flags & AV_PIX_FMT_FLAG_PAL);
    self->plain = ycc && self->left == 0 && is_bytes(self->format) && !self->straight;
    convert_factors(&self->factors, &self->matrix, self->full);
    return STATUS_OK;
}

/* Rows have room for what the conversion reads and writes beyond their end. */
static void open_rows(struct converter *self)
{
    const size_t width = (size_t)self->frame->width + CONVERT_ROOM;
    if (self->plain) {
        self->chroma[1] = memory_new(2 * width, sizeof *self->chroma[1]);
        self->chroma[2] = self->chroma[1] + width;
        return;
    }
    float *rows = memory_new(9 * width, sizeof *rows);
    self->samples = memory_new(width, sizeof *self->samples);
    for (int c = 0; c < 3; c++) {
        self->row[c] = rows + (size_t)c * width;
        self->upper[c] = rows + (size_t)(3 + c) * width;
        self->lower[c] = rows + (size_t)(6 + c) * width;
    }
}

static void close_rows(struct converter *self)
{
    free(self->row[0]);
    free(self->samples);
    free(self->chroma[1]);
}

enum status pixels_to_rgb(const struct AVFrame *frame, enum picture_alpha alpha, const char *path,
                          uint16_t *rgb)
{
    struct converter self = {.frame = frame, .straight = alpha == ALPHA_STRAIGHT};
    enum status status = prepare(&self, path);
    if (status != STATUS_OK)
        return status;
    const size_t width = (size_t)frame->width;
    uint16_t *apart = memory_new(3 * width, sizeof *apart);
    uint16_t *const channels[3] = {apart, apart + width, apart + 2 * width};
    open_rows(&self);
    for (int y = 0; y < frame->height; y++) {
        convert_span(&self, (struct span){y, 0, frame->width}, channels);
        uint16_t *to = rgb + 3 * width * (size_t)y;
        for (size_t x = 0; x < width; x++)
            for (size_t c = 0; c < 3; c++)
                to[3 * x + c] = channels[c][x];
    }
    close_rows(&self);
    free(apart);
    return STATUS_OK;
}

/* Finds the next run of needed tiles in a row, from *column on; false if there is none. */
static bool next_run(const struct planes *planes, const uint8_t *needed, uint32_t *column,
                     uint32_t *end)
{
    while (needed && *column < planes->columns && !needed[*column])
        ++*column;
    *end = *column;
    while (*end < planes->columns && (!needed || needed[*end]))
        ++*end;
    return *column < *end;
}

/* Converts adjacent tiles of a row. */
static void convert_run(struct converter *self, struct planes *planes, uint32_t row,
                        uint32_t column, uint32_t end)
{
    const uint32_t x = column * PLANES_TILE, last = end * PLANES_TILE;
    const uint32_t width = (last < planes->width ? last : planes->width) - x;
    for (uint32_t y = row * PLANES_TILE; y < (row + 1) * PLANES_TILE && y < planes->height; y++) {
        const size_t at = y * planes->stride + x;
        uint16_t *const to[3] = {planes->channel[0] + at, planes->channel[1] + at,
                                 planes->channel[2] + at};
        convert_span(self, (struct span){(int)y, (int)x, (int)width}, to);
    }
}

enum status pixels_to_planes(const struct AVFrame *frame, enum picture_alpha alpha,
                             const char *path, struct planes *planes, const uint8_t *needed,
                             uint32_t row, uint32_t rows)
{
    struct converter self = {.frame = frame, .straight = alpha == ALPHA_STRAIGHT};
    enum status status = prepare(&self, path);
    if (status != STATUS_OK)
        return status;
    open_rows(&self);
    for (uint32_t down = row; down < row + rows; down++) {
        const uint8_t *of_row = needed ? needed + (size_t)down * planes->columns : NULL;
        for (uint32_t column = 0, end; next_run(planes, of_row, &column, &end); column = end)
            convert_run(&self, planes, down, column, end);
    }
    close_rows(&self);
    return STATUS_OK;
}

bool pixels_samples(const struct AVFrame *frame, int component, uint16_t *samples, uint32_t *width,
                    uint32_t *height)
{
    struct converter self = {.frame = frame, .format = av_pix_fmt_desc_get(frame->format)};
    if (!understood(self.format) || !is_ycc(self.format))
        return false;
    const int columns = component ? -(-frame->width >> self.format->log2_chroma_w) : frame->width;
    const int rows = component ? -(-frame->height >> self.format->log2_chroma_h) : frame->height;
    for (int y = 0; y < rows; y++) {
        self.samples = samples + (size_t)y * (size_t)columns;
        read_samples(&self, component, (struct span){y, 0, columns});
    }
    *width = (uint32_t)columns;
    *height = (uint32_t)rows;
    return true;
}
