#include "render/video/encoder.h"

#include "base/memory.h"
#include "render/video/frame.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavutil/imgutils.h>
#include <stdlib.h>
#include <string.h>

enum { ROW_ALIGN = 64 };

struct encoder {
    const struct codec *codec;
    const struct driver *driver;
    enum picture_format format;
    AVCodecContext *context;
    AVBufferPool *pool; /* encoders keep references to the frames that they look ahead at */
    AVPacket *packet;
    int linesize[4];
    int64_t frames;
    bool opened, ended; /* ended: the encoder knows that no more frames come */
    char description[128];
};

static enum status make_context(struct encoder *encoder, const struct encoder_params *params)
{
    const struct codec *codec = params->codec;
    const AVCodec *found = avcodec_find_encoder_by_name(codec->encoder);
    if (!found)
        return status_fail(STATUS_DEVICE,
                           "codec %s needs the encoder %s, which the installed libavcodec "
                           "lacks; choose another --codec or install a full libavcodec",
                           codec->name, codec->encoder);
    encoder->context = avcodec_alloc_context3(found);
    encoder->packet = av_packet_alloc();
    if (!encoder->context || !encoder->packet)
        memory_exhausted();
    return driver_set_up(encoder->driver, params, encoder->context);
}

static enum status open_context(struct encoder *encoder, const struct encoder_params *params)
{
    const struct codec *codec = params->codec;
    if (encoder->driver->log_variable)
        setenv(encoder->driver->log_variable, "1", 0);

    libav_forget();
    int error = avcodec_open2(encoder->context, NULL, NULL);
    enum status status = STATUS_OK;
    encoder->opened = error >= 0;
    if (error >= 0 || params->options)
        status = driver_check_opened(encoder->driver, params, encoder->context);
    if (status != STATUS_OK || error >= 0)
        return status;
    bool given = params->options && params->options[0];
    if (codec->stands_in)
        return status_fail(
            STATUS_DEVICE,
            "encoder %s does not open: %s; it needs an NVIDIA GPU that has NVENC and "
            "a driver no older than libavcodec expects; --codec %s encodes on the "
            "CPU",
            codec->encoder, libav_reason(error), codec->stands_in->name);
    return status_fail(
        STATUS_DEVICE,
        "encoder %s does not open for %dx%d pictures%s%s: %s; choose another --codec "
        "or size%s",
        codec->encoder, encoder->context->width, encoder->context->height,
        given ? " with the options " : "", given ? params->options : "", libav_reason(error),
        given ? ", or leave options out" : "");
}

static enum status make_pool(struct encoder *encoder)
{
    const AVCodecContext *context = encoder->context;
    if (av_image_check_size((unsigned)context->width, (unsigned)context->height, 0, NULL) < 0)
        return status_fail(
            STATUS_USAGE,
            "a film of %dx%d is larger than libav's pictures, of which (width + 128) "
            "x (height + 128) is below 2^28; use a smaller output.size, or write "
            "pictures (-o frames/%%06d.png)",
            context->width, context->height);
    int width = FFALIGN(context->width, ROW_ALIGN);
    int size = av_image_get_buffer_size(context->pix_fmt, width, context->height, ROW_ALIGN);
    if (av_image_fill_linesizes(encoder->linesize, context->pix_fmt, width) >= 0 && size > 0)
        encoder->pool = av_buffer_pool_init((size_t)size + 4 * ROW_ALIGN, NULL);
    if (!encoder->pool)
        return status_fail(STATUS_RUNTIME,
                           "not enough memory for frames of %d bytes; use a smaller "
                           "output.size",
                           size);
    return STATUS_OK;
}

enum status encoder_open(const struct encoder_params *params, struct encoder **out)
{
    *out = NULL;
    libav_prepare();
    const struct driver *driver = choice_find(&driver_registry, params->codec->encoder);
    if (!driver)
        return status_fail(STATUS_DEVICE, "encoder %s is not supported", params->codec->encoder);
    enum status status = driver_check(driver, params);
    if (status != STATUS_OK)
        return status;
    struct encoder *encoder = memory_new(1, sizeof *encoder);
    encoder->driver = driver;
    encoder->codec = params->codec;
    encoder->format = params->format;
    driver_describe(driver, params, encoder->description, sizeof encoder->description);
    status = make_context(encoder, params);
    if (status == STATUS_OK)
        status = make_pool(encoder);
    if (status == STATUS_OK)
        status = open_context(encoder, params);
    if (status != STATUS_OK)
        encoder_close(&encoder);
    *out = encoder;
    return status;
}

const char *encoder_description(const struct encoder *encoder)
{
    return encoder->description;
}

const struct codec *encoder_codec(const struct encoder *encoder)
{
    return encoder->codec;
}

enum picture_format encoder_format(const struct encoder *encoder)
{
    return encoder->format;
}

const struct AVCodecContext *encoder_context(const struct encoder *encoder)
{
    return encoder->context;
}

static AVFrame *copy_picture(struct encoder *encoder, const struct picture *picture)
{
    AVFrame *frame = av_frame_alloc();
    if (!frame)
        return NULL;
    frame->buf[0] = av_buffer_pool_get(encoder->pool);
    frame->width = encoder->context->width;
    frame->height = encoder->context->height;
    frame->format = encoder->context->pix_fmt;
    if (!frame->buf[0] ||
        av_image_fill_pointers(frame->data, encoder->context->pix_fmt, frame->height,
                               frame->buf[0]->data, encoder->linesize) < 0) {
        av_frame_free(&frame);
        return NULL;
    }
    memcpy(frame->linesize, encoder->linesize, sizeof encoder->linesize);
    frame_fill(frame, picture);
    frame->pts = encoder->frames;
    frame->color_primaries = encoder->context->color_primaries;
    frame->color_trc = encoder->context->color_trc;
    frame->colorspace = encoder->context->colorspace;
    frame->color_range = encoder->context->color_range;
    frame->chroma_location = encoder->context->chroma_sample_location;
    frame->sample_aspect_ratio = encoder->context->sample_aspect_ratio;
    return frame;
}

enum status encoder_send(struct encoder *encoder, const struct picture *picture)
{
    AVFrame *frame = picture ? copy_picture(encoder, picture) : NULL;
    if (picture && !frame)
        return status_fail(STATUS_RUNTIME, "not enough memory for frame %lld of %dx%d pixels",
                           (long long)encoder->frames, encoder->context->width,
                           encoder->context->height);
    libav_forget();
    int error = avcodec_send_frame(encoder->context, frame);
    av_frame_free(&frame);
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "encoder %s failed at frame %lld: %s",
                           encoder->codec->encoder, (long long)encoder->frames,
                           libav_reason(error));
    encoder->frames += picture != NULL;
    encoder->ended = !picture;
    return STATUS_OK;
}

enum status encoder_receive(struct encoder *encoder, struct AVPacket **packet)
{
    *packet = NULL;
    av_packet_unref(encoder->packet);
    libav_forget();
    int error = avcodec_receive_packet(encoder->context, encoder->packet);
    if (error == AVERROR(EAGAIN) || error == AVERROR_EOF)
        return STATUS_OK;
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "encoder %s failed after frame %lld: %s",
                           encoder->codec->encoder, (long long)encoder->frames - 1,
                           libav_reason(error));
    encoder->packet->duration = 1;
    if (encoder->driver->lacks_times && encoder->ended && encoder->frames <= 2)
        encoder->packet->dts = encoder->packet->pts;
    *packet = encoder->packet;
    return STATUS_OK;
}

/* Gives the encoder a frame, if it has had none, and the end. */
static void end(struct encoder *encoder)
{
    if (!encoder->opened || encoder->ended || !encoder->driver->needs_ending)
        return;
    struct picture blank = {0};
    picture_layout(&blank.layout, encoder->format, (uint32_t)encoder->context->width,
                   (uint32_t)encoder->context->height);
    blank.data = encoder->frames == 0 ? calloc(1, blank.layout.size) : NULL;
    if (blank.data)
        encoder_send(encoder, &blank);
    free(blank.data);
    if (encoder->frames > 0 && avcodec_send_frame(encoder->context, NULL) >= 0)
        while (avcodec_receive_packet(encoder->context, encoder->packet) >= 0)
            av_packet_unref(encoder->packet);
}

void encoder_close(struct encoder **encoder)
{
    if (!*encoder)
        return;
    end(*encoder);
    avcodec_free_context(&(*encoder)->context);
    av_packet_free(&(*encoder)->packet);
    av_buffer_pool_uninit(&(*encoder)->pool);
    free(*encoder);
    *encoder = NULL;
}
