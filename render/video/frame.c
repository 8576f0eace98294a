#include "render/video/frame.h"

#include "render/video/libav_calls.h"

#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>

enum { BLACK = 16, GREY = 128 }; /* 8-bit codes */

static uint8_t *sample_at(const AVFrame *frame, const AVComponentDescriptor *component, int x,
                          int y)
{
    return frame->data[component->plane] + (ptrdiff_t)y * frame->linesize[component->plane] +
           (ptrdiff_t)x * component->step + component->offset;
}

static void put(uint8_t *at, bool wide, unsigned value)
{
    at[0] = (uint8_t)value;
    if (wide)
        at[1] = (uint8_t)(value >> 8);
}

static unsigned get(const uint8_t *at, bool wide)
{
    return wide ? at[0] | (unsigned)at[1] << 8 : at[0];
}

static void copy_planes(AVFrame *frame, const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    for (int p = 0; p < layout->planes; p++)
        av_image_copy_plane(frame->data[p], frame->linesize[p],
                            picture->data + layout->plane[p].offset, (int)layout->plane[p].stride,
                            (int)layout->plane[p].bytes, (int)layout->plane[p].rows);
}

static void swap_red_and_blue(AVFrame *frame, const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < layout->height; y++) {
        const uint8_t *from =
            picture->data + layout->plane[0].offset + (size_t)y * layout->plane[0].stride;
        uint8_t *to = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        for (uint32_t x = 0; x < layout->width; x++, from += 4, to += 4) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
            to[3] = from[3];
        }
    }
}

/* Shifts 10 bits from the lower to the upper bits of a word. */
static void lift_planes(AVFrame *frame, const AVPixFmtDescriptor *pixels,
                        const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    for (int c = 0; c < 3; c++) {
        int columns = (int)layout->plane[c].bytes / 2, step = pixels->comp[c].step;
        for (int y = 0; y < (int)layout->plane[c].rows; y++) {
            const uint8_t *from =
                picture->data + layout->plane[c].offset + (size_t)y * layout->plane[c].stride;
            uint8_t *to = sample_at(frame, &pixels->comp[c], 0, y);
            for (int x = 0; x < columns; x++, from += 2, to += step)
                put(to, true, get(from, true) << 6);
        }
    }
}

/* Fills luma of the added column and row, then the chroma that they share with the edge. */
static void pad(AVFrame *frame, const AVPixFmtDescriptor *pixels, int width, int height)
{
    bool wide = pixels->comp[0].depth > 8;
    int scale = pixels->comp[0].depth - 8 + pixels->comp[0].shift;
    for (int y = 0; y < frame->height; y++)
        for (int x = y < height ? width : 0; x < frame->width; x++)
            put(sample_at(frame, &pixels->comp[0], x, y), wide, (unsigned)BLACK << scale);
    int columns = AV_CEIL_RSHIFT(width, pixels->log2_chroma_w);
    int rows = AV_CEIL_RSHIFT(height, pixels->log2_chroma_h);
    for (int c = 1; c < 3; c++) {
        for (int y = 0; width < frame->width && y < rows; y++) {
            uint8_t *at = sample_at(frame, &pixels->comp[c], columns - 1, y);
            put(at, wide, (get(at, wide) + ((unsigned)GREY << scale)) / 2);
        }
        for (int x = 0; height < frame->height && x < columns; x++) {
            uint8_t *at = sample_at(frame, &pixels->comp[c], x, rows - 1);
            put(at, wide, (get(at, wide) + ((unsigned)GREY << scale)) / 2);
        }
    }
}

void frame_fill(struct AVFrame *frame, const struct picture *picture)
{
    const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(frame->format);
    int width = (int)picture->layout.width, height = (int)picture->layout.height;
    bool lifted = picture_format_bits(picture->layout.format) == 10 &&
                  pixels->comp[0].shift + pixels->comp[0].depth == 16;
    if (frame->format == AV_PIX_FMT_BGRA)
        swap_red_and_blue(frame, picture);
    else if (lifted)
        lift_planes(frame, pixels, picture);
    else
        copy_planes(frame, picture);
    if (width < frame->width || height < frame->height)
        pad(frame, pixels, width, height);
}
