/* One libav encoder: pictures in, packets out. libav's own types stay opaque here.
 *
 * Used by one thread; the encoder has `threads` threads. The same pictures and parameters give the
 * same packets on the same machine. */
#pragma once

#include "render/video/driver.h"

struct AVCodecContext;
struct AVPacket;
struct encoder;

/* STATUS_USAGE: an invalid preset, quality, size or option; STATUS_DEVICE: this libavcodec does not
 * have the encoder, or it cannot be opened. */
enum status encoder_open(const struct encoder_params *params, struct encoder **out);
void encoder_close(struct encoder **encoder); /* accepts a pointer to NULL */

/* "libx264 medium crf 18, 4 threads" */
const char *encoder_description(const struct encoder *encoder);

/* Whether all frames come in one packet at the end. */
bool encoder_gathers(const struct encoder *encoder);

const struct codec *encoder_codec(const struct encoder *encoder);
enum picture_format encoder_format(const struct encoder *encoder); /* of the pictures */

/* For the container's stream parameters. */
const struct AVCodecContext *encoder_context(const struct encoder *encoder);

/* Copies the picture and passes it on as the next frame; NULL ends the film. Then call
 * encoder_receive until *packet is NULL. The packet is valid until the next call; its times count
 * frames. */
enum status encoder_send(struct encoder *encoder, const struct picture *picture);
enum status encoder_receive(struct encoder *encoder, struct AVPacket **packet);
