/* One PNG file, and a sequence of them by its pattern. */
#ifndef RENDER_READER_PNG_H
#define RENDER_READER_PNG_H

#include "render/reader/kind.h"

extern const struct reader_kind reader_png, reader_sequence;

#endif
