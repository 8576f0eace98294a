/* Films, read frame by frame: packets are scanned once, then decoded from the key frame before. */
#ifndef RENDER_READER_VIDEO_H
#define RENDER_READER_VIDEO_H

#include "render/reader/kind.h"

extern const struct reader_kind reader_video;

#endif
