#include "render/video/encoded.h"

#include "base/memory.h"
#include "render/video/libav.h"
#include "render/video/libav_calls.h"

#include <libavcodec/avcodec.h>
#include <stdlib.h>
#include <string.h>

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
    *plan = (struct sink_plan){.format = encoder_format(*encoder),
                               .container = (*container)->joins ? *container : NULL};
    libav_versions(plan->libraries, sizeof plan->libraries);
    kind->describe(*encoder, *container, plan);
    return STATUS_OK;
}

enum status encoded_plan(const struct encoded_kind *kind, const struct sink_params *params,
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
    if (!codec || avcodec_parameters_from_context(codec, encoder_context(own->encoder)) < 0)
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

enum status encoded_open(const struct encoded_kind *kind, const struct sink_params *params,
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

enum status encoded_write(struct sink *sink, const struct picture *picture)
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
    const uint64_t wanted = encoder_gathers(own->encoder) ? 1 : own->base.frames;
    if (muxer_packets(own->muxer) != wanted)
        return status_fail(STATUS_RUNTIME, "encoder %s gave %llu packets for %llu pictures",
                           own->base.description, (unsigned long long)muxer_packets(own->muxer),
                           (unsigned long long)own->base.frames);
    return muxer_finish(own->muxer);
}

enum status encoded_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
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
