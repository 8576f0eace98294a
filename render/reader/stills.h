/* One file of a picture (render/video/picture_file.h), and a sequence of them by its pattern. */
#ifndef RENDER_READER_STILLS_H
#define RENDER_READER_STILLS_H

#include "render/reader/kind.h"

extern const struct reader_kind reader_still, reader_sequence;

#endif
