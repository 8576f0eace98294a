/* What is joined, and into which file. */
#pragma once

#include "base/tag.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct container; /* render/video/container.h */

struct join_segment {
    const char *path;
    uint64_t frames; /* expected number */
};

struct join_params {
    const struct join_segment *segments; /* in the film's order */
    size_t count;
    const char *path; /* of the film: a file, replaced if it exists */
    const struct container *container;
    uint32_t fps_num, fps_den;
    const char *sound;                 /* an audio file for the film, see sound.h; NULL: none */
    struct tags tags;                  /* the film's; the segments' own are ignored */
    bool decode;                       /* the check decodes every frame, not only packets */
    const volatile sig_atomic_t *stop; /* stops the work when not 0; may be NULL */
};
