/* Counts the pictures and keeps nothing, for measuring. */
#ifndef RENDER_SINK_NULL_H
#define RENDER_SINK_NULL_H

#include "render/sink/sink.h"

extern const struct sink_ops sink_null;

#endif
