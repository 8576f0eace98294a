#include "render/video/encoder.h"

#include "base/memory.h"
#include "render/picture/gif_palette.h"
#include "render/video/libav.h"

#include <libavcodec/avcodec.h>
#include <libavutil/frame.h>
#include <libavutil/imgutils.h>
#include <libavutil/pixdesc.h>
#include <stdlib.h>
#include <string.h>

/* ---- frame ---- */

enum { BLACK = 16, GREY = 128 }; /* 8-bit codes */

static uint8_t *sample_at(const AVFrame *frame, const AVComponentDescriptor *component, int x,
                          int y)
{
    return frame->data[component->plane] + (ptrdiff_t)y * frame->linesize[component->plane] +
           (ptrdiff_t)x * component->step + component->offset;
}

static void put(uint8_t *at, bool wide, unsigned value)
{
    at[0] = (uint8_t)value;
    if (wide)
        at[1] = (uint8_t)(value >> 8);
}

static unsigned get(const uint8_t *at, bool wide)
{
    return wide ? at[0] | (unsigned)at[1] << 8 : at[0];
}

static void copy_planes(AVFrame *frame, const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    for (int p = 0; p < layout->planes; p++)
        av_image_copy_plane(frame->data[p], frame->linesize[p],
                            picture->data + layout->plane[p].offset, (int)layout->plane[p].stride,
                            (int)layout->plane[p].bytes, (int)layout->plane[p].rows);
}

static void swap_red_and_blue(AVFrame *frame, const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    for (uint32_t y = 0; y < layout->height; y++) {
        const uint8_t *from =
            picture->data + layout->plane[0].offset + (size_t)y * layout->plane[0].stride;
        uint8_t *to = frame->data[0] + (ptrdiff_t)y * frame->linesize[0];
        for (uint32_t x = 0; x < layout->width; x++, from += 4, to += 4) {
            to[0] = from[2];
            to[1] = from[1];
            to[2] = from[0];
            to[3] = from[3];
        }
    }
}

/* Shifts 10 bits from the lower to the upper bits of a word. */
static void lift_planes(AVFrame *frame, const AVPixFmtDescriptor *pixels,
                        const struct picture *picture)
{
    const struct picture_layout *layout = &picture->layout;
    for (int c = 0; c < 3; c++) {
        int columns = (int)layout->plane[c].bytes / 2, step = pixels->comp[c].step;
        for (int y = 0; y < (int)layout->plane[c].rows; y++) {
            const uint8_t *from =
                picture->data + layout->plane[c].offset + (size_t)y * layout->plane[c].stride;
            uint8_t *to = sample_at(frame, &pixels->comp[c], 0, y);
            for (int x = 0; x < columns; x++, from += 2, to += step)
                put(to, true, get(from, true) << 6);
        }
    }
}

/* Fills luma and alpha of the added column and row, then the chroma that they share with the edge.
 */
static void pad(AVFrame *frame, const AVPixFmtDescriptor *pixels, int width, int height)
{
    bool wide = pixels->comp[0].depth > 8;
    int scale = pixels->comp[0].depth - 8 + pixels->comp[0].shift;
    for (int y = 0; y < frame->height; y++)
        for (int x = y < height ? width : 0; x < frame->width; x++)
            put(sample_at(frame, &pixels->comp[0], x, y), wide, (unsigned)BLACK << scale);
    for (int y = 0; pixels->nb_components > 3 && y < frame->height; y++)
        for (int x = y < height ? width : 0; x < frame->width; x++)
            put(sample_at(frame, &pixels->comp[3], x, y), wide, 0);
    int columns = AV_CEIL_RSHIFT(width, pixels->log2_chroma_w);
    int rows = AV_CEIL_RSHIFT(height, pixels->log2_chroma_h);
    for (int c = 1; c < 3; c++) {
        for (int y = 0; width < frame->width && y < rows; y++) {
            uint8_t *at = sample_at(frame, &pixels->comp[c], columns - 1, y);
            put(at, wide, (get(at, wide) + ((unsigned)GREY << scale)) / 2);
        }
        for (int x = 0; height < frame->height && x < columns; x++) {
            uint8_t *at = sample_at(frame, &pixels->comp[c], x, rows - 1);
            put(at, wide, (get(at, wide) + ((unsigned)GREY << scale)) / 2);
        }
    }
}

void frame_fill(struct AVFrame *frame, const struct picture *picture)
{
    const AVPixFmtDescriptor *pixels = av_pix_fmt_desc_get(frame->format);
    int width = (int)picture->layout.width, height = (int)picture->layout.height;
    bool lifted = picture_format_bits(picture->layout.format) == 10 &&
                  pixels->comp[0].shift + pixels->comp[0].depth == 16;
    if (frame->format == AV_PIX_FMT_BGRA)
        swap_red_and_blue(frame, picture);
    else if (lifted)
        lift_planes(frame, pixels, picture);
    else
        copy_planes(frame, picture);
    if (width < frame->width || height < frame->height)
        pad(frame, pixels, width, height);
}

/* ---- stretch ---- */

struct stretch {
    struct picture_layout layout;
    uint8_t **pictures; /* [room] */
    size_t room, count, taken;
    bool closed;
    struct palette_counts *counts;
    struct palette palette;
};

struct stretch *stretch_create(uint32_t width, uint32_t height, size_t bytes)
{
    struct stretch *stretch = memory_new(1, sizeof *stretch);
    picture_layout(&stretch->layout, PICTURE_RGBA8, width, height);
    const size_t fit = bytes / stretch->layout.size;
    stretch->room = fit > 0 ? fit : 1;
    stretch->pictures = memory_new(stretch->room, sizeof *stretch->pictures);
    stretch->counts = palette_counts_create();
    return stretch;
}

static void empty(struct stretch *stretch)
{
    for (size_t i = 0; i < stretch->count; i++)
        free(stretch->pictures[i]);
    palette_free(&stretch->palette);
    palette_counts_destroy(&stretch->counts);
    stretch->count = stretch->taken = 0;
    stretch->closed = false;
}

void stretch_destroy(struct stretch **stretch)
{
    if (!*stretch)
        return;
    empty(*stretch);
    free((*stretch)->pictures);
    free(*stretch);
    *stretch = NULL;
}

enum status stretch_add(struct stretch *stretch, const struct picture *picture)
{
    if (stretch->closed) {
        empty(stretch);
        stretch->counts = palette_counts_create();
    }
    const struct picture_layout *from = &picture->layout, *to = &stretch->layout;
    uint8_t *copy = malloc(to->size);
    if (!copy)
        return status_fail(STATUS_RUNTIME,
                           "not enough memory for a picture of %zu bytes that waits for its "
                           "palette; use a smaller output.size",
                           to->size);
    for (uint32_t y = 0; y < to->height; y++)
        memcpy(copy + (size_t)y * to->plane[0].stride,
               picture->data + from->plane[0].offset + (size_t)y * from->plane[0].stride,
               to->plane[0].bytes);
    stretch->pictures[stretch->count++] = copy;
    palette_counts_add(stretch->counts, picture);
    if (stretch->count == stretch->room)
        stretch_close(stretch);
    return STATUS_OK;
}

void stretch_close(struct stretch *stretch)
{
    if (!stretch->closed && stretch->count > 0)
        palette_make(&stretch->palette, stretch->counts);
    stretch->closed = true;
}

bool stretch_ready(const struct stretch *stretch)
{
    return stretch->closed && stretch->taken < stretch->count;
}

void stretch_take(struct stretch *stretch, uint8_t *numbers, int stride, uint32_t colours[256])
{
    const struct picture picture = {.layout = stretch->layout,
                                    .data = stretch->pictures[stretch->taken]};
    palette_map(&stretch->palette, &picture, numbers, (size_t)stride);
    for (uint32_t i = 0; i < 256; i++) {
        const uint8_t *rgb = i < stretch->palette.count ? stretch->palette.rgb[i] : NULL;
        colours[i] = rgb ? 0xff000000u | (uint32_t)rgb[0] << 16 | (uint32_t)rgb[1] << 8 | rgb[2]
                     : i < 255 ? 0xff000000u
                               : 0;
    }
    free(stretch->pictures[stretch->taken]);
    stretch->pictures[stretch->taken++] = NULL;
}

/* ---- encoder ---- */

enum { ROW_ALIGN = 64, STRETCH_BYTES = 128 << 20 };

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
        return status_fail(STATUS_DEVICE,
                           "cannot open encoder %s: %s; it needs an NVIDIA GPU that has NVENC and "
                           "a driver no older than libavcodec expects; --codec %s encodes on the "
                           "CPU",
                           codec->encoder, libav_reason(error), codec->stands_in->name);
    return status_fail(STATUS_DEVICE, "cannot open encoder %s for %dx%d pictures%s%s: %s; %s",
                       codec->encoder, encoder->context->width, encoder->context->height,
                       given ? " with the options " : "", given ? params->options : "",
                       libav_reason(error),
                       limits_advice(given ? "choose another --codec or size, or leave options out"
                                           : "choose another --codec or size"));
}

static enum status make_pool(struct encoder *encoder)
{
    const AVCodecContext *context = encoder->context;
    if (av_image_check_size((unsigned)context->width, (unsigned)context->height, 0, NULL) < 0)
        return status_fail(
            STATUS_USAGE,
            "a film of %dx%d is too large for libav, which needs (width + 128) x (height + 128) "
            "below 2^28; use a smaller output.size, or write pictures (-o frames/%%06d.png)",
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
    /* Encoders that cannot start all their threads hang, or end the process. */
    status = limits_check("encoding", params->threads + 4, (size_t)256 << 20);
    if (status != STATUS_OK)
        return status;
    struct encoder *encoder = memory_new(1, sizeof *encoder);
    encoder->driver = driver;
    encoder->codec = params->codec;
    encoder->format = params->format;
    if (driver->palette)
        encoder->stretch = stretch_create(params->width, params->height, STRETCH_BYTES);
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

static AVFrame *new_frame(struct encoder *encoder)
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
    frame->pts = encoder->sent;
    frame->color_primaries = encoder->context->color_primaries;
    frame->color_trc = encoder->context->color_trc;
    frame->colorspace = encoder->context->colorspace;
    frame->color_range = encoder->context->color_range;
    frame->chroma_location = encoder->context->chroma_sample_location;
    frame->sample_aspect_ratio = encoder->context->sample_aspect_ratio;
    return frame;
}

static enum status no_frame(const struct encoder *encoder)
{
    return status_fail(STATUS_RUNTIME, "not enough memory for frame %lld of %dx%d pixels",
                       (long long)encoder->frames, encoder->context->width,
                       encoder->context->height);
}

/* Takes over the frame; NULL ends the stream. */
static enum status send(struct encoder *encoder, AVFrame *frame)
{
    const bool any = frame != NULL;
    libav_forget();
    int error = avcodec_send_frame(encoder->context, frame);
    av_frame_free(&frame);
    if (error < 0)
        return status_fail(STATUS_RUNTIME, "encoder %s failed at frame %lld: %s",
                           encoder->codec->encoder, (long long)encoder->sent, libav_reason(error));
    encoder->sent += any;
    return STATUS_OK;
}

/* Sends the next picture whose palette is known, or the end after the last one; *more: there was
 * one. */
static enum status send_waiting(struct encoder *encoder, bool *more)
{
    *more = false;
    if (!encoder->stretch || encoder->flushed)
        return STATUS_OK;
    *more = stretch_ready(encoder->stretch) || encoder->ended;
    if (!stretch_ready(encoder->stretch)) {
        encoder->flushed = encoder->ended;
        return encoder->ended ? send(encoder, NULL) : STATUS_OK;
    }
    AVFrame *frame = new_frame(encoder);
    if (!frame)
        return no_frame(encoder);
    stretch_take(encoder->stretch, frame->data[0], frame->linesize[0],
                 (uint32_t *)(void *)frame->data[1]);
    return send(encoder, frame);
}

static enum status send_picture(struct encoder *encoder, const struct picture *picture)
{
    if (encoder->stretch)
        return picture ? stretch_add(encoder->stretch, picture) : STATUS_OK;
    AVFrame *frame = picture ? new_frame(encoder) : NULL;
    if (picture && !frame)
        return no_frame(encoder);
    if (picture)
        frame_fill(frame, picture);
    return send(encoder, frame);
}

enum status encoder_send(struct encoder *encoder, const struct picture *picture)
{
    enum status status = send_picture(encoder, picture);
    if (status != STATUS_OK)
        return status;
    encoder->frames += picture != NULL;
    encoder->ended = !picture;
    if (encoder->stretch && encoder->ended)
        stretch_close(encoder->stretch);
    return STATUS_OK;
}

enum status encoder_receive(struct encoder *encoder, struct AVPacket **packet)
{
    *packet = NULL;
    av_packet_unref(encoder->packet);
    int error;
    bool more = true;
    do {
        libav_forget();
        error = avcodec_receive_packet(encoder->context, encoder->packet);
        if (error != AVERROR(EAGAIN))
            break;
        enum status status = send_waiting(encoder, &more);
        if (status != STATUS_OK)
            return status;
    } while (more);
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

/* Ends the stream. An encoder that has had no frame first gets a blank one. */
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
    stretch_destroy(&(*encoder)->stretch);
    avcodec_free_context(&(*encoder)->context);
    av_packet_free(&(*encoder)->packet);
    av_buffer_pool_uninit(&(*encoder)->pool);
    free(*encoder);
    *encoder = NULL;
}
