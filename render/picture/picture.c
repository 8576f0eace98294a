#include "render/picture/picture.h"

static const struct {
    const char *name;
    int planes, bits, samples;        /* bits per sample, samples per pixel in plane 0 */
    int chroma_shift, chroma_samples; /* chroma size is full size >> shift */
} formats[] = {
    [PICTURE_NV12] = {"nv12", 2, 8, 1, 1, 2},
    [PICTURE_YUV420P] = {"yuv420p", 3, 8, 1, 1, 1},
    [PICTURE_YUV420P10] = {"yuv420p10", 3, 10, 1, 1, 1},
    [PICTURE_YUV444P] = {"yuv444p", 3, 8, 1, 0, 1},
    [PICTURE_YUV444P10] = {"yuv444p10", 3, 10, 1, 0, 1},
    [PICTURE_RGBA8] = {"rgba8", 1, 8, 4, 0, 0},
    [PICTURE_RGBA16] = {"rgba16", 1, 16, 4, 0, 0},
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
        layout->plane[p].bytes = columns * samples * (picture_format_bits(format) > 8 ? 2 : 1);
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

bool picture_format_halves(enum picture_format format)
{
    return formats[format].chroma_shift > 0;
}
