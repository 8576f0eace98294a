/* Translates the common settings of codecs for each of libav's encoders: preset, quality, threads,
 * closed GOPs, output that does not depend on the processor, and options that are passed on.
 *
 * Constant data and functions without state; thread-safe. libav's own types stay opaque here. */
#pragma once

#include "base/choice.h"
#include "base/status.h"
#include "render/video/codecs.h"

#include <stdbool.h>
#include <stdint.h>

/* The options that a scene may pass to an encoder. This is an allow list, because libraries also
 * have options that write files (x264's dump-yuv, x265's csv) or read them, at any path that a
 * downloaded scene names. Constant data; pure functions, thread-safe. */

/* `words`: options of libav and of the encoder's library, separated by blanks; none of them takes a
 * file name. */
struct allowed {
    const char *name, *doc; /* libav's name of the encoder */
    const char *words;
};

extern const struct registry allowed_registry;

/* Options that libav implements for every encoder. */
extern const char allowed_everywhere[];

/* Whether a scene may set `key` of `encoder`. "_" and "-" are equivalent, as in the libraries, and
 * an allowed word may be negated by "no-". */
bool allowed_option(const char *encoder, const char *key);

struct AVCodecContext;

/* The settings of an encoder. */
struct encoder_params {
    const struct codec *codec;
    enum picture_format format;
    uint32_t width, height; /* of the pictures; odd sizes need `pad` if `format` halves the chroma
                             * planes */
    bool pad;
    uint32_t fps_num, fps_den;
    double crf;          /* negative: the codec's default */
    const char *preset;  /* "": the codec's default */
    const char *options; /* as in sink_params.codec_options */
    bool deterministic;
    int cuda_device; /* for a GPU encoder; -1: any */
    uint32_t threads;
    bool global_header; /* the container stores parameter sets outside the packets */
};

/* `fixed` is always set. `library_key` takes settings of the library behind the encoder: `library`,
 * with "%u" for the number of threads if the context's is ignored, and, if `deterministic`, also
 * `steady`, which makes the output independent of the processor. That costs 2 to 3 % with x264,
 * whose code paths round differently; x265 writes the processor's features into the film. SVT-AV1
 * and libvpx need no such setting. */
struct driver {
    const char *name, *doc; /* libav's name of the encoder */
    const char *preset_key, *crf_key;
    double crf_max;
    int gop;
    const char *fixed; /* key=value:key=value; NULL: none */
    const char *library_key, *library, *steady;
    const char *mastering; /* HDR10 settings of the library; NULL: the container stores them */
    uint32_t least_width, least_height; /* of its pictures */
    bool nvenc;                         /* encodes on an NVIDIA GPU */
    bool hvc1;         /* whether its MP4 tag says that parameter sets are outside the pictures */
    bool passes_on;    /* encodes nothing, so the codec's name describes it better */
    bool lacks_times;  /* no decoding times if there are fewer frames than it could reorder */
    bool palette;      /* takes palette indices, see stretch.h */
    bool gathers;      /* returns one packet with all frames, at the end */
    bool needs_ending; /* hangs on close unless it has received a frame and the end of the stream */
    const char
        *log_variable; /* environment variable; "1" suppresses its output on stderr; or NULL */
};

/* Entries are struct driver, by libav's names. */
extern const struct registry driver_registry;

/* STATUS_USAGE when preset, quality or size is out of the codec's range. */
enum status driver_check(const struct driver *driver, const struct encoder_params *params);

/* Fills a new context and sets its options; those of the codec and of params->options come last.
 * STATUS_USAGE names an option of params that the encoder does not know or that is not allowed;
 * STATUS_DEVICE one of this program's that the installed libavcodec does not know. */
enum status driver_set_up(const struct driver *driver, const struct encoder_params *params,
                          struct AVCodecContext *context);

/* Call after libav was asked to open the encoder, on the same thread. STATUS_USAGE names an option
 * of params that the encoder's library refused, or that changed a
 * property of the output. */
enum status driver_check_opened(const struct driver *driver, const struct encoder_params *params,
                                const struct AVCodecContext *context);

/* "libx264 medium crf 18, 4 threads", with the pixel format unless it is the codec's default. */
void driver_describe(const struct driver *driver, const struct encoder_params *params, char *out,
                     size_t size);
