/* A sink: a file per picture, in a format of render/video/picture_file.h, written by `threads`
 * workers. What has been written is remembered, so that a run can be undone. */
#ifndef RENDER_VIDEO_SEQUENCE_H
#define RENDER_VIDEO_SEQUENCE_H

#include "render/sink/sink.h"

extern const struct sink_ops sink_pictures;

#endif
