#include "base/log.h"
#include "base/text.h"
#include "render/sink_common.h"
#include "render/sink_container.h"
#include "render/sink_encoder.h"
#include "render/sink_libav.h"
#include "render/sink_output.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdlib.h>
#include <string.h>

enum { IO_BUFFER = 1 << 18 };

struct video_sink {
    struct sink base;
    uint32_t width, height;
    const struct container *container;
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

static enum status make_muxer(struct video_sink *video, const struct sink_params *params)
{
    /* The name lets the mp4 muxer read the file back to move its index to the front. */
    char *url = NULL;
    if (video->output.temporary)
        url = text_format("file:%s", video->output.temporary);
    int error = avformat_alloc_output_context2(&video->muxer, NULL, video->container->muxer, url);
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

static enum status write_header(struct video_sink *video, const struct sink_params *params)
{
    libav_forget();
    int error = container_begin(video->container, video->muxer, video->stream,
                                encoder_context(video->encoder), params->projection);
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
    struct encoder_params encoder = {
        .codec = codec,
        .width = params->width,
        .height = params->height,
        .pad = params->pad,
        .fps_num = (uint32_t)(num / divisor),
        .fps_den = (uint32_t)(den / divisor),
        .crf = params->crf,
        .preset = params->preset,
        .options = params->codec_options,
        .deterministic = params->deterministic,
        .cuda_device = params->on_gpu ? params->cuda_device : -1,
        .threads = params->threads,
        .global_header = muxer && (muxer->flags & AVFMT_GLOBALHEADER),
    };
    enum status status = codec_format(codec, params->bits, params->chroma, &encoder.format);
    return status == STATUS_OK ? encoder_open(&encoder, out) : status;
}

/* The usual codec of the container, made by the GPU if there is one that can do what is asked. */
static enum status open_usual(const struct sink_params *params, const struct container *container,
                              struct encoder **out)
{
    const struct codec *usual = NULL;
    for (int i = 0; codecs[i] && !usual; i++)
        if (container_takes(container, codecs[i]))
            usual = codecs[i];
    if (!usual)
        return status_fail(STATUS_USAGE, "no codec goes into %s", params->format);
    for (int i = 0; params->on_gpu && codecs[i]; i++) {
        if (codecs[i]->stands_in != usual)
            continue;
        if (open_encoder(params, codecs[i], container, out) == STATUS_OK)
            return STATUS_OK;
        log_debug("codec auto does not take %s: %s", codecs[i]->name, status_text());
    }
    return open_encoder(params, usual, container, out);
}

static enum status open_chosen(const struct sink_params *params, const struct container *container,
                               struct encoder **out)
{
    if (strcmp(params->codec, "auto") == 0)
        return open_usual(params, container, out);
    const struct codec *codec = codec_find(params->codec);
    const char *renamed = codec_renamed(params->codec);
    if (renamed)
        return status_fail(STATUS_USAGE, "codec %s %s", params->codec, renamed);
    if (!codec)
        return status_fail(STATUS_USAGE, "unknown codec '%s'; '--codec help' lists them",
                           params->codec);
    if (!container_takes(container, codec))
        return status_fail(STATUS_USAGE, "codec %s does not go into %s; use it with: %s",
                           codec->name, params->format, codec->containers);
    return open_encoder(params, codec, container, out);
}

static enum status begin(const struct sink_params *params, const struct container **container,
                         struct encoder **encoder)
{
    libav_prepare();
    *encoder = NULL;
    *container = container_find(params->format);
    if (!*container)
        return status_fail(STATUS_USAGE, "'%s' is no format of a film", params->format);
    if (strcmp(params->path, "-") == 0 && (*container)->needs_seek)
        return status_fail(STATUS_USAGE,
                           "%s cannot be written to a pipe, because its index goes to the front; "
                           "use mkv or y4m",
                           params->format);
    return open_chosen(params, *container, encoder);
}

static enum status video_plan(const struct sink_params *params, struct sink_plan *plan)
{
    const struct container *container;
    struct encoder *encoder;
    enum status status = begin(params, &container, &encoder);
    if (status != STATUS_OK)
        return status;
    *plan = (struct sink_plan){.format = encoder_format(encoder),
                               .codec = encoder_codec(encoder)->name};
    snprintf(plan->description, sizeof plan->description, "%s", encoder_description(encoder));
    libav_versions(plan->libraries, sizeof plan->libraries);
    encoder_close(&encoder);
    return STATUS_OK;
}

static enum status open_file(struct video_sink *video, const struct sink_params *params)
{
    enum status status = output_open(&video->output, params->path);
    if (status != STATUS_OK)
        return status;
    if (video->container->needs_seek && !video->output.seekable)
        status = status_fail(STATUS_USAGE,
                             "%s cannot be written to %s, which does not seek; use mkv or "
                             "y4m",
                             video->container->name, video->output.name);
    if (status == STATUS_OK)
        status = make_muxer(video, params);
    if (status == STATUS_OK)
        status = write_header(video, params);
    if (status != STATUS_OK)
        output_close(&video->output, false, false);
    return status;
}

static enum status video_open(const struct sink_params *params, struct sink **out)
{
    *out = NULL;
    const struct container *container;
    struct encoder *encoder;
    enum status status = begin(params, &container, &encoder);
    if (status != STATUS_OK)
        return status;
    struct video_sink *video = calloc(1, sizeof *video);
    if (!video) {
        encoder_close(&encoder);
        return status_fail(STATUS_RUNTIME, "no memory left to open '%s'", params->path);
    }
    video->base = (struct sink){.ops = &sink_video, .format = encoder_format(encoder)};
    snprintf(video->base.description, sizeof video->base.description, "%s",
             encoder_description(encoder));
    video->width = params->width;
    video->height = params->height;
    video->container = container;
    video->encoder = encoder;
    status = open_file(video, params);
    if (status != STATUS_OK) {
        release(video);
        return status;
    }
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

static enum status video_tag(struct sink *sink, const struct sink_tag *tag)
{
    struct video_sink *video = (struct video_sink *)sink;
    if (video->container->boxes &&
        av_dict_set(&video->muxer->metadata, tag->key, tag->value, 0) < 0)
        return status_fail(STATUS_RUNTIME, "no memory left for the tags of '%s'",
                           video->output.name);
    return STATUS_OK;
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
    .tag = video_tag,
    .close = video_close,
};
