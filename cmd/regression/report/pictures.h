/* Which pictures and clips of a report a page has room for. */
#ifndef CMD_REGRESSION_REPORT_PICTURES_H
#define CMD_REGRESSION_REPORT_PICTURES_H

#include "cmd/regression/judge/report.h"
#include "cmd/regression/report/embed.h"

enum side { SIDE_A, SIDE_B, SIDE_DIFFERENCE, SIDE_COUNT };

struct frame_pictures {
    struct embed side[SIDE_COUNT];
};

struct case_pictures {
    struct frame_pictures *shown; /* [of the case] */
    struct embed clip;
    uint32_t left_out; /* frames that there was no room for, or that could not be read */
};

/* Of the cases that do not pass, as long as all data: addresses take at most `budget` bytes: the
 * worst frame of each first, then clips of at most clip_limit bytes, then the other frames by how
 * bad they are, last their difference pictures, which a script can make of the other two. Entries
 * for every case; pictures_free frees them. */
struct case_pictures *pictures_choose(const struct report *report, size_t budget,
                                      size_t clip_limit);
void pictures_free(const struct report *report, struct case_pictures *pictures);

#endif
