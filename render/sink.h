/* Where finished pictures go: a film, a PNG sequence, a stream, a hash, nothing.
 *
 * A sink is used by one thread (it may have workers of its own). write may keep nothing of the
 * picture after it returns. close can fail, and then the run has failed: it flushes encoders,
 * writes trailers, joins workers and renames the finished file into place. */
#ifndef RENDER_SINK_H
#define RENDER_SINK_H

#include "base/status.h"
#include "render/picture.h"

#include <stdbool.h>
#include <stdint.h>

struct sink_tag {
    const char *key, *value;
};

struct sink_params {
    const char *path;   /* "-" streams to stdout */
    const char *format; /* "": by the path's extension, else "mp4", "mkv", "mov", "webm", "y4m",
                           "png", "hash", "null" */
    uint32_t width, height;
    uint32_t fps_num, fps_den;
    uint64_t first_frame; /* number of the first PNG file; films start at time 0 whatever it is */
    const char *codec;    /* "auto" or a name of the codec registry */
    double crf;           /* negative: default */
    const char *preset;   /* "": default */
    uint32_t threads;
    uint32_t png_bits, png_level;
    const struct sink_tag *tags; /* metadata of a film or text chunks of a PNG; copied */
    int tag_count;
};

/* What a sink will want and do, known before anything is written. */
struct sink_plan {
    enum picture_format format;
    char description[128];
};

struct sink {
    const struct sink_ops *ops;
    enum picture_format format; /* what write wants */
    char description[128];      /* "libx264 medium crf 18, 4 threads" */
    uint64_t frames;            /* written so far */
    uint64_t bytes;             /* of the finished file or files, after close; also as it grows */
};

struct sink_ops {
    const char *name, *doc;
    /* Checks the parameters and tries the encoder, without touching a file. */
    enum status (*plan)(const struct sink_params *params, struct sink_plan *plan);
    enum status (*open)(const struct sink_params *params, struct sink **out);
    enum status (*write)(struct sink *sink, const struct picture *picture);
    /* keep: finish what was written into a playable result (also after a signal or a failure
     * upstream). Otherwise remove it. Frees the sink either way and sets *sink to NULL. The final
     * number of frames and bytes goes to *frames and *bytes (may be NULL). */
    enum status (*close)(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes);
};

extern const struct sink_ops sink_video, sink_png, sink_hash, sink_null;

/* By format name or extension. STATUS_USAGE lists what is understood. */
enum status sink_choose(const struct sink_params *params, const struct sink_ops **ops);

/* Chooses and checks everything that can be checked without touching a file: sizes, frame rate,
 * codec, preset, and that the encoder opens. */
enum status sink_make_plan(const struct sink_params *params, struct sink_plan *plan);

/* Chooses, checks, makes the path's folder where it is missing, and opens. */
enum status sink_open(const struct sink_params *params, struct sink **out);

/* Expands a PNG sequence's path ("f/%06d.png" or "f/####.png") for a frame into `name`. A path
 * without a pattern is STATUS_USAGE. The pattern is never used as a printf format. */
enum status sink_png_name(const char *path, uint64_t frame, char *name, size_t size);

/* A way to encode: one const entry each, listed in codecs (NULL-terminated, default first). */
struct codec {
    const char *name, *doc;
    const char *encoder;    /* libav's name */
    const char *containers; /* space-separated formats it may go into */
    enum picture_format format;
    double crf;          /* default; negative: has none */
    const char *preset;  /* default; "": has none */
    const char *presets; /* space-separated, "": any or none */
};
extern const struct codec *const codecs[];
const struct codec *codec_find(const char *name);

/* Opens and closes the encoder at a small size. STATUS_DEVICE says why it does not open. */
enum status codec_probe(const struct codec *codec);

#endif
