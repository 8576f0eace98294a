#include "base/log.h"
#include "base/memory.h"
#include "render/video/video.h"

#include "render/video/codecs.h"
#include "render/video/container.h"
#include "render/video/encoder.h"
#include "render/video/libav.h"
#include "render/video/muxer.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdlib.h>
#include <string.h>

struct video_sink {
    struct sink base;
    struct encoder *encoder;
    struct muxer *muxer;
};

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
    const struct codec_wish wish = {params->bits, params->chroma, params->alpha, params->hdr};
    enum status status = codec_format(codec, &wish, &encoder.format);
    return status == STATUS_OK ? encoder_open(&encoder, out) : status;
}

/* Opens the container's default codec, on the GPU if it has one with the required properties. */
static enum status open_usual(const struct sink_params *params, const struct container *container,
                              struct encoder **out)
{
    const struct codec *codec, *usual = NULL;
    for (size_t i = 0; (codec = choice_at(&codec_registry, i)) && !usual; i++)
        if (container_takes(container, codec) && (codec->alpha || params->alpha == ALPHA_NONE) &&
            (codec->hdr || params->hdr == HDR_NONE))
            usual = codec;
    if (!usual && params->alpha != ALPHA_NONE)
        return status_fail(
            STATUS_USAGE,
            "%s cannot carry transparency (alpha); use mov, mkv, webp or PNG pictures, "
            "or leave out output.alpha",
            params->format);
    if (!usual && params->hdr != HDR_NONE)
        return status_fail(STATUS_USAGE,
                           "%s is not played in high dynamic range; use mp4, mov, mkv or webm, or "
                           "leave out output.hdr",
                           params->format);
    if (!usual)
        return status_fail(STATUS_USAGE, "no codec can be stored in %s", params->format);
    for (size_t i = 0; params->on_gpu && (codec = choice_at(&codec_registry, i)); i++) {
        if (codec->stands_in != usual)
            continue;
        if (open_encoder(params, codec, container, out) == STATUS_OK)
            return STATUS_OK;
        log_debug("codec auto does not take %s: %s", codec->name, status_text());
    }
    return open_encoder(params, usual, container, out);
}

static enum status open_chosen(const struct sink_params *params, const struct container *container,
                               struct encoder **out)
{
    const struct codec *codec = params->codec;
    if (!codec)
        return open_usual(params, container, out);
    if (!container_takes(container, codec))
        return status_fail(
            STATUS_USAGE,
            "codec %s does not go into %s; choose another --codec, or a format among: %s",
            codec->name, params->format, codec->containers);
    return open_encoder(params, codec, container, out);
}

static enum status begin(const struct sink_params *params, const struct container **container,
                         struct encoder **encoder)
{
    libav_prepare();
    *encoder = NULL;
    *container = choice_find(&container_registry, params->format);
    if (!*container)
        return status_fail(STATUS_USAGE, "there is no film format '%s'", params->format);
    if (strcmp(params->path, "-") == 0 && (*container)->needs_seek)
        return status_fail(STATUS_USAGE,
                           "%s cannot be written to a pipe, because its index goes to the front; "
                           "use mkv or y4m",
                           params->format);
    return open_chosen(params, *container, encoder);
}

static void fill_plan(const struct encoder *encoder, const struct container *container,
                      struct sink_plan *plan)
{
    *plan = (struct sink_plan){.format = encoder_format(encoder),
                               .codec = encoder_codec(encoder),
                               .container = container->joins ? container : NULL};
    snprintf(plan->description, sizeof plan->description, "%s", encoder_description(encoder));
    libav_versions(plan->libraries, sizeof plan->libraries);
}

static enum status video_plan(const struct sink_params *params, struct sink_plan *plan)
{
    const struct container *container;
    struct encoder *encoder;
    enum status status = begin(params, &container, &encoder);
    if (status != STATUS_OK)
        return status;
    fill_plan(encoder, container, plan);
    encoder_close(&encoder);
    return STATUS_OK;
}

static enum status open_file(struct video_sink *video, const struct sink_params *params,
                             const struct container *container)
{
    const struct muxer_params muxer = {.path = params->path,
                                       .container = container,
                                       .fps_num = params->fps_num,
                                       .fps_den = params->fps_den,
                                       .tags = params->tags};
    enum status status = muxer_open(&muxer, &video->muxer);
    if (status != STATUS_OK)
        return status;
    AVCodecParameters *codec = avcodec_parameters_alloc();
    if (!codec || avcodec_parameters_from_context(codec, encoder_context(video->encoder)) < 0)
        memory_exhausted();
    status = muxer_begin(video->muxer, codec, params->projection);
    avcodec_parameters_free(&codec);
    return status;
}

static void release(struct video_sink *video)
{
    encoder_close(&video->encoder);
    muxer_close(&video->muxer, false);
    free(video);
}

static enum status video_open(const struct sink_params *params, struct sink **out)
{
    *out = NULL;
    const struct container *container;
    struct encoder *encoder;
    enum status status = begin(params, &container, &encoder);
    if (status != STATUS_OK)
        return status;
    struct video_sink *video = memory_new(1, sizeof *video);
    struct sink_plan plan;
    fill_plan(encoder, container, &plan);
    sink_start(&video->base, &sink_video, params, &plan);
    video->encoder = encoder;
    status = open_file(video, params, container);
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
        status = muxer_write(video->muxer, packet);
        if (status != STATUS_OK)
            return status;
        video->base.bytes = muxer_bytes(video->muxer);
    }
}

static enum status video_write(struct sink *sink, const struct picture *picture)
{
    struct video_sink *video = (struct video_sink *)sink;
    enum status status = sink_check_picture(sink, picture);
    if (status == STATUS_OK)
        status = encoder_send(video->encoder, picture);
    if (status == STATUS_OK)
        status = write_packets(video);
    if (status == STATUS_OK)
        sink->frames++;
    return status;
}

static void video_tag(struct sink *sink, const struct tag *tag)
{
    muxer_tag(((struct video_sink *)sink)->muxer, tag);
}

static enum status finish(struct video_sink *video)
{
    enum status status = encoder_send(video->encoder, NULL);
    if (status == STATUS_OK)
        status = write_packets(video);
    if (status != STATUS_OK)
        return status;
    if (muxer_packets(video->muxer) != video->base.frames)
        return status_fail(STATUS_RUNTIME, "encoder %s gave %llu frames for %llu pictures",
                           video->base.description, (unsigned long long)muxer_packets(video->muxer),
                           (unsigned long long)video->base.frames);
    return muxer_finish(video->muxer);
}

static enum status video_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct video_sink *video = (struct video_sink *)*sink;
    enum status status = STATUS_OK;
    keep &= video->base.frames > 0;
    if (keep && !muxer_broken(video->muxer))
        status = finish(video);
    keep &= status == STATUS_OK;
    uint64_t written = video->base.frames, size = muxer_bytes(video->muxer);
    enum status closed = muxer_close(&video->muxer, keep);
    if (closed != STATUS_OK)
        status = closed;
    if (frames)
        *frames = keep && closed == STATUS_OK ? written : 0;
    if (bytes)
        *bytes = keep && closed == STATUS_OK ? size : 0;
    release(video);
    *sink = NULL;
    return status;
}

enum status video_probe(const struct codec *codec)
{
    const struct encoder_params params = {.codec = codec,
                                          .format = codec->formats[0],
                                          .width = 256,
                                          .height = 128,
                                          .fps_num = 30,
                                          .fps_den = 1,
                                          .crf = -1,
                                          .preset = "",
                                          .cuda_device = -1,
                                          .threads = 1};
    struct encoder *encoder;
    enum status status = encoder_open(&params, &encoder);
    if (status == STATUS_OK)
        encoder_close(&encoder);
    return status;
}

const struct sink_ops sink_video = {
    .name = "video",
    .doc = "a film: mp4, mkv, mov, webm or y4m",
    .formats = &container_registry,
    .binary = true,
    .plan = video_plan,
    .open = video_open,
    .write = video_write,
    .tag = video_tag,
    .close = video_close,
};

void video_libraries(char *out, size_t size)
{
    libav_versions(out, size);
}
