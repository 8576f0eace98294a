/* Finds the body that has moved farthest between two films, at a frame where both have a stored
 * state. */
#pragma once

#include "cmd/regression/judge/comparison.h"

struct moved {
    int64_t frame; /* -1: no frame has both states */
    size_t body;   /* counted from 1, as in the program's output */
    double distance;
};

/* Compares the first frame, starting at `from`, at which the states differ. NaN counts as farther
 * than any number. */
struct moved moved_most(const struct comparison *comparison, int64_t from);

/* Writes "body 4,211 moved 3e-4 by frame 17"; "" if no frame has both states. */
void moved_text(const struct moved *moved, char *text, size_t size);
