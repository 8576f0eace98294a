/* Which options a scene may pass to an encoder: an allow list, because libraries also have options
 * that write files (x264's dump-yuv, x265's csv) or read them, wherever a scene from elsewhere
 * points. Constant data; pure functions, thread-safe. */
#ifndef RENDER_VIDEO_ALLOWED_H
#define RENDER_VIDEO_ALLOWED_H

#include "base/choice.h"

#include <stdbool.h>

/* `words`: those of libav and of the library behind it, apart by blanks; none names a file, neither
 * by its name nor by its value. */
struct allowed {
    const char *name, *doc; /* libav's name of the encoder */
    const char *words;
};

extern const struct registry allowed_registry;

/* What libav does for every encoder. */
extern const char allowed_everywhere[];

/* Whether `encoder` takes `key` from a scene: "_" and "-" are the same, as they are for the
 * libraries, and a word that is allowed may be turned off by "no-" before it. */
bool allowed_option(const char *encoder, const char *key);

#endif
