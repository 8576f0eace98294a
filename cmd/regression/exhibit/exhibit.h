/* Pictures for viewing, and the folder for their files. Used by one thread at a time. */
#pragma once

#include "base/status.h"
#include "cmd/regression/judge/rules.h"

#include <stdint.h>

struct exhibit {
    const char *folder; /* made if it is missing */
    const char *note;   /* for all frames, in front of each reason: "drawn from a stored state"; or
                         * "" */
    uint32_t width, height;
    double fps; /* of the film; 0: unknown */
    const struct limits *limits;
    /* Gets the pixels of a frame of side A (0) or B (1) in the form of render/reader,
     * rgb[height][width][3]. */
    enum status (*fetch)(void *user, int side, int64_t frame, uint16_t *rgb);
    void *user;
};

/* Frames that are shown together; -1: that side has none. */
struct exhibit_pair {
    int64_t a, b;
};
