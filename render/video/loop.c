/* GIF and animated WebP, for web pages and messages, played in an endless loop. They are written in
 * one piece, without segments, and have no metadata. */
#include "base/log.h"
#include "render/video/codecs.h"
#include "render/video/encoded.h"
#include "render/video/libav_calls.h"

#include <libavutil/mathematics.h>
#include <stdio.h>
#include <string.h>

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
    if (params->codec)
        return status_fail(STATUS_USAGE,
                           "%s has a single encoding and cannot contain codec %s; leave out "
                           "output.codec, or choose another format",
                           container->name, params->codec->name);
    if ((params->bits && params->bits != 8) || params->chroma)
        return status_fail(STATUS_USAGE,
                           "%s does not support output.bits or output.chroma; leave them out",
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
        .crf = params->crf,
        .preset = params->preset,
        .options = params->codec_options,
        .cuda_device = -1,
        .threads = 1,
    };
    return encoder_open(&asked, out);
}

static void describe(const struct encoder *encoder, const struct container *container,
                     struct sink_plan *plan)
{
    snprintf(plan->description, sizeof plan->description, "%s%s", encoder_codec(encoder)->encoder,
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
    .plan = loop_plan,
    .open = loop_open,
    .write = encoded_write,
    .close = encoded_close,
};
