#include "render/reader/frame.h"

#include "base/memory.h"
#include "render/picture/pixel_isa.h"
#include "render/reader/pixels.h"
#include "render/video/libav.h"

#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A change of chroma by one code changes red, green or blue by at most 2 * (1 - 0.0593) * 255 / 224
 * (blue, BT.2020); one code of luma by 255 / 219. */
static const double chroma_gain = 2.1419, luma_gain = 255 / 219.0;

static bool find_bounds(bool full, double lit, double free, struct quiet_bounds *bounds)
{
    const double rest = floor((lit - QUIET_CHROMA_NEAR * chroma_gain) / luma_gain - 1e-6);
    const double same = floor(free / luma_gain);
    if (!(rest >= 1 && rest < 128 && same >= 0 && same < 128))
        return false;
    bounds->luma = (uint8_t)(rest + (full ? 0 : 16));
    bounds->free_luma = (uint8_t)same;
    return true;
}

bool quiet_find_needed(const struct quiet_pictures *self, double lit, double free, uint8_t *needed)
{
    struct quiet_bounds bounds;
    if (!find_bounds(self->full, lit, free, &bounds))
        return false;
    const uint32_t columns = (self->width + PLANES_TILE - 1) / PLANES_TILE;
    const uint32_t rows = (self->height + PLANES_TILE - 1) / PLANES_TILE;
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column < columns; column++) {
            const uint32_t x = column * PLANES_TILE, y = row * PLANES_TILE;
            needed[(size_t)row * columns + column] = !ISA_CALL(quiet_tile, self, &bounds, x, y);
        }
    return true;
}

/* ---- frame ---- */

struct reader_frame {
    AVFrame *frame;
    enum picture_alpha alpha;
    const char *path;
};

struct reader_frame *frame_keep(struct AVFrame *decoded, enum picture_alpha alpha, const char *path)
{
    struct reader_frame *frame = memory_new(1, sizeof *frame);
    *frame = (struct reader_frame){decoded, alpha, path};
    return frame;
}

struct reader_frame *frame_share(const struct reader_frame *frame)
{
    AVFrame *again = av_frame_clone(frame->frame);
    if (!again)
        memory_exhausted();
    return frame_keep(again, frame->alpha, frame->path);
}

void frame_release(struct reader_frame **frame)
{
    if (!*frame)
        return;
    av_frame_free(&(*frame)->frame);
    free(*frame);
    *frame = NULL;
}

enum status frame_to_rgb(const struct reader_frame *frame, uint16_t *rgb)
{
    return pixels_to_rgb(frame->frame, frame->alpha, frame->path, rgb);
}

enum status frame_to_planes(const struct reader_frame *frame, struct planes *planes,
                            const uint8_t *needed, uint32_t row, uint32_t rows)
{
    return pixels_to_planes(frame->frame, frame->alpha, frame->path, planes, needed, row, rows);
}

static bool same_meaning(const AVFrame *a, const AVFrame *b)
{
    return a->format == b->format && a->width == b->width && a->height == b->height &&
           a->colorspace == b->colorspace && a->color_range == b->color_range &&
           a->chroma_location == b->chroma_location;
}

bool frame_alike(const struct reader_frame *a, const struct reader_frame *b)
{
    return same_meaning(a->frame, b->frame) && a->alpha == b->alpha;
}

bool frame_equal(const struct reader_frame *a, const struct reader_frame *b)
{
    const AVFrame *x = a->frame, *y = b->frame;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(x->format);
    if (!frame_alike(a, b) || !format || format->flags & AV_PIX_FMT_FLAG_PAL)
        return false;
    for (int p = 0; p < av_pix_fmt_count_planes(x->format); p++) {
        const bool chroma = (p == 1 || p == 2) && !(format->flags & AV_PIX_FMT_FLAG_RGB);
        const int bytes = av_image_get_linesize(x->format, x->width, p);
        const int rows = chroma ? -(-x->height >> format->log2_chroma_h) : x->height;
        for (int row = 0; row < rows; row++)
            if (bytes <= 0 || memcmp(x->data[p] + (ptrdiff_t)row * x->linesize[p],
                                     y->data[p] + (ptrdiff_t)row * y->linesize[p], (size_t)bytes))
                return false;
    }
    return true;
}

bool frame_is_light(const struct reader_frame *frame)
{
    return frame->frame->format == AV_PIX_FMT_GBRPF32;
}

/* The difference as a share of the larger value; 0 if it is within the step of a half float. */
static double light_difference(const uint8_t *a, const uint8_t *b)
{
    float x, y;
    if (memcmp(a, b, sizeof x) == 0)
        return 0;
    memcpy(&x, a, sizeof x);
    memcpy(&y, b, sizeof y);
    const double most = fmax(fabs((double)x), fabs((double)y)), by = fabs((double)x - (double)y);
    return by <= 0x1p-24 ? 0 : isfinite(by) ? by / most : INFINITY;
}

uint64_t frame_light_differs(const struct reader_frame *a, const struct reader_frame *b,
                             double share, int32_t *x, int32_t *y)
{
    uint64_t count = 0;
    double worst = 0;
    *x = *y = -1;
    for (int row = 0; row < a->frame->height; row++)
        for (int column = 0; column < a->frame->width; column++) {
            double differs = 0;
            for (int p = 0; p < 3; p++) {
                const ptrdiff_t at = column * (ptrdiff_t)sizeof(float);
                differs = fmax(
                    differs, light_difference(
                                 a->frame->data[p] + row * (ptrdiff_t)a->frame->linesize[p] + at,
                                 b->frame->data[p] + row * (ptrdiff_t)b->frame->linesize[p] + at));
            }
            count += differs > share;
            if (differs > worst) {
                worst = differs;
                *x = column;
                *y = row;
            }
        }
    return count;
}

/* Bytes of Y', Cb, Cr in planes of their own. */
static bool is_planar_bytes(const AVFrame *frame)
{
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(frame->format);
    const uint64_t strange = AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM |
                             AV_PIX_FMT_FLAG_HWACCEL;
    if (!format || format->nb_components < 3 || format->flags & strange)
        return false;
    for (int c = 0; c < 3; c++)
        if (format->comp[c].depth != 8 || format->comp[c].step != 1 || format->comp[c].shift != 0 ||
            format->comp[c].plane != c)
            return false;
    return true;
}

const uint8_t *frame_luma(const struct reader_frame *frame, ptrdiff_t *stride)
{
    if (!is_planar_bytes(frame->frame) || frame->alpha == ALPHA_STRAIGHT)
        return NULL;
    *stride = frame->frame->linesize[0];
    return frame->frame->data[0];
}

bool frame_find_needed(const struct reader_frame *a, const struct reader_frame *b, double lit,
                       double free, uint8_t *needed)
{
    const AVFrame *x = a->frame, *y = b->frame;
    const AVPixFmtDescriptor *format = av_pix_fmt_desc_get(x->format);
    if (!frame_alike(a, b) || a->alpha == ALPHA_STRAIGHT || !is_planar_bytes(x) ||
        format->log2_chroma_w > 1 || format->log2_chroma_h > 1)
        return false;
    const bool full = x->color_range == AVCOL_RANGE_JPEG || strncmp(format->name, "yuvj", 4) == 0;
    struct quiet_pictures pictures = {.width = (uint32_t)x->width,
                                      .height = (uint32_t)x->height,
                                      .shift_x = format->log2_chroma_w,
                                      .shift_y = format->log2_chroma_h,
                                      .full = full};
    for (int p = 0; p < 3; p++) {
        pictures.a[p] = x->data[p];
        pictures.b[p] = y->data[p];
        pictures.stride_a[p] = x->linesize[p];
        pictures.stride_b[p] = y->linesize[p];
    }
    return quiet_find_needed(&pictures, lit, free, needed);
}
