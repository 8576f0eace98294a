/* One libav encoder: pictures in, packets out. libav's own types stay opaque here.
 *
 * Used by one thread; the encoder has `threads` workers. The same pictures and parameters give the
 * same packets on the same machine. */
#ifndef RENDER_VIDEO_ENCODER_H
#define RENDER_VIDEO_ENCODER_H

#include "render/sink/sink.h"
#include "render/video/codecs.h"

struct AVCodecContext;
struct AVPacket;
struct encoder;

struct encoder_params {
    const struct codec *codec;
    enum picture_format format;
    uint32_t width, height; /* of the pictures; odd ones, where `format` halves the colour, need
                               `pad` */
    bool pad;
    uint32_t fps_num, fps_den;
    double crf;          /* negative: the codec's default */
    const char *preset;  /* "": the codec's default */
    const char *options; /* as sink_params.codec_options */
    bool deterministic;
    int cuda_device; /* of a GPU's encoder; -1: any */
    uint32_t threads;
    bool global_header; /* the container wants parameter sets outside the packets */
};

/* STATUS_USAGE: preset, quality, size or an option that the codec does not take; STATUS_DEVICE:
 * this libavcodec has no such encoder, or it does not open. */
enum status encoder_open(const struct encoder_params *params, struct encoder **out);
void encoder_close(struct encoder **encoder); /* accepts a pointer to NULL */

/* "libx264 medium crf 18, 4 threads" */
const char *encoder_description(const struct encoder *encoder);

const struct codec *encoder_codec(const struct encoder *encoder);
enum picture_format encoder_format(const struct encoder *encoder); /* of the pictures */

/* For the container's stream parameters. */
const struct AVCodecContext *encoder_context(const struct encoder *encoder);

/* Copies the picture and hands it over as the next frame; NULL says that no more will come. Then
 * call encoder_receive until *packet is NULL: the packet is valid until the next call, its times
 * count frames. */
enum status encoder_send(struct encoder *encoder, const struct picture *picture);
enum status encoder_receive(struct encoder *encoder, struct AVPacket **packet);

#endif
