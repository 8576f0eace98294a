/* The codecs of a film. Constant data and pure functions; thread-safe.
 *
 * A new codec is an entry in codecs.c. If libav's encoder is new, it also gets an entry in
 * driver.c, which translates settings, and its options in the list there of those that a scene may
 * set. */
#pragma once

#include "base/choice.h"
#include "base/status.h"
#include "render/params.h"
#include "render/picture/picture.h"

#include <stddef.h>

enum { CODEC_FORMATS_MAX = 4 };

/* A codec: one const entry each. A container's default is the first that it can hold. */
struct codec {
    const char *name, *doc;
    const char *use;                                /* "to share": groups codecs in lists */
    const char *encoder;                            /* libav's name */
    const char *containers;                         /* space-separated formats that can hold it */
    enum picture_format formats[CODEC_FORMATS_MAX]; /* offered pixel formats, default first */
    int format_count;
    bool hdr;                     /* the codec that HDR players expect */
    uint32_t alpha_bits;          /* with alpha: 10, with 4:4:4, or 8, with 4:2:0; 0: it has none */
    const char *alpha_containers; /* those of `containers` that can hold it with alpha */
    double crf;                   /* default; negative: none */
    const char *preset;           /* default; "": none */
    const char *presets;          /* space-separated, "": any or none */
    const char *options;          /* as in sink_params.codec_options; NULL: none */
    const struct codec *stands_in; /* the codec that a GPU's replaces under "auto"; or NULL */
};

/* Chroma subsampling. */
struct chroma {
    const char *name, *doc;
    enum picture_chroma kind;
};

/* Required properties of the codec's pictures. */
struct codec_request {
    uint32_t bits;               /* 0: any */
    const struct chroma *chroma; /* NULL: any */
    enum picture_alpha alpha;
    enum picture_hdr hdr;
};

/* The first of its formats with these properties. STATUS_USAGE lists what it offers. */
enum status codec_format(const struct codec *codec, const struct codec_request *request,
                         enum picture_format *format);

/* The container formats of films and their muxers' requirements. Constant data and functions
 * without state; thread-safe. */

struct AVStream;

struct container {
    const char *name, *doc;
    const char *muxer;     /* libav's name */
    bool joins;            /* its films can be joined: each packet is complete and has times */
    bool needs_seek;       /* its index is moved to the front at the end */
    bool boxes;            /* MP4 and relatives, whose tags are written at the end */
    double rate_most;      /* frames per second; 0: no limit */
    bool hundredths;       /* its time base is 1/100 s */
    bool loops;            /* played in a loop */
    bool timecodes;        /* its films can have a track of timecode */
    bool tells_projection; /* its muxer writes what players need for stereo and 360 degrees */
};

/* Entries are struct container. */
extern const struct registry container_registry;

/* The same for animated pictures, which players do not treat as films and which are not joined. */
extern const struct registry loop_registry;

/* Searches both; NULL: no such name. */
const struct container *container_find(const char *name);

bool container_takes(const struct container *container, const struct codec *codec);

/* The same for pictures with alpha. */
bool container_takes_alpha(const struct container *container, const struct codec *codec);

/* Marks the stream with the projection (NULL: flat), before a muxer that allows unofficial features
 * writes the header. Warns if the container cannot store the projection. Returns 0 or libav's
 * negative error. */
int container_project(const struct container *container, struct AVStream *stream,
                      const struct projection *projection);

/* The projection that a stream being read is marked with. */
const struct projection *container_projection(const struct AVStream *stream);

/* Films by libav: pictures are encoded and written into a container. */

struct codec;

/* Opens and closes the encoder at a small size. STATUS_DEVICE, with the reason, if it does not
 * open. */
enum status video_probe(const struct codec *codec);

/* "libavcodec 59.37.100, libavformat 59.27.100". */
void video_libraries(char *out, size_t size);
