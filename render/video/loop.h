/* Animated pictures for web pages and messages: GIF and animated WebP, in an endless loop. They are
 * written in one piece, without segments, and carry no metadata. */
#ifndef RENDER_VIDEO_LOOP_H
#define RENDER_VIDEO_LOOP_H

#include "render/sink/sink.h"

extern const struct sink_ops sink_loop;

#endif
