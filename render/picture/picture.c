#include "render/picture/picture.h"

#include <string.h>

static const struct {
    const char *name;
    int planes, bits, samples;        /* bits per sample, samples per pixel in plane 0 */
    int chroma_shift, chroma_samples; /* chroma size is full size >> shift */
    enum picture_alpha alpha;
    enum picture_hdr hdr;
} formats[] = {
    [PICTURE_NV12] = {"nv12", 2, 8, 1, 1, 2},
    [PICTURE_YUV420P] = {"yuv420p", 3, 8, 1, 1, 1},
    [PICTURE_YUV420P10] = {"yuv420p10", 3, 10, 1, 1, 1},
    [PICTURE_YUV444P] = {"yuv444p", 3, 8, 1, 0, 1},
    [PICTURE_YUV444P10] = {"yuv444p10", 3, 10, 1, 0, 1},
    [PICTURE_RGBA8] = {"rgba8", 1, 8, 4, 0, 0},
    [PICTURE_RGBA16] = {"rgba16", 1, 16, 4, 0, 0},
    [PICTURE_RGBA8_STRAIGHT] = {"rgba8 straight", 1, 8, 4, 0, 0, ALPHA_STRAIGHT},
    [PICTURE_RGBA16_STRAIGHT] = {"rgba16 straight", 1, 16, 4, 0, 0, ALPHA_STRAIGHT},
    [PICTURE_RGBA8_PREMULTIPLIED] = {"rgba8 premultiplied", 1, 8, 4, 0, 0, ALPHA_PREMULTIPLIED},
    [PICTURE_RGBA16_PREMULTIPLIED] = {"rgba16 premultiplied", 1, 16, 4, 0, 0, ALPHA_PREMULTIPLIED},
    [PICTURE_YUVA444P10_STRAIGHT] = {"yuva444p10 straight", 4, 10, 1, 0, 1, ALPHA_STRAIGHT},
    [PICTURE_YUVA444P10_PREMULTIPLIED] = {"yuva444p10 premultiplied", 4, 10, 1, 0, 1,
                                          ALPHA_PREMULTIPLIED},
    [PICTURE_YUV420P10_PQ] = {"yuv420p10 pq", 3, 10, 1, 1, 1, ALPHA_NONE, HDR_PQ},
    [PICTURE_YUV444P10_PQ] = {"yuv444p10 pq", 3, 10, 1, 0, 1, ALPHA_NONE, HDR_PQ},
    [PICTURE_YUV420P10_HLG] = {"yuv420p10 hlg", 3, 10, 1, 1, 1, ALPHA_NONE, HDR_HLG},
    [PICTURE_YUV444P10_HLG] = {"yuv444p10 hlg", 3, 10, 1, 0, 1, ALPHA_NONE, HDR_HLG},
    [PICTURE_RGBAF32] = {"rgbaf32", 1, 32, 4, 0, 0},
};

void picture_layout(struct picture_layout *layout, enum picture_format format, uint32_t width,
                    uint32_t height)
{
    *layout = (struct picture_layout){
        .format = format, .width = width, .height = height, .planes = formats[format].planes};
    for (int p = 0; p < layout->planes; p++) {
        uint32_t shift = p ? (uint32_t)formats[format].chroma_shift : 0;
        uint32_t samples = (uint32_t)(p ? formats[format].chroma_samples : formats[format].samples);
        uint32_t columns = (width + (1u << shift) - 1) >> shift;
        layout->plane[p].rows = (height + (1u << shift) - 1) >> shift;
        layout->plane[p].bytes = columns * samples * ((picture_format_bits(format) + 7) / 8);
        layout->plane[p].stride = (layout->plane[p].bytes + 3u) & ~3u;
        layout->plane[p].offset = layout->size;
        layout->size += (size_t)layout->plane[p].stride * layout->plane[p].rows;
    }
}

const char *picture_format_name(enum picture_format format)
{
    return formats[format].name;
}

uint32_t picture_format_bits(enum picture_format format)
{
    return (uint32_t)formats[format].bits;
}

bool picture_format_is_light(enum picture_format format)
{
    return format == PICTURE_RGBAF32;
}

bool picture_format_subsampled(enum picture_format format)
{
    return formats[format].chroma_shift > 0;
}

bool picture_format_is_rgb(enum picture_format format)
{
    return formats[format].samples == 4;
}

enum picture_alpha picture_format_alpha(enum picture_format format)
{
    return formats[format].alpha;
}

enum picture_hdr picture_format_hdr(enum picture_format format)
{
    return formats[format].hdr;
}

enum picture_format picture_format_with_hdr(enum picture_hdr hdr, bool subsampled)
{
    if (hdr == HDR_PQ)
        return subsampled ? PICTURE_YUV420P10_PQ : PICTURE_YUV444P10_PQ;
    return subsampled ? PICTURE_YUV420P10_HLG : PICTURE_YUV444P10_HLG;
}

enum picture_format picture_format_rgba(uint32_t bits, enum picture_alpha alpha)
{
    const bool deep = bits > 8;
    switch (alpha) {
    case ALPHA_STRAIGHT:
        return deep ? PICTURE_RGBA16_STRAIGHT : PICTURE_RGBA8_STRAIGHT;
    case ALPHA_PREMULTIPLIED:
        return deep ? PICTURE_RGBA16_PREMULTIPLIED : PICTURE_RGBA8_PREMULTIPLIED;
    case ALPHA_NONE:
        break;
    }
    return deep ? PICTURE_RGBA16 : PICTURE_RGBA8;
}

enum picture_format picture_format_yuva444p10(enum picture_alpha alpha)
{
    return alpha == ALPHA_STRAIGHT ? PICTURE_YUVA444P10_STRAIGHT : PICTURE_YUVA444P10_PREMULTIPLIED;
}

void picture_take_rgb(const struct picture *picture, uint16_t *to)
{
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < layout->height; y++) {
        const uint16_t *from =
            (const uint16_t *)(const void *)(picture->data + (size_t)y * layout->plane[0].stride);
        for (uint32_t x = 0; x < layout->width; x++, to += 3, from += 4)
            memcpy(to, from, 3 * sizeof *to);
    }
}
