#include "render/video/video.h"

#include "base/log.h"
#include "render/video/codecs.h"
#include "render/video/encoded.h"
#include "render/video/libav.h"
#include "render/video/libav_calls.h"

#include <libavformat/avformat.h>

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
        .cuda_device = params->nvenc ? params->cuda_device : -1,
        .threads = params->threads,
        .global_header = muxer && (muxer->flags & AVFMT_GLOBALHEADER),
    };
    const struct codec_request request = {params->bits, params->chroma, params->alpha, params->hdr};
    enum status status = codec_format(codec, &request, &encoder.format);
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
    for (size_t i = 0; params->nvenc && (codec = choice_at(&codec_registry, i)); i++) {
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

static void describe(const struct encoder *encoder, const struct container *container,
                     struct sink_plan *plan)
{
    (void)container;
    plan->codec = encoder_codec(encoder);
    snprintf(plan->description, sizeof plan->description, "%s", encoder_description(encoder));
}

static const struct encoded_kind film = {&sink_video, open_chosen, describe};

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
