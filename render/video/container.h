/* The container formats of films and their muxers' requirements. Constant data and functions
 * without state; thread-safe. */
#pragma once

#include "base/choice.h"
#include "render/picture/projection.h"
#include "render/video/codecs.h"

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
    bool tells_projection; /* its muxer writes what players need for stereo and 360 degrees */
};

/* Entries are struct container. */
extern const struct registry container_registry;

/* The same for animated pictures, which players do not treat as films and which are not joined. */
extern const struct registry loop_registry;

/* Searches both; NULL: no such name. */
const struct container *container_find(const char *name);

bool container_takes(const struct container *container, const struct codec *codec);

/* Marks the stream with the projection (NULL: flat), before a muxer that allows unofficial features
 * writes the header. Warns if the container cannot store the projection. Returns 0 or libav's
 * negative error. */
int container_project(const struct container *container, struct AVStream *stream,
                      const struct projection *projection);

/* The projection that a stream being read is marked with. */
const struct projection *container_projection(const struct AVStream *stream);
