#include "render/reader/drawn.h"

#include "base/memory.h"
#include "render/reader/pixels.h"

#include <libavutil/frame.h>

static enum AVPixelFormat pixel_format(enum picture_format format)
{
    switch (format) {
    case PICTURE_NV12:
        return AV_PIX_FMT_NV12;
    case PICTURE_YUV420P:
        return AV_PIX_FMT_YUV420P;
    case PICTURE_YUV420P10:
        return AV_PIX_FMT_YUV420P10LE;
    case PICTURE_YUV444P:
        return AV_PIX_FMT_YUV444P;
    case PICTURE_YUV444P10:
        return AV_PIX_FMT_YUV444P10LE;
    case PICTURE_RGBA8:
        return AV_PIX_FMT_RGBA;
    case PICTURE_RGBA16:
        return AV_PIX_FMT_RGBA64;
    }
    return AV_PIX_FMT_NONE;
}

enum status drawn_to_rgb(const struct picture *picture, uint16_t *rgb)
{
    const struct picture_layout *layout = &picture->layout;
    const bool is_rgb = layout->format == PICTURE_RGBA8 || layout->format == PICTURE_RGBA16;
    AVFrame *frame = av_frame_alloc();
    if (!frame)
        memory_exhausted();
    frame->format = pixel_format(layout->format);
    frame->width = (int)layout->width;
    frame->height = (int)layout->height;
    frame->color_range = is_rgb ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
    frame->colorspace = is_rgb ? AVCOL_SPC_RGB : AVCOL_SPC_BT709;
    frame->chroma_location = AVCHROMA_LOC_LEFT;
    for (int p = 0; p < layout->planes; p++) { /* borrowed: the frame owns no buffer */
        frame->data[p] = picture->data + layout->plane[p].offset;
        frame->linesize[p] = (int)layout->plane[p].stride;
    }
    enum status status = pixels_to_rgb(frame, "the picture", rgb);
    av_frame_free(&frame);
    return status;
}
