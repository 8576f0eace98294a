/* Pictures that move, for web pages and messages: GIF and animated WebP, played for ever. They are
 * written in one piece, without segments, and say nothing of themselves. */
#include "base/log.h"
#include "base/memory.h"
#include "render/sink/sink.h"
#include "render/video/codecs.h"
#include "render/video/container.h"
#include "render/video/encoder.h"
#include "render/video/libav.h"
#include "render/video/muxer.h"

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <stdlib.h>
#include <string.h>

struct loop_sink {
    struct sink base;
    struct encoder *encoder;
    struct muxer *muxer;
};

/* Each format has one codec. */
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
    if (params->codec)
        return status_fail(STATUS_USAGE,
                           "%s has one way to encode, and codec %s does not go into it; leave out "
                           "output.codec, or choose another format",
                           container->name, params->codec->name);
    if ((params->bits && params->bits != 8) || params->chroma)
        return status_fail(STATUS_USAGE,
                           "%s knows neither output.bits nor output.chroma; leave them out",
                           container->name);
    if (params->alpha != ALPHA_NONE && (gif || params->alpha != ALPHA_STRAIGHT))
        return status_fail(STATUS_USAGE,
                           gif ? "gif cannot carry transparency (alpha) here; use webp, mov or PNG "
                                 "pictures, or leave "
                                 "out output.alpha"
                               : "the alpha of webp is straight; use output.alpha straight");
    if (container->rate_most > 0 && rate > container->rate_most)
        return status_fail(STATUS_USAGE,
                           "%s counts hundredths of a second and viewers slow down what is faster "
                           "than %g frames per second, but output.fps is %g; use --fps %g or less",
                           container->name, container->rate_most, rate, container->rate_most);
    return STATUS_OK;
}

static enum status begin(const struct sink_params *params, const struct container **container,
                         struct encoder **encoder)
{
    libav_prepare();
    *encoder = NULL;
    *container = (const void *)choice_find(&loop_registry, params->format);
    if (!*container)
        return status_fail(STATUS_USAGE, "there is no loop format '%s'", params->format);
    if (strcmp(params->path, "-") == 0 && (*container)->needs_seek)
        return status_fail(STATUS_USAGE,
                           "%s cannot be written to a pipe, because its length goes to the front; "
                           "use gif or mkv",
                           params->format);
    enum status status = check(params, *container);
    if (status != STATUS_OK)
        return status;
    const int64_t divisor = av_gcd(params->fps_num, params->fps_den);
    const struct encoder_params asked = {
        .codec = codec_of(*container),
        .format = picture_format_rgba(8, params->alpha),
        .width = params->width,
        .height = params->height,
        .fps_num = (uint32_t)(params->fps_num / divisor),
        .fps_den = (uint32_t)(params->fps_den / divisor),
        .crf = params->crf,
        .preset = params->preset,
        .options = params->codec_options,
        .cuda_device = -1,
        .threads = 1,
    };
    return encoder_open(&asked, encoder);
}

static void fill_plan(const struct encoder *encoder, const struct container *container,
                      struct sink_plan *plan)
{
    *plan = (struct sink_plan){.format = encoder_format(encoder)};
    snprintf(plan->description, sizeof plan->description, "%s%s", encoder_codec(encoder)->encoder,
             container->hundredths ? ", 255 colours" : "");
    libav_versions(plan->libraries, sizeof plan->libraries);
}

static enum status loop_plan(const struct sink_params *params, struct sink_plan *plan)
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

static enum status open_file(struct loop_sink *loop, const struct sink_params *params,
                             const struct container *container)
{
    const struct muxer_params muxer = {.path = params->path,
                                       .container = container,
                                       .fps_num = params->fps_num,
                                       .fps_den = params->fps_den};
    enum status status = muxer_open(&muxer, &loop->muxer);
    if (status != STATUS_OK)
        return status;
    AVCodecParameters *codec = avcodec_parameters_alloc();
    if (!codec || avcodec_parameters_from_context(codec, encoder_context(loop->encoder)) < 0)
        memory_exhausted();
    status = muxer_begin(loop->muxer, codec, params->projection);
    avcodec_parameters_free(&codec);
    return status;
}

static void release(struct loop_sink *loop)
{
    encoder_close(&loop->encoder);
    muxer_close(&loop->muxer, false);
    free(loop);
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
    *out = NULL;
    const struct container *container;
    struct encoder *encoder;
    enum status status = begin(params, &container, &encoder);
    if (status != STATUS_OK)
        return status;
    struct loop_sink *loop = memory_new(1, sizeof *loop);
    struct sink_plan plan;
    fill_plan(encoder, container, &plan);
    sink_start(&loop->base, &sink_loop, params, &plan);
    loop->encoder = encoder;
    status = open_file(loop, params, container);
    if (status != STATUS_OK) {
        release(loop);
        return status;
    }
    tell_rounding(params, container);
    *out = &loop->base;
    return STATUS_OK;
}

static enum status write_packets(struct loop_sink *loop)
{
    for (;;) {
        AVPacket *packet;
        enum status status = encoder_receive(loop->encoder, &packet);
        if (status != STATUS_OK || !packet)
            return status;
        status = muxer_write(loop->muxer, packet);
        if (status != STATUS_OK)
            return status;
        loop->base.bytes = muxer_bytes(loop->muxer);
    }
}

static enum status loop_write(struct sink *sink, const struct picture *picture)
{
    struct loop_sink *loop = (struct loop_sink *)sink;
    enum status status = sink_check_picture(sink, picture);
    if (status == STATUS_OK)
        status = encoder_send(loop->encoder, picture);
    if (status == STATUS_OK)
        status = write_packets(loop);
    if (status == STATUS_OK)
        sink->frames++;
    return status;
}

static enum status finish(struct loop_sink *loop)
{
    enum status status = encoder_send(loop->encoder, NULL);
    if (status == STATUS_OK)
        status = write_packets(loop);
    if (status != STATUS_OK)
        return status;
    const uint64_t wanted = encoder_gathers(loop->encoder) ? 1 : loop->base.frames;
    if (muxer_packets(loop->muxer) != wanted)
        return status_fail(STATUS_RUNTIME, "encoder %s gave %llu packets for %llu pictures",
                           loop->base.description, (unsigned long long)muxer_packets(loop->muxer),
                           (unsigned long long)loop->base.frames);
    return muxer_finish(loop->muxer);
}

static enum status loop_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct loop_sink *loop = (struct loop_sink *)*sink;
    enum status status = STATUS_OK;
    keep &= loop->base.frames > 0;
    if (keep && !muxer_broken(loop->muxer))
        status = finish(loop);
    keep &= status == STATUS_OK;
    const uint64_t written = loop->base.frames, size = muxer_bytes(loop->muxer);
    enum status closed = muxer_close(&loop->muxer, keep);
    if (closed != STATUS_OK)
        status = closed;
    if (frames)
        *frames = keep && closed == STATUS_OK ? written : 0;
    if (bytes)
        *bytes = keep && closed == STATUS_OK ? size : 0;
    release(loop);
    *sink = NULL;
    return status;
}

const struct sink_ops sink_loop = {
    .name = "loop",
    .doc = "pictures that move for ever: gif or webp",
    .formats = &loop_registry,
    .binary = true,
    .plan = loop_plan,
    .open = loop_open,
    .write = loop_write,
    .close = loop_close,
};
