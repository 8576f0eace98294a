/* A text file with a line per picture: its number in the film and the XXH3-128 of its RGBA pixels.
 * The last line, "all", has the hash of all digests. */
#ifndef RENDER_SINK_HASH_H
#define RENDER_SINK_HASH_H

#include "render/sink/sink.h"

extern const struct sink_ops sink_hash;

#endif
