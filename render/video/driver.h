/* How each of libav's encoders is told what every codec has: preset, quality, threads, closed
 * groups of pictures, the same bytes on every processor, and options that are passed on.
 *
 * Constant data and functions without state; thread-safe. */
#ifndef RENDER_VIDEO_DRIVER_H
#define RENDER_VIDEO_DRIVER_H

#include "render/video/encoder.h"

struct driver;

/* NULL when there is none for the encoder. */
const struct driver *driver_find(const struct codec *codec);

/* STATUS_USAGE when preset, quality or size is out of the codec's range. */
enum status driver_check(const struct driver *driver, const struct encoder_params *params);

/* Fills a new context and sets its options, those of the codec and of params->options last.
 * STATUS_USAGE names an option of params that the encoder does not know or take; STATUS_DEVICE one
 * of this program's that the installed libavcodec does not know. */
enum status driver_set_up(const struct driver *driver, const struct encoder_params *params,
                          struct AVCodecContext *context);

/* After libav was asked to open the encoder, on the same thread: STATUS_USAGE names an option of
 * params that the encoder's library refused, or that changed what the output itself decides. */
enum status driver_look_over(const struct driver *driver, const struct encoder_params *params,
                             const struct AVCodecContext *context);

/* "libx264 medium crf 18, 4 threads"; a format that is not the codec's usual one is named as well.
 */
void driver_describe(const struct driver *driver, const struct encoder_params *params, char *out,
                     size_t size);

#endif
