#include "render/video/container.h"

#include "base/log.h"
#include "render/video/libav_calls.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <string.h>

/* clang-format off */
static const struct container containers[] = {
    {.name = "mp4", .doc = "MP4, plays everywhere", .muxer = "mp4",
     .joins = true, .needs_seek = true, .boxes = true, .tells_projection = true},
    {.name = "mkv", .doc = "Matroska, for any codec and for pipes", .muxer = "matroska",
     .joins = true, .tells_projection = true},
    {.name = "mov", .doc = "QuickTime, for editing", .muxer = "mov",
     .joins = true, .needs_seek = true, .boxes = true},
    {.name = "webm", .doc = "WebM, for the web", .muxer = "webm",
     .joins = true, .tells_projection = true},
    {.name = "y4m", .doc = "uncompressed pictures for other programs", .muxer = "yuv4mpegpipe"},
};
/* clang-format on */

const struct registry container_registry = REGISTRY_OF("film format", containers);

/* clang-format off */
static const struct container loops[] = {
    {.name = "gif", .doc = "GIF, 255 colours, plays everywhere", .muxer = "gif",
     .rate_most = 50, .hundredths = true, .loops = true},
    {.name = "webp", .doc = "animated WebP, small, for web pages", .muxer = "webp",
     .needs_seek = true, .loops = true},
};
/* clang-format on */

const struct registry loop_registry = REGISTRY_OF("loop format", loops);

const struct container *container_find(const char *name)
{
    const struct container *found = (const void *)choice_find(&container_registry, name);
    return found ? found : (const void *)choice_find(&loop_registry, name);
}

/* No container's name is a substring of another's. */
bool container_takes(const struct container *container, const struct codec *codec)
{
    return strstr(codec->containers, container->name) != NULL;
}

/* Takes over `data`, which libav allocated. */
static int add_side_data(AVStream *stream, enum AVPacketSideDataType type, void *data, size_t size)
{
    if (!data)
        return AVERROR(ENOMEM);
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    AVCodecParameters *codec = stream->codecpar;
    bool added = av_packet_side_data_add(&codec->coded_side_data, &codec->nb_coded_side_data, type,
                                         data, size, 0) != NULL;
#else
    bool added = av_stream_add_side_data(stream, type, data, size) >= 0;
#endif
    if (!added)
        av_free(data);
    return added ? 0 : AVERROR(ENOMEM);
}

int container_project(const struct container *container, struct AVStream *stream,
                      const struct projection *projection)
{
    if (!projection || projection->flat)
        return 0;
    if (!container->tells_projection) {
        log_warning("%s cannot mark a film as stereo or 360 degrees; set the player by hand, or "
                    "choose mp4, mkv or webm",
                    container->name);
        return 0;
    }
    if (projection->whole_sphere) {
        size_t size;
        AVSphericalMapping *mapping = av_spherical_alloc(&size);
        if (mapping)
            mapping->projection = AV_SPHERICAL_EQUIRECTANGULAR;
        return add_side_data(stream, AV_PKT_DATA_SPHERICAL, mapping, size);
    }
    bool beside = projection->columns > 1;
    AVStereo3D *stereo = av_stereo3d_alloc();
    if (stereo)
        stereo->type = beside ? AV_STEREO3D_SIDEBYSIDE : AV_STEREO3D_TOPBOTTOM;
    int error = add_side_data(stream, AV_PKT_DATA_STEREO3D, stereo, sizeof *stereo);
    /* Older Matroska muxers read this instead. */
    return error < 0 ? error
                     : av_dict_set(&stream->metadata, "stereo_mode",
                                   beside ? "left_right" : "top_bottom", 0);
}

static const void *side_data(const AVStream *stream, enum AVPacketSideDataType type)
{
#if LIBAVFORMAT_VERSION_MAJOR >= 61
    const AVCodecParameters *codec = stream->codecpar;
    const AVPacketSideData *side =
        av_packet_side_data_get(codec->coded_side_data, codec->nb_coded_side_data, type);
    return side ? side->data : NULL;
#else
    return av_stream_get_side_data(stream, type, NULL);
#endif
}

static const struct projection *find_projection(bool whole_sphere, int columns, int rows)
{
    const struct projection *found;
    for (size_t i = 0; (found = choice_at(&projection_registry, i)); i++)
        if (found->whole_sphere == whole_sphere && found->columns == columns && found->rows == rows)
            break;
    return found;
}

const struct projection *container_projection(const struct AVStream *stream)
{
    if (side_data(stream, AV_PKT_DATA_SPHERICAL))
        return find_projection(true, 1, 1);
    const AVStereo3D *stereo = side_data(stream, AV_PKT_DATA_STEREO3D);
    if (!stereo || stereo->type == AV_STEREO3D_2D)
        return &projection_flat;
    const bool beside = stereo->type == AV_STEREO3D_SIDEBYSIDE;
    return find_projection(false, beside ? 2 : 1, beside ? 1 : 2);
}
