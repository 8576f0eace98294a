/* A PNG sequence: a file per picture, compressed by `threads` workers. */
#ifndef RENDER_SINK_PNG_H
#define RENDER_SINK_PNG_H

#include "render/sink/sink.h"

extern const struct sink_ops sink_png;

#endif
