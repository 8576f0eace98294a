#include "render/video/mastering.h"

#include "render/picture/hdr.h"
#include "render/video/libav_calls.h"

#include <libavformat/avformat.h>
#include <libavutil/mastering_display_metadata.h>

static AVMasteringDisplayMetadata *new_display(void)
{
    AVMasteringDisplayMetadata *display = av_mastering_display_metadata_alloc();
    static const int primaries[3][2] = {{32000, 16500}, {15000, 30000}, {7500, 3000}};
    static const int white[2] = {15635, 16450};
    if (!display)
        return NULL;
    for (int i = 0; i < 2; i++) {
        for (int c = 0; c < 3; c++)
            display->display_primaries[c][i] = (AVRational){primaries[c][i], 50000};
        display->white_point[i] = (AVRational){white[i], 50000};
    }
    display->min_luminance = (AVRational){1, 10000};
    display->max_luminance = (AVRational){HDR_PEAK * 10000, 10000};
    display->has_primaries = display->has_luminance = 1;
    return display;
}

static int add(AVStream *stream, enum AVPacketSideDataType kind, void *data, size_t size)
{
    const int error = data ? av_stream_add_side_data(stream, kind, data, size) : AVERROR(ENOMEM);
    if (error < 0)
        av_free(data);
    return error;
}

int mastering_tell(struct AVStream *stream, const struct AVCodecParameters *codec)
{
    if (codec->color_trc != AVCOL_TRC_SMPTE2084)
        return 0;
    size_t size;
    AVContentLightMetadata *level = av_content_light_metadata_alloc(&size);
    if (level)
        *level = (AVContentLightMetadata){.MaxCLL = HDR_PEAK, .MaxFALL = 0};
    int error = add(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, level, size);
    if (error >= 0)
        error = add(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, new_display(),
                    sizeof(AVMasteringDisplayMetadata));
    return error;
}
