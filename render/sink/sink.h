/* Destinations of finished pictures: a film, a PNG sequence, a stream, a hash, nothing.
 *
 * A sink is used by one thread, but may start others. write does not keep the picture. close
 * flushes encoders, writes trailers, joins threads and renames the finished file into place; if it
 * fails, the run has failed. */
#pragma once

#include "base/status.h"
#include "base/tag.h"
#include "render/params.h"
#include "render/picture/picture.h"

#include <stdbool.h>
#include <stdint.h>

struct codec;        /* render/video/codecs.h */
struct container;    /* render/video/codecs.h */
struct picture_file; /* render/video/picture_file.h */
struct projection;   /* render/picture/picture.h */
struct registry;     /* base/choice.h */

struct sink_params {
    const char *path;   /* "-" streams to stdout */
    const char *format; /* "": chosen by the path's extension; otherwise "mp4", "mkv", "mov",
                           "webm", "y4m", "png", "hash", "null" */
    uint32_t width, height;
    uint32_t fps_num, fps_den;
    uint64_t first_frame; /* number of the first PNG file; films always start at time 0 */
    /* The scene's section; each sink takes what concerns it. Without a codec, a film has the
     * format's default, on the GPU if `nvenc` allows. Sizes and rates are those above. */
    struct output_params output;
    bool nvenc; /* uses CUDA device `cuda_device` to encode the default codec if it can */
    int cuda_device;
    const struct projection *projection; /* written for players; NULL: flat */
    enum picture_alpha alpha;            /* STATUS_USAGE if the file format cannot store it */
    enum picture_hdr hdr;                /* the same */
    struct tags tags;                    /* metadata of a film or picture; copied */
};

/* A sink's requirements and output, known before anything is written. */
struct sink_plan {
    enum picture_format format;
    char description[128];
    const struct codec *codec;         /* the film's codec; NULL: no film is encoded */
    const struct container *container; /* if the film can be joined from segments; otherwise NULL */
    const struct picture_file
        *pictures;      /* the format, if each picture has its own file; otherwise NULL */
    char libraries[96]; /* "libavcodec 59.37.100, libavformat 59.27.100", "" if none matters */
};

struct sink {
    const struct sink_ops *ops;
    enum picture_format format; /* of the pictures that write takes */
    uint32_t width, height;     /* of the same pictures */
    char description[128];      /* "libx264 medium crf 18, 4 threads" */
    uint64_t frames;            /* written so far */
    uint64_t bytes;             /* of the output so far; after close, of the result */
};

struct sink_ops {
    const char *name, *doc;
    const struct registry *formats; /* the formats it writes; NULL: one, with the sink's name */
    bool binary;                    /* its output must not go to a terminal */
    bool sequence;                  /* one file per picture; the path is a pattern */
    bool discards;                  /* writes no file, so that no extension selects it */
    bool film;                      /* writes packets in a container */
    bool views;                     /* takes text made of views instead of pictures */
    /* Checks the parameters and tries the encoder, without touching a file. */
    enum status (*plan)(const struct sink_params *params, struct sink_plan *plan);
    enum status (*open)(const struct sink_params *params, struct sink **out);
    enum status (*write)(struct sink *sink, const struct picture *picture);
    void (*tag)(struct sink *sink, const struct tag *tag); /* may be NULL */
    /* keep: completes the output so far to a playable file (also after a signal or a failure
     * upstream); otherwise removes it. Frees the sink in any case and sets *sink to NULL. *frames
     * and *bytes (may be NULL) receive the final numbers. */
    enum status (*close)(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes);
};

/* All sinks; render/sinks.h chooses among them. A new one is a file with its entry sink_NAME, and a
 * row here. */
#define SINKS(ROW)       ROW(video) ROW(loop) ROW(pictures) ROW(html) ROW(usda) ROW(hash) ROW(null)
#define SINK_ENTRY(name) extern const struct sink_ops sink_##name;
SINKS(SINK_ENTRY)
#undef SINK_ENTRY

/* Writes a part of the text of a sink with `views`, which cmd/film/turn and cmd/film/points make.
 * frames: the number of frames that the text shows. */
enum status sink_write_text(struct sink *sink, const void *text, size_t size, uint64_t frames);

/* Adds a tag that is known only now, before close. MP4 and MOV store it; other formats have their
 * tags before their pictures and ignore it. */
void sink_add_tag(struct sink *sink, const char *name, const char *value);

/* Initializes a sink in its open, after its plan is made. */
void sink_start(struct sink *sink, const struct sink_ops *ops, const struct sink_params *params,
                const struct sink_plan *plan);

/* A check shared by sinks. STATUS_USAGE, with the nearest valid size, if `format` has chroma at
 * half the width or height, that is odd and the picture is not padded. */
enum status sink_check_even(enum picture_format format, uint32_t width, uint32_t height, bool pad);

/* STATUS_RUNTIME when the picture does not have the sink's format and size. */
enum status sink_check_picture(const struct sink *sink, const struct picture *picture);
