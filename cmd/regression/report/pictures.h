/* Chooses the pictures and clips of a report that fit into a page. */
#pragma once

#include "cmd/regression/judge/report.h"
#include "cmd/regression/report/embed.h"

enum side { SIDE_A, SIDE_B, SIDE_DIFFERENCE, SIDE_COUNT };

struct frame_pictures {
    struct embed side[SIDE_COUNT];
};

struct case_pictures {
    struct frame_pictures *shown; /* [the case's shown frames] */
    struct embed clip;
    uint32_t left_out; /* frames that did not fit or could not be read */
};

/* Chooses for the cases that do not pass, as long as all data: URLs take at most `budget` bytes:
 * first the worst frame of each case, then clips of at most clip_limit bytes, then the other frames
 * by severity, and last their difference pictures, which a script can compute from the other two.
 * Returns an entry for every case; pictures_free frees them. */
struct case_pictures *pictures_choose(const struct report *report, size_t budget,
                                      size_t clip_limit);
void pictures_free(const struct report *report, struct case_pictures *pictures);
