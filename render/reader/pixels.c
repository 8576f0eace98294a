#include "render/reader/pixels.h"

#include "base/memory.h"

#include <libavutil/frame.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Weights of red and blue in luma. */
struct matrix {
    float red, blue;
};

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
    float left, top;   /* of a block's luma, position of its chroma sample, in luma samples */
    uint16_t *samples; /* one row of the source */
    float *row[3], *upper[3], *lower[3]; /* one row each, 0 .. 1 or, of chroma, -0.5 .. 0.5 */
};

static void read_samples(struct converter *self, int component, int y, int width)
{
    const AVFrame *frame = self->frame;
    av_read_image_line2(self->samples, (const uint8_t **)frame->data, frame->linesize, self->format,
                        0, y, component, width, 0, (int)sizeof *self->samples);
}

static void read_plane(struct converter *self, int component, int y, int width, float *to)
{
    bool chroma = component > 0 && !(self->format->flags & AV_PIX_FMT_FLAG_RGB);
    int depth = self->format->comp[component].depth;
    float unit = (float)(1 << depth) / 256, most = (float)((1 << depth) - 1);
    float zero = chroma ? 128 * unit : self->full ? 0 : 16 * unit;
    float range = self->full ? most : chroma ? 224 * unit : 219 * unit;
    read_samples(self, component, y, width);
    for (int x = 0; x < width; x++)
        to[x] = ((float)self->samples[x] - zero) / range;
}

/* The chroma samples on both sides of a luma sample, which is `part` of the way past *first. */
static void place(int at, float offset, int shift, int count, int *first, int *second, float *part)
{
    float exact = ((float)at - offset) / (float)(1 << shift), whole = floorf(exact);
    int index = (int)whole;
    *part = exact - whole;
    *first = index < 0 ? 0 : index < count ? index : count - 1;
    *second = index + 1 < count ? index + 1 : count - 1;
}

static void read_chroma(struct converter *self, int component, int y)
{
    int shift_x = self->format->log2_chroma_w, shift_y = self->format->log2_chroma_h;
    int columns = -(-self->frame->width >> shift_x), rows = -(-self->frame->height >> shift_y);
    float *upper = self->upper[component], *lower = self->lower[component], part;
    int first, second;
    place(y, self->top, shift_y, rows, &first, &second, &part);
    read_plane(self, component, first, columns, upper);
    if (second != first && part > 0) {
        read_plane(self, component, second, columns, lower);
        for (int x = 0; x < columns; x++)
            upper[x] += part * (lower[x] - upper[x]);
    }
    for (int x = 0; x < self->frame->width; x++) {
        place(x, self->left, shift_x, columns, &first, &second, &part);
        self->row[component][x] = upper[first] + part * (upper[second] - upper[first]);
    }
}

static uint16_t code(float value)
{
    return (uint16_t)(fminf(fmaxf(value, 0), 1) * 65535 + 0.5f);
}

static void convert_ycc(struct converter *self, int y, uint16_t *rgb)
{
    float red = self->matrix.red, blue = self->matrix.blue, green = 1 - red - blue;
    read_plane(self, 0, y, self->frame->width, self->row[0]);
    read_chroma(self, 1, y);
    read_chroma(self, 2, y);
    for (int x = 0; x < self->frame->width; x++) {
        float luma = self->row[0][x];
        float r = luma + 2 * (1 - red) * self->row[2][x];
        float b = luma + 2 * (1 - blue) * self->row[1][x];
        rgb[3 * x] = code(r);
        rgb[3 * x + 1] = code((luma - red * r - blue * b) / green);
        rgb[3 * x + 2] = code(b);
    }
}

static void convert_rgb(struct converter *self, int y, uint16_t *rgb)
{
    bool grey = self->format->nb_components < 3;
    for (int c = 0; c < 3; c++) {
        if (c == 0 || !grey)
            read_plane(self, grey ? 0 : c, y, self->frame->width, self->row[c]);
        for (int x = 0; x < self->frame->width; x++)
            rgb[3 * x + c] = code(self->row[grey ? 0 : c][x]);
    }
}

static void convert_palette(struct converter *self, int y, uint16_t *rgb)
{
    const uint32_t *palette = (const uint32_t *)(const void *)self->frame->data[1];
    read_samples(self, 0, y, self->frame->width);
    for (int x = 0; x < self->frame->width; x++)
        for (int c = 0; c < 3; c++)
            rgb[3 * x + c] = (uint16_t)((palette[self->samples[x]] >> (16 - 8 * c) & 255) * 257);
}

static bool understood(const AVPixFmtDescriptor *format)
{
    const uint64_t strange =
        AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER | AV_PIX_FMT_FLAG_FLOAT;
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

static enum status prepare(struct converter *self, const char *path)
{
    const AVFrame *frame = self->frame;
    self->format = av_pix_fmt_desc_get(frame->format);
    if (!understood(self->format))
        return status_fail(STATUS_USAGE, "'%s' holds pictures of the format %s, which is not read",
                           path, self->format ? self->format->name : "unknown");
    if (!find_matrix(frame->colorspace, &self->matrix))
        return status_fail(STATUS_USAGE,
                           "'%s' has colours by the matrix %s; BT.709, BT.601 and BT.2020 are read",
                           path, av_color_space_name(frame->colorspace));
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
    return STATUS_OK;
}

enum status pixels_to_rgb(const struct AVFrame *frame, const char *path, uint16_t *rgb)
{
    struct converter self = {.frame = frame};
    enum status status = prepare(&self, path);
    if (status != STATUS_OK)
        return status;
    size_t width = (size_t)frame->width;
    float *rows = memory_new(9 * width, sizeof *rows);
    self.samples = memory_new(width, sizeof *self.samples);
    for (int c = 0; c < 3; c++) {
        self.row[c] = rows + (size_t)c * width;
        self.upper[c] = rows + (size_t)(3 + c) * width;
        self.lower[c] = rows + (size_t)(6 + c) * width;
    }
    bool direct = self.format->flags & AV_PIX_FMT_FLAG_RGB || self.format->nb_components < 3;
    for (int y = 0; y < frame->height; y++) {
        uint16_t *to = rgb + 3 * width * (size_t)y;
        if (self.format->flags & AV_PIX_FMT_FLAG_PAL)
            convert_palette(&self, y, to);
        else if (direct)
            convert_rgb(&self, y, to);
        else
            convert_ycc(&self, y, to);
    }
    free(rows);
    free(self.samples);
    return STATUS_OK;
}

bool pixels_luma(const struct AVFrame *frame, uint16_t *luma)
{
    struct converter self = {.frame = frame, .format = av_pix_fmt_desc_get(frame->format)};
    if (!understood(self.format) || !is_ycc(self.format))
        return false;
    for (int y = 0; y < frame->height; y++) {
        self.samples = luma + (size_t)y * (size_t)frame->width;
        read_samples(&self, 0, y, frame->width);
    }
    return true;
}
