#include "render/reader/drawn.h"

#include "base/memory.h"
#include "render/reader/pixels.h"
#include "render/video/libav.h"
#include "render/video/libav_calls.h"

#include <libavutil/frame.h>

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
