/* One libav encoder: pictures in, packets out. libav's own types stay opaque here.
 *
 * Used by one thread; the encoder has `threads` threads. The same pictures and parameters give the
 * same packets on the same machine. */
#pragma once

#include "base/status.h"
#include "render/picture/picture.h"
#include "render/video/driver.h"

#include <stdbool.h>
#include <stddef.h>

/* Pictures as libav's encoders take them. */

struct AVFrame;

/* Fills `frame`, whose size, format and planes are set. Its format is the picture's or, for 10 bits
 * per sample, one with the bits in the upper part of 16, planar or with interleaved colour. It may
 * be one column or row larger than the picture; these pixels are black, and a colour sample shared
 * with the picture's edge is the mean of the edge's colour and grey. Thread-safe. */
void frame_fill(struct AVFrame *frame, const struct picture *picture);

/* Divides a film into stretches whose pictures share a palette: pictures wait until their stretch
 * is full or the film ends, then come out as palette indices. A stretch has as many pictures as fit
 * into a fixed memory, so that most loops have one palette. Used by one thread. */

struct stretch;

/* `bytes` is the memory; a stretch has at least one picture. */
struct stretch *stretch_create(uint32_t width, uint32_t height, size_t bytes);
void stretch_destroy(struct stretch **stretch); /* accepts a pointer to NULL */

/* Copies an RGBA8 picture. Take all pictures that are ready before adding the next. STATUS_RUNTIME:
 * no memory. */
enum status stretch_add(struct stretch *stretch, const struct picture *picture);

/* Ends the film: waiting pictures become ready. */
void stretch_close(struct stretch *stretch);

/* Whether a picture is ready. */
bool stretch_ready(const struct stretch *stretch);

/* Takes the next picture: one index per pixel, and 256 colours as 0xAARRGGBB; the last is
 * transparent and is not used by any pixel. */
void stretch_take(struct stretch *stretch, uint8_t *numbers, int stride, uint32_t colours[256]);

struct AVCodecContext;
struct AVBufferPool;
struct AVPacket;

/* Read by whoever opened it, and changed by the functions below alone. */
struct encoder {
    const struct codec *codec;
    const struct driver *driver;    /* driver->gathers: all frames come in one packet at the end */
    enum picture_format format;     /* of the pictures */
    struct AVCodecContext *context; /* also for the container's stream parameters */
    struct AVBufferPool *pool;      /* the encoder's look-ahead keeps references to frames */
    struct AVPacket *packet;
    int linesize[4];
    struct stretch *stretch;     /* pictures waiting for their palette; NULL: not needed */
    int64_t frames, sent;        /* pictures taken, and pictures passed to libav */
    bool opened, ended, flushed; /* ended: no more frames will come; flushed: libav has been told
                                  * so, although pictures may wait */
    char description[128];       /* "libx264 medium crf 18, 4 threads" */
};

/* STATUS_USAGE: an invalid preset, quality, size or option; STATUS_DEVICE: this libavcodec does not
 * have the encoder, or it cannot be opened. */
enum status encoder_open(const struct encoder_params *params, struct encoder **out);
void encoder_close(struct encoder **encoder); /* accepts a pointer to NULL */

/* Copies the picture and passes it on as the next frame; NULL ends the film. Then call
 * encoder_receive until *packet is NULL. The packet is valid until the next call; its times count
 * frames. */
enum status encoder_send(struct encoder *encoder, const struct picture *picture);
enum status encoder_receive(struct encoder *encoder, struct AVPacket **packet);
