/* What a stream says of its colours, in ffprobe's words. */
#ifndef RENDER_INSPECT_WORDS_H
#define RENDER_INSPECT_WORDS_H

#include "render/video/demuxer.h"

enum { COLOUR_WORDS = 5 };

/* "range", "matrix", "transfer", "primaries", "chroma site". */
const char *colour_field(int field);

/* "tv", "bt709", "left"; "" where nothing is said. */
const char *colour_word(const struct colour_tags *tags, int field);

#endif
