/* The formats of a film and what their muxers need. Constant data and functions without state;
 * thread-safe. */
#ifndef RENDER_VIDEO_CONTAINER_H
#define RENDER_VIDEO_CONTAINER_H

#include "base/choice.h"
#include "render/picture/projection.h"
#include "render/video/codecs.h"

struct AVStream;

struct container {
    const char *name, *doc;
    const char *muxer;     /* libav's name */
    bool joins;            /* its films can be joined: each packet is complete and has times */
    bool needs_seek;       /* its index goes to the front at the end */
    bool boxes;            /* MP4 and its kin, whose tags are written at the end */
    double rate_most;      /* frames per second; 0: any */
    bool hundredths;       /* its clock counts hundredths of a second */
    bool loops;            /* is played again and again */
    bool tells_projection; /* its muxer writes what players need for stereo and 360 degrees */
};

/* Of struct container. */
extern const struct registry container_registry;

/* Of the same: pictures that move, which are no films for players and are not joined. */
extern const struct registry loop_registry;

/* Of one or the other; NULL: none has the name. */
const struct container *container_find(const char *name);

bool container_takes(const struct container *container, const struct codec *codec);

/* Says in the stream how a player must show it (NULL: flat), before the header is written by a
 * muxer that allows what is unofficial. Warns of a projection that the container cannot tell.
 * Returns libav's error number, negative, or 0. */
int container_project(const struct container *container, struct AVStream *stream,
                      const struct projection *projection);

/* What a stream that is read says of it. */
const struct projection *container_projection(const struct AVStream *stream);

#endif
