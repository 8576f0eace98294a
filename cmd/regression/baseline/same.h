/* The first place where two records differ in bits. */
#ifndef CMD_REGRESSION_BASELINE_SAME_H
#define CMD_REGRESSION_BASELINE_SAME_H

#include "cmd/regression/judge/rules.h"
#include "cmd/regression/record/record.h"

#include <stdbool.h>

struct first_difference {
    enum judged stage;
    int64_t frame; /* -1: of the whole film */
};

/* False when they are the same, bit for bit: frames, states, light, pictures, packets, what they
 * decode to, and the times that the container gives them. In the first frame that differs, the
 * first stage. */
bool same_find_difference(const struct record *a, const struct record *b,
                          struct first_difference *out);

#endif
