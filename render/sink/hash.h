/* A text file with a line per picture: its number in the film and the XXH3-128 of its RGBA pixels;
 * the last line, "all", has that of all pictures' digests. */
#ifndef RENDER_SINK_HASH_H
#define RENDER_SINK_HASH_H

#include "render/sink/sink.h"

extern const struct sink_ops sink_hash;

#endif
