#include "base/file.h"
#include "base/text.h"
#include "render/sink_common.h"
#include "render/sink_encoder.h"
#include "render/sink_libav.h"
#include "render/sink_output.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdlib.h>
#include <string.h>

enum { IO_BUFFER = 1 << 18 };

static const struct container {
    const char *name, *muxer;
    bool needs_seek;
} containers[] = {
    {"mp4", "mp4", true},    {"mkv", "matroska", false},     {"mov", "mov", true},
    {"webm", "webm", false}, {"y4m", "yuv4mpegpipe", false},
};

struct video_sink {
    struct sink base;
    uint32_t width, height;
    struct output output;
    struct encoder *encoder;
    AVFormatContext *muxer;
    AVStream *stream;
    uint64_t packets;
};

#if LIBAVFORMAT_VERSION_MAJOR >= 61
typedef const uint8_t io_bytes;
#else
typedef uint8_t io_bytes;
#endif

static int io_write(void *opaque, io_bytes *data, int size)
{
    struct output *output = opaque;
    return output_write(output, data, (size_t)size) ? size : AVERROR(output->error);
}

static int64_t io_seek(void *opaque, int64_t offset, int whence)
{
    struct output *output = opaque;
    whence &= ~AVSEEK_FORCE;
    if (whence == AVSEEK_SIZE)
        return (int64_t)output->bytes;
    if (whence == SEEK_CUR)
        offset += (int64_t)output->position;
    else if (whence == SEEK_END)
        offset += (int64_t)output->bytes;
    else if (whence != SEEK_SET)
        return AVERROR(EINVAL);
    if (offset < 0)
        return AVERROR(EINVAL);
    return output_seek(output, (uint64_t)offset) ? offset : AVERROR(output->error);
}

static const struct container *find_container(const char *name)
{
    for (size_t i = 0; i < sizeof containers / sizeof containers[0]; i++)
        if (strcmp(containers[i].name, name) == 0)
            return &containers[i];
    return NULL;
}

/* No container's name is a part of another's. */
static bool fits(const struct codec *codec, const char *container)
{
    return strstr(codec->containers, container) != NULL;
}

static enum status choose_codec(const struct sink_params *params, const struct codec **out)
{
    const char *name = params->codec;
    *out = NULL;
    if (strcmp(name, "auto") != 0) {
        const struct codec *codec = codec_find(name);
        if (!codec)
            return status_fail(STATUS_USAGE, "unknown codec '%s'; '--codec help' lists them", name);
        if (!fits(codec, params->format))
            return status_fail(STATUS_USAGE, "codec %s does not go into %s; use it with: %s", name,
                               params->format, codec->containers);
        *out = codec;
        return STATUS_OK;
    }
    for (int i = 0; codecs[i] && !*out; i++)
        if (fits(codecs[i], params->format))
            *out = codecs[i];
    return *out ? STATUS_OK : status_fail(STATUS_USAGE, "no codec goes into %s", params->format);
}

static enum status make_muxer(struct video_sink *video, const struct sink_params *params,
                              const struct container *container)
{
    /* The name lets the mp4 muxer read the file back to move its index to the front. */
    char *url = NULL;
    if (video->output.temporary)
        url = text_format("file:%s", video->output.temporary);
    int error = avformat_alloc_output_context2(&video->muxer, NULL, container->muxer, url);
    free(url);
    if (error < 0)
        return status_fail(STATUS_DEVICE,
                           "the installed libavformat cannot write %s: %s; choose another "
                           "format",
                           params->format, libav_reason(error));
    AVFormatContext *muxer = video->muxer;
    unsigned char *buffer = av_malloc(IO_BUFFER);
    if (buffer)
        muxer->pb = avio_alloc_context(buffer, IO_BUFFER, 1, &video->output, NULL, io_write,
                                       video->output.seekable ? io_seek : NULL);
    if (!muxer->pb)
        av_free(buffer);
    video->stream = avformat_new_stream(muxer, NULL);
    if (!muxer->pb || !video->stream)
        return status_fail(STATUS_RUNTIME, "no memory left to open '%s'", params->path);
    muxer->flags |= AVFMT_FLAG_BITEXACT | AVFMT_FLAG_CUSTOM_IO;
    if (!video->output.seekable)
        muxer->flags |= AVFMT_FLAG_FLUSH_PACKETS;
    for (int i = 0; i < params->tag_count; i++)
        if (av_dict_set(&muxer->metadata, params->tags[i].key, params->tags[i].value, 0) < 0)
            return status_fail(STATUS_RUNTIME, "no memory left for the tags of '%s'", params->path);
    return STATUS_OK;
}

/* The movie's and the track's clocks tick alike and hit every frame, so that no duration is
 * rounded. */
static int clock_rate(uint32_t fps_num)
{
    uint32_t rate = fps_num;
    while (rate < 10000)
        rate *= 2;
    return (int)rate;
}

static enum status write_header(struct video_sink *video, const struct sink_params *params)
{
    const AVCodecContext *context = encoder_context(video->encoder);
    AVDictionary *options = NULL;
    if (strcmp(params->format, "mp4") == 0 || strcmp(params->format, "mov") == 0) {
        int rate = clock_rate((uint32_t)context->framerate.num);
        av_dict_set(&options, "movflags", "+faststart+use_metadata_tags+write_colr", 0);
        av_dict_set_int(&options, "movie_timescale", rate, 0);
        av_dict_set_int(&options, "video_track_timescale", rate, 0);
    }
    AVStream *stream = video->stream;
    stream->time_base = context->time_base;
    stream->avg_frame_rate = context->framerate;
    stream->r_frame_rate = context->framerate;
    stream->sample_aspect_ratio = context->sample_aspect_ratio;
    libav_forget();
    int error = avcodec_parameters_from_context(stream->codecpar, context);
    if (error >= 0 && strcmp(params->format, "mp4") != 0 && strcmp(params->format, "mov") != 0)
        stream->codecpar->codec_tag = 0;
    if (error >= 0)
        error = avformat_write_header(video->muxer, &options);
    av_dict_free(&options);
    if (video->output.error)
        return output_failed(&video->output, 0);
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "'%s' cannot be begun: %s", video->output.name,
                           libav_reason(error));
    return STATUS_OK;
}

static void release(struct video_sink *video)
{
    encoder_close(&video->encoder);
    if (video->muxer && video->muxer->pb) {
        av_freep(&video->muxer->pb->buffer);
        avio_context_free(&video->muxer->pb);
    }
    avformat_free_context(video->muxer);
    output_release(&video->output);
    free(video);
}

static enum status open_encoder(const struct sink_params *params, const struct codec *codec,
                                const struct container *container, struct encoder **out)
{
    uint32_t num = params->fps_num, den = params->fps_den;
    int64_t divisor = av_gcd(num, den);
    const AVOutputFormat *muxer = av_guess_format(container->muxer, NULL, NULL);
    const struct encoder_params encoder = {
        .codec = codec,
        .width = params->width,
        .height = params->height,
        .fps_num = (uint32_t)(num / divisor),
        .fps_den = (uint32_t)(den / divisor),
        .crf = params->crf,
        .preset = params->preset,
        .threads = params->threads,
        .global_header = muxer && (muxer->flags & AVFMT_GLOBALHEADER),
    };
    return encoder_open(&encoder, out);
}

static enum status open_all(struct video_sink *video, const struct sink_params *params,
                            const struct codec *codec, const struct container *container)
{
    enum status status = open_encoder(params, codec, container, &video->encoder);
    if (status == STATUS_OK)
        status = output_open(&video->output, params->path);
    if (status != STATUS_OK)
        return status;
    if (container->needs_seek && !video->output.seekable)
        status = status_fail(STATUS_USAGE,
                             "%s cannot be written to %s, which does not seek; use mkv or "
                             "y4m",
                             container->name, video->output.name);
    if (status == STATUS_OK)
        status = make_muxer(video, params, container);
    if (status == STATUS_OK)
        status = write_header(video, params);
    if (status != STATUS_OK)
        output_close(&video->output, false, false);
    return status;
}

static enum status choose(const struct sink_params *params, const struct container **container,
                          const struct codec **codec)
{
    libav_prepare();
    *container = find_container(params->format);
    if (!*container)
        return status_fail(STATUS_USAGE, "'%s' is no format of a film", params->format);
    if (strcmp(params->path, "-") == 0 && (*container)->needs_seek)
        return status_fail(STATUS_USAGE,
                           "%s cannot be written to a pipe, because its index goes to the front; "
                           "use mkv or y4m",
                           params->format);
    return choose_codec(params, codec);
}

static enum status video_plan(const struct sink_params *params, struct sink_plan *plan)
{
    const struct codec *codec;
    const struct container *container;
    struct encoder *encoder = NULL;
    enum status status = choose(params, &container, &codec);
    if (status == STATUS_OK)
        status = open_encoder(params, codec, container, &encoder);
    if (status != STATUS_OK)
        return status;
    plan->format = codec->format;
    snprintf(plan->description, sizeof plan->description, "%s", encoder_description(encoder));
    encoder_close(&encoder);
    return STATUS_OK;
}

static enum status video_open(const struct sink_params *params, struct sink **out)
{
    *out = NULL;
    const struct codec *codec;
    const struct container *container;
    enum status status = choose(params, &container, &codec);
    if (status != STATUS_OK)
        return status;
    struct video_sink *video = calloc(1, sizeof *video);
    if (!video)
        return status_fail(STATUS_RUNTIME, "no memory left to open '%s'", params->path);
    video->base = (struct sink){.ops = &sink_video, .format = codec->format};
    video->width = params->width;
    video->height = params->height;
    status = open_all(video, params, codec, container);
    if (status != STATUS_OK) {
        release(video);
        return status;
    }
    snprintf(video->base.description, sizeof video->base.description, "%s",
             encoder_description(video->encoder));
    *out = &video->base;
    return STATUS_OK;
}

static enum status write_packets(struct video_sink *video)
{
    for (;;) {
        AVPacket *packet;
        enum status status = encoder_receive(video->encoder, &packet);
        if (status != STATUS_OK || !packet)
            return status;
        packet->stream_index = video->stream->index;
        av_packet_rescale_ts(packet, encoder_context(video->encoder)->time_base,
                             video->stream->time_base);
        libav_forget();
        int error = av_write_frame(video->muxer, packet);
        if (video->output.error)
            return output_failed(&video->output, video->packets);
        if (error < 0)
            return status_fail(STATUS_RUNTIME, "'%s' cannot be continued after %llu frames: %s",
                               video->output.name, (unsigned long long)video->packets,
                               libav_reason(error));
        video->packets++;
        video->base.bytes = video->output.bytes;
    }
}

static enum status video_write(struct sink *sink, const struct picture *picture)
{
    struct video_sink *video = (struct video_sink *)sink;
    enum status status = sink_check_picture(sink, picture, video->width, video->height);
    if (status == STATUS_OK)
        status = encoder_send(video->encoder, picture);
    if (status == STATUS_OK)
        status = write_packets(video);
    if (status == STATUS_OK)
        sink->frames++;
    return status;
}

static enum status finish(struct video_sink *video)
{
    enum status status = encoder_send(video->encoder, NULL);
    if (status == STATUS_OK)
        status = write_packets(video);
    if (status != STATUS_OK)
        return status;
    if (video->packets != video->base.frames)
        return status_fail(STATUS_RUNTIME, "encoder %s gave %llu frames for %llu pictures",
                           video->base.description, (unsigned long long)video->packets,
                           (unsigned long long)video->base.frames);
    libav_forget();
    int error = av_write_trailer(video->muxer);
    avio_flush(video->muxer->pb);
    if (video->output.error)
        return output_failed(&video->output, video->packets);
    if (error >= 0)
        error = video->muxer->pb->error;
    if (error < 0)
        return status_fail(STATUS_IO, "'%s' cannot be finished after %llu frames: %s",
                           video->output.name, (unsigned long long)video->packets,
                           libav_reason(error));
    return STATUS_OK;
}

static enum status video_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct video_sink *video = (struct video_sink *)*sink;
    enum status status = STATUS_OK;
    bool whole = keep && !video->output.error && video->base.frames > 0;
    if (whole)
        status = finish(video);
    bool there = output_close(&video->output, whole && status == STATUS_OK, true);
    if (keep && status == STATUS_OK && !there)
        status = output_failed(&video->output, video->packets);
    bool kept = whole && status == STATUS_OK;
    if (frames)
        *frames = kept ? video->packets : 0;
    if (bytes)
        *bytes = kept ? video->output.bytes : 0;
    release(video);
    *sink = NULL;
    return status;
}

const struct sink_ops sink_video = {
    .name = "video",
    .doc = "a film: mp4, mkv, mov, webm or y4m",
    .plan = video_plan,
    .open = video_open,
    .write = video_write,
    .close = video_close,
};
