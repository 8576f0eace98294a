/* Which body lies farthest from where it was, where both films have a state stored. */
#ifndef CMD_REGRESSION_JUDGE_MOVED_H
#define CMD_REGRESSION_JUDGE_MOVED_H

#include "cmd/regression/judge/comparison.h"

struct moved {
    int64_t frame; /* -1: no frame has both states */
    size_t body;   /* from 1, as the program counts them */
    double distance;
};

/* At the first frame from `from` on at which the states differ. NaN is farther than any number. */
struct moved moved_most(const struct comparison *comparison, int64_t from);

/* "body 4,211 moved 3e-4 by frame 17"; "" where no frame has both states. */
void moved_text(const struct moved *moved, char *text, size_t size);

#endif
