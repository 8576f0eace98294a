/* A sink: an EXR file per picture, scene-linear light for those who grade. */
#ifndef RENDER_VIDEO_EXR_H
#define RENDER_VIDEO_EXR_H

#include "render/sink/sink.h"

extern const struct sink_ops sink_exr;

#endif
