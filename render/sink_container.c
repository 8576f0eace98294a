#include "render/sink_container.h"

#include "base/log.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/pixdesc.h>
#include <libavutil/spherical.h>
#include <libavutil/stereo3d.h>
#include <string.h>

static const struct container containers[] = {
    {"mp4", "mp4", true, true, true},
    {"mkv", "matroska", false, false, true},
    {"mov", "mov", true, true, false},
    {"webm", "webm", false, false, true},
    {"y4m", "yuv4mpegpipe", false, false, false},
};

const struct container *container_find(const char *name)
{
    for (size_t i = 0; i < sizeof containers / sizeof containers[0]; i++)
        if (strcmp(containers[i].name, name) == 0)
            return &containers[i];
    return NULL;
}

/* No container's name is a part of another's. */
bool container_takes(const struct container *container, const struct codec *codec)
{
    return strstr(codec->containers, container->name) != NULL;
}

/* The movie's and the track's clocks tick alike and hit every frame, so that no duration is
 * rounded. */
static int clock_rate(int fps_num)
{
    int rate = fps_num;
    while (rate < 10000)
        rate *= 2;
    return rate;
}

/* Takes `data`, which libav allocated. */
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

static int add_projection(AVStream *stream, enum sink_projection projection)
{
    if (projection == SINK_FLAT)
        return 0;
    if (projection == SINK_EQUIRECT) {
        size_t size;
        AVSphericalMapping *mapping = av_spherical_alloc(&size);
        if (mapping)
            mapping->projection = AV_SPHERICAL_EQUIRECTANGULAR;
        return add_side_data(stream, AV_PKT_DATA_SPHERICAL, mapping, size);
    }
    bool beside = projection == SINK_SIDE_BY_SIDE;
    AVStereo3D *stereo = av_stereo3d_alloc();
    if (stereo)
        stereo->type = beside ? AV_STEREO3D_SIDEBYSIDE : AV_STEREO3D_TOPBOTTOM;
    int error = add_side_data(stream, AV_PKT_DATA_STEREO3D, stereo, sizeof *stereo);
    /* Matroska's muxer of older versions reads this instead. */
    return error < 0 ? error
                     : av_dict_set(&stream->metadata, "stereo_mode",
                                   beside ? "left_right" : "top_bottom", 0);
}

/* For what the muxers keep behind a door: boxes of stereo and spherical films in MP4, Y4M of more
 * than 8 bits. */
static bool is_unofficial(const AVCodecContext *encoder, enum sink_projection projection)
{
    return projection != SINK_FLAT || av_pix_fmt_desc_get(encoder->pix_fmt)->comp[0].depth > 8;
}

int container_begin(const struct container *container, struct AVFormatContext *muxer,
                    struct AVStream *stream, const struct AVCodecContext *encoder,
                    enum sink_projection projection)
{
    AVDictionary *options = NULL;
    if (container->boxes) {
        int rate = clock_rate(encoder->framerate.num);
        av_dict_set(&options, "movflags", "+faststart+use_metadata_tags+write_colr", 0);
        av_dict_set_int(&options, "movie_timescale", rate, 0);
        av_dict_set_int(&options, "video_track_timescale", rate, 0);
    }
    stream->time_base = encoder->time_base;
    stream->avg_frame_rate = encoder->framerate;
    stream->r_frame_rate = encoder->framerate;
    stream->sample_aspect_ratio = encoder->sample_aspect_ratio;
    if (is_unofficial(encoder, projection))
        muxer->strict_std_compliance = FF_COMPLIANCE_UNOFFICIAL;
    int error = avcodec_parameters_from_context(stream->codecpar, encoder);
    if (error >= 0 && !container->boxes)
        stream->codecpar->codec_tag = 0;
    if (error >= 0 && container->tells_projection)
        error = add_projection(stream, projection);
    else if (projection != SINK_FLAT)
        log_warning("%s keeps no word of stereo or 360-degree pictures; tell the player, or choose "
                    "mp4, mkv or webm",
                    container->name);
    if (error >= 0)
        error = avformat_write_header(muxer, &options);
    av_dict_free(&options);
    return error < 0 ? error : 0;
}
