/* The ways to encode a film. Constant data and pure functions; thread-safe. */
#ifndef RENDER_VIDEO_CODECS_H
#define RENDER_VIDEO_CODECS_H

#include "base/choice.h"
#include "render/params.h"
#include "render/picture/picture.h"

enum { CODEC_FORMATS_MAX = 4 };

/* A way to encode: one const entry each. The usual one of a container is the first that fits it. */
struct codec {
    const char *name, *doc;
    const char *encoder;                            /* libav's name */
    const char *containers;                         /* space-separated formats it may go into */
    enum picture_format formats[CODEC_FORMATS_MAX]; /* that it offers, the usual one first */
    int format_count;
    bool hdr;                      /* it is what players of high dynamic range expect */
    bool alpha;                    /* it can carry it, with 4:4:4 and 10 bits */
    double crf;                    /* default; negative: has none */
    const char *preset;            /* default; "": has none */
    const char *presets;           /* space-separated, "": any or none */
    const char *options;           /* of the encoder, as sink_params.codec_options; NULL: none */
    const struct codec *stands_in; /* of a GPU's encoder: for which one "auto" takes it; or NULL */
};

/* How finely a film's colour is sampled. */
struct chroma {
    const char *name, *doc;
    bool halves; /* at half the width and height */
};

/* What is asked of a codec's pictures. */
struct codec_wish {
    uint32_t bits;               /* 0: any */
    const struct chroma *chroma; /* NULL: any */
    enum picture_alpha alpha;
    enum picture_hdr hdr;
};

/* The first of its formats that is so. STATUS_USAGE lists what it offers. */
enum status codec_format(const struct codec *codec, const struct codec_wish *wish,
                         enum picture_format *format);

#endif
