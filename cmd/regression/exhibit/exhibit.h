/* What there is to look at, and where its files go. Used by one thread at a time. */
#ifndef CMD_REGRESSION_EXHIBIT_EXHIBIT_H
#define CMD_REGRESSION_EXHIBIT_EXHIBIT_H

#include "base/status.h"
#include "cmd/regression/judge/limits.h"

#include <stdint.h>

struct exhibit {
    const char *folder; /* made where it is missing */
    const char *
        note; /* of all frames, in front of why each is shown: "drawn from a stored state"; or "" */
    uint32_t width, height;
    double fps; /* of the film; 0: not known */
    const struct limits *limits;
    /* Pixels of a frame of side A (0) or B (1) as render/reader gives them,
     * rgb[height][width][3]. */
    enum status (*fetch)(void *user, int side, int64_t frame, uint16_t *rgb);
    void *user;
};

/* Frames that are shown together; -1: there is none on that side. */
struct exhibit_pair {
    int64_t a, b;
};

#endif
