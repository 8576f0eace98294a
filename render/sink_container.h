/* What the formats of a film want from their muxers. Constant data and functions without state;
 * thread-safe. */
#ifndef RENDER_SINK_CONTAINER_H
#define RENDER_SINK_CONTAINER_H

#include "render/sink.h"

struct AVCodecContext;
struct AVFormatContext;
struct AVStream;

struct container {
    const char *name, *muxer; /* libav's name */
    bool needs_seek;          /* its index goes to the front at the end */
    bool boxes;               /* MP4 and its kin, whose tags are written at the end */
    bool tells_projection;    /* its muxer writes what players need for stereo and 360 degrees */
};

const struct container *container_find(const char *name); /* NULL: none */
bool container_takes(const struct container *container, const struct codec *codec);

/* Describes `stream`, the only one of `muxer`, by an encoder that is open, and writes the header.
 * Warns of a projection that it cannot tell. Returns libav's error number, negative, or 0. */
int container_begin(const struct container *container, struct AVFormatContext *muxer,
                    struct AVStream *stream, const struct AVCodecContext *encoder,
                    enum sink_projection projection);

#endif
