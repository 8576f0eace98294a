/* Pictures that move, for web pages and messages: GIF and animated WebP, played for ever. They are
 * written in one piece, without segments, and say nothing of themselves. */
#ifndef RENDER_VIDEO_LOOP_H
#define RENDER_VIDEO_LOOP_H

#include "render/sink/sink.h"

extern const struct sink_ops sink_loop;

#endif
