/* Which options a scene may pass to an encoder. This is an allow list, because libraries also have
 * options that write files (x264's dump-yuv, x265's csv) or read them, at any path that a
 * downloaded scene names. Constant data; pure functions, thread-safe. */
#pragma once

#include "base/choice.h"

#include <stdbool.h>

/* `words`: options of libav and of the encoder's library, separated by blanks; none of them takes a
 * file name. */
struct allowed {
    const char *name, *doc; /* libav's name of the encoder */
    const char *words;
};

extern const struct registry allowed_registry;

/* Options that libav implements for every encoder. */
extern const char allowed_everywhere[];

/* Whether a scene may set `key` of `encoder`. "_" and "-" are equivalent, as in the libraries, and
 * an allowed word may be negated by "no-". */
bool allowed_option(const char *encoder, const char *key);
