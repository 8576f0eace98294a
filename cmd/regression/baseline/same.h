/* Finds the first place where two records differ in bits. */
#pragma once

#include "cmd/regression/judge/rules.h"
#include "cmd/regression/record/record.h"

#include <stdbool.h>

struct first_difference {
    enum judged stage;
    int64_t frame; /* -1: the whole film */
};

/* Returns false when the records are the same, bit for bit: frames, states, light, pictures,
 * packets, decoded pictures, and the times in the container. Otherwise gives the first stage that
 * differs in the first frame that differs. */
bool same_find_difference(const struct record *a, const struct record *b,
                          struct first_difference *out);
