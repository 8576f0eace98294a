/* A sink whose pictures are encoded and written into a container by libav: shared by films
 * and loops. */
#include "render/video/codecs.h"

#include "base/log.h"
#include "base/memory.h"
#include "render/sink/sink.h"
#include "render/video/encoder.h"
#include "render/video/libav.h"
#include "render/video/muxer.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/mathematics.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct encoded_sink {
    struct sink base;
    struct encoder *encoder;
    struct muxer *muxer;
};

struct encoded_kind {
    const struct sink_ops *ops; /* its entries are struct container */
    /* Chooses the codec, and rejects requests that the container cannot fulfil. */
    enum status (*open_encoder)(const struct sink_params *params, const struct container *container,
                                struct encoder **out);
    /* Completes a plan that has format, container and libraries. */
    void (*describe)(const struct encoder *encoder, const struct container *container,
                     struct sink_plan *plan);
};

static enum status begin(const struct encoded_kind *kind, const struct sink_params *params,
                         const struct container **container, struct encoder **encoder,
                         struct sink_plan *plan)
{
    libav_prepare();
    *encoder = NULL;
    *container = choice_find(kind->ops->formats, params->format);
    if (!*container)
        return status_fail(STATUS_USAGE, "there is no %s format '%s'", kind->ops->name,
                           params->format);
    if (strcmp(params->path, "-") == 0 && (*container)->needs_seek)
        return status_fail(STATUS_USAGE,
                           "%s cannot be written to a pipe, because its %s goes to the front; use "
                           "%s",
                           params->format, (*container)->loops ? "length" : "index",
                           (*container)->loops ? "gif or mkv" : "mkv or y4m");
    enum status status = kind->open_encoder(params, *container, encoder);
    if (status != STATUS_OK)
        return status;
    *plan = (struct sink_plan){.format = (*encoder)->format,
                               .container = (*container)->joins ? *container : NULL};
    libav_versions(plan->libraries, sizeof plan->libraries);
    kind->describe(*encoder, *container, plan);
    return STATUS_OK;
}

/* The verbs of struct sink_ops. */
static enum status encoded_plan(const struct encoded_kind *kind, const struct sink_params *params,
                                struct sink_plan *plan)
{
    const struct container *container;
    struct encoder *encoder;
    enum status status = begin(kind, params, &container, &encoder, plan);
    encoder_close(&encoder);
    return status;
}

static enum status open_file(struct encoded_sink *own, const struct sink_params *params,
                             const struct container *container)
{
    const struct muxer_params muxer = {.path = params->path,
                                       .container = container,
                                       .fps_num = params->fps_num,
                                       .fps_den = params->fps_den,
                                       .tags = container->loops ? (struct tags){0} : params->tags};
    enum status status = muxer_open(&muxer, &own->muxer);
    if (status != STATUS_OK)
        return status;
    AVCodecParameters *codec = avcodec_parameters_alloc();
    if (!codec || avcodec_parameters_from_context(codec, own->encoder->context) < 0)
        memory_exhausted();
    status = muxer_begin(own->muxer, codec, params->projection);
    avcodec_parameters_free(&codec);
    return status;
}

static void release(struct encoded_sink *own)
{
    encoder_close(&own->encoder);
    muxer_close(&own->muxer, false);
    free(own);
}

static enum status encoded_open(const struct encoded_kind *kind, const struct sink_params *params,
                                struct sink **out)
{
    const struct container *container;
    struct encoder *encoder;
    struct sink_plan plan;
    *out = NULL;
    enum status status = begin(kind, params, &container, &encoder, &plan);
    if (status != STATUS_OK)
        return status;
    struct encoded_sink *own = memory_new(1, sizeof *own);
    sink_start(&own->base, kind->ops, params, &plan);
    own->encoder = encoder;
    status = open_file(own, params, container);
    if (status != STATUS_OK) {
        release(own);
        return status;
    }
    *out = &own->base;
    return STATUS_OK;
}

static enum status write_packets(struct encoded_sink *own)
{
    for (;;) {
        AVPacket *packet;
        enum status status = encoder_receive(own->encoder, &packet);
        if (status != STATUS_OK || !packet)
            return status;
        status = muxer_write(own->muxer, packet);
        if (status != STATUS_OK)
            return status;
        own->base.bytes = muxer_bytes(own->muxer);
    }
}

static enum status encoded_write(struct sink *sink, const struct picture *picture)
{
    struct encoded_sink *own = (struct encoded_sink *)sink;
    enum status status = sink_check_picture(sink, picture);
    if (status == STATUS_OK)
        status = encoder_send(own->encoder, picture);
    if (status == STATUS_OK)
        status = write_packets(own);
    if (status == STATUS_OK)
        sink->frames++;
    return status;
}

static enum status finish(struct encoded_sink *own)
{
    enum status status = encoder_send(own->encoder, NULL);
    if (status == STATUS_OK)
        status = write_packets(own);
    if (status != STATUS_OK)
        return status;
    const uint64_t wanted = own->encoder->driver->gathers ? 1 : own->base.frames;
    if (muxer_packets(own->muxer) != wanted)
        return status_fail(STATUS_RUNTIME, "encoder %s gave %llu packets for %llu pictures",
                           own->base.description, (unsigned long long)muxer_packets(own->muxer),
                           (unsigned long long)own->base.frames);
    return muxer_finish(own->muxer);
}

static enum status encoded_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct encoded_sink *own = (struct encoded_sink *)*sink;
    enum status status = STATUS_OK;
    keep &= own->base.frames > 0;
    if (keep && !muxer_broken(own->muxer))
        status = finish(own);
    keep &= status == STATUS_OK;
    const uint64_t written = own->base.frames, size = muxer_bytes(own->muxer);
    enum status closed = muxer_close(&own->muxer, keep);
    if (closed != STATUS_OK)
        status = closed;
    if (frames)
        *frames = keep && closed == STATUS_OK ? written : 0;
    if (bytes)
        *bytes = keep && closed == STATUS_OK ? size : 0;
    release(own);
    *sink = NULL;
    return status;
}

/* ---- loop ---- */

/* GIF and animated WebP, for web pages and messages, played in an endless loop. They are written in
 * one piece, without segments, and have no metadata. */

/* Each is the only codec of its format. */
static const struct codec codecs[] = {
    {.name = "gif",
     .doc = "GIF",
     .encoder = "gif",
     .containers = "gif",
     .crf = -1,
     .preset = "",
     .presets = ""},
    {.name = "webp",
     .doc = "WebP",
     .encoder = "libwebp_anim",
     .containers = "webp",
     .crf = -1,
     .preset = "",
     .presets = ""},
};

static const struct codec *codec_of(const struct container *container)
{
    const struct codec *codec = codecs;
    while (strcmp(codec->containers, container->name) != 0)
        codec++;
    return codec;
}

static enum status check(const struct sink_params *params, const struct container *container)
{
    const double rate = (double)params->fps_num / params->fps_den;
    const bool gif = container->hundredths;
    if (params->output.codec)
        return status_fail(STATUS_USAGE,
                           "%s has a single encoding and cannot contain codec %s; leave out "
                           "output.codec, or choose another format",
                           container->name, params->output.codec->name);
    if ((params->output.bits && params->output.bits != 8) || params->output.chroma)
        return status_fail(STATUS_USAGE,
                           "%s does not support output.bits or output.chroma; leave them out",
                           container->name);
    if (params->alpha != ALPHA_NONE && (gif || params->alpha != ALPHA_STRAIGHT))
        return status_fail(STATUS_USAGE,
                           gif ? "gif cannot carry transparency (alpha) here; use webp, mov or PNG "
                                 "pictures, or leave out output.alpha"
                               : "the alpha of webp is straight; use output.alpha straight");
    if (container->rate_most > 0 && rate > container->rate_most)
        return status_fail(STATUS_USAGE,
                           "%s counts hundredths of a second and viewers slow down what is faster "
                           "than %g frames per second, but output.fps is %g; use --fps %g or less",
                           container->name, container->rate_most, rate, container->rate_most);
    return STATUS_OK;
}

static enum status open_encoder(const struct sink_params *params, const struct container *container,
                                struct encoder **out)
{
    enum status status = check(params, container);
    if (status != STATUS_OK)
        return status;
    const int64_t divisor = av_gcd(params->fps_num, params->fps_den);
    const struct encoder_params asked = {
        .codec = codec_of(container),
        .format = picture_format_rgba(8, params->alpha),
        .width = params->width,
        .height = params->height,
        .fps_num = (uint32_t)(params->fps_num / divisor),
        .fps_den = (uint32_t)(params->fps_den / divisor),
        .crf = params->output.crf,
        .preset = params->output.preset,
        .options = params->output.codec_options,
        .cuda_device = -1,
        .threads = 1,
    };
    return encoder_open(&asked, out);
}

static void describe(const struct encoder *encoder, const struct container *container,
                     struct sink_plan *plan)
{
    snprintf(plan->description, sizeof plan->description, "%s%s", encoder->codec->encoder,
             container->hundredths ? ", 255 colours" : "");
}

static const struct encoded_kind loop = {&sink_loop, open_encoder, describe};

static enum status loop_plan(const struct sink_params *params, struct sink_plan *plan)
{
    return encoded_plan(&loop, params, plan);
}

/* Warns if rounding makes frames differ in length. */
static void tell_rounding(const struct sink_params *params, const struct container *container)
{
    const uint64_t hundredths = 100ull * params->fps_den;
    if (container->hundredths && hundredths % params->fps_num != 0)
        log_info("%s counts hundredths of a second: frames are shown for %llu or %llu of them in "
                 "turn; 10, 20, 25 and 50 frames per second are even",
                 container->name, (unsigned long long)(hundredths / params->fps_num),
                 (unsigned long long)(hundredths / params->fps_num + 1));
}

static enum status loop_open(const struct sink_params *params, struct sink **out)
{
    enum status status = encoded_open(&loop, params, out);
    if (status == STATUS_OK)
        tell_rounding(params, choice_find(&loop_registry, params->format));
    return status;
}

const struct sink_ops sink_loop = {
    .name = "loop",
    .doc = "an endless loop: gif or webp",
    .formats = &loop_registry,
    .binary = true,
    .film = true,
    .plan = loop_plan,
    .open = loop_open,
    .write = encoded_write,
    .close = encoded_close,
};

/* ---- video ---- */

static enum status video_open_encoder(const struct sink_params *params, const struct codec *codec,
                                      const struct container *container, struct encoder **out)
{
    uint32_t num = params->fps_num, den = params->fps_den;
    int64_t divisor = av_gcd(num, den);
    const AVOutputFormat *muxer = av_guess_format(container->muxer, NULL, NULL);
    struct encoder_params encoder = {
        .codec = codec,
        .width = params->width,
        .height = params->height,
        .pad = params->output.pad,
        .fps_num = (uint32_t)(num / divisor),
        .fps_den = (uint32_t)(den / divisor),
        .crf = params->output.crf,
        .preset = params->output.preset,
        .options = params->output.codec_options,
        .deterministic = params->output.deterministic,
        .cuda_device = params->nvenc ? params->cuda_device : -1,
        .threads = params->output.threads,
        .global_header = muxer && (muxer->flags & AVFMT_GLOBALHEADER),
    };
    const struct codec_request request = {params->output.bits, params->output.chroma, params->alpha,
                                          params->hdr};
    enum status status = codec_format(codec, &request, &encoder.format);
    return status == STATUS_OK ? encoder_open(&encoder, out) : status;
}

/* Opens the container's default codec, on the GPU if it has one with the required properties. */
static enum status open_usual(const struct sink_params *params, const struct container *container,
                              struct encoder **out)
{
    const struct codec *codec, *usual = NULL;
    for (size_t i = 0; (codec = choice_at(&codec_registry, i)) && !usual; i++)
        if (container_takes(container, codec) &&
            (params->alpha == ALPHA_NONE || container_takes_alpha(container, codec)) &&
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
    for (size_t i = 0; params->nvenc && (codec = choice_at(&codec_registry, i)); i++) {
        if (codec->stands_in != usual)
            continue;
        if (video_open_encoder(params, codec, container, out) == STATUS_OK)
            return STATUS_OK;
        log_debug("codec auto does not take %s: %s", codec->name, status_text());
    }
    return video_open_encoder(params, usual, container, out);
}

static enum status open_chosen(const struct sink_params *params, const struct container *container,
                               struct encoder **out)
{
    const struct codec *codec = params->output.codec;
    if (!codec)
        return open_usual(params, container, out);
    if (!container_takes(container, codec))
        return status_fail(
            STATUS_USAGE,
            "codec %s does not go into %s; choose another --codec, or a format among: %s",
            codec->name, params->format, codec->containers);
    if (params->alpha != ALPHA_NONE && codec->alpha_bits &&
        !container_takes_alpha(container, codec))
        return status_fail(STATUS_USAGE,
                           "codec %s carries transparency (alpha) in %s only; choose that format, "
                           "or leave out output.alpha",
                           codec->name, codec->alpha_containers);
    return video_open_encoder(params, codec, container, out);
}

static void video_describe(const struct encoder *encoder, const struct container *container,
                           struct sink_plan *plan)
{
    (void)container;
    plan->codec = encoder->codec;
    snprintf(plan->description, sizeof plan->description, "%s", encoder->description);
}

static const struct encoded_kind film = {&sink_video, open_chosen, video_describe};

static enum status video_plan(const struct sink_params *params, struct sink_plan *plan)
{
    return encoded_plan(&film, params, plan);
}

static enum status video_open(const struct sink_params *params, struct sink **out)
{
    return encoded_open(&film, params, out);
}

static void video_tag(struct sink *sink, const struct tag *tag)
{
    muxer_tag(((struct encoded_sink *)sink)->muxer, tag);
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
    .film = true,
    .plan = video_plan,
    .open = video_open,
    .write = encoded_write,
    .tag = video_tag,
    .close = encoded_close,
};

void video_libraries(char *out, size_t size)
{
    libav_versions(out, size);
}
