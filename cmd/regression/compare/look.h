/* Shows two films that differ: frames chosen by their verdicts, and a clip. */
#pragma once

#include "cmd/regression/compare/pairs.h"
#include "cmd/regression/judge/picture.h"

struct show_params {
    const struct side *a, *b; /* both of the same size */
    const struct pair *pairs; /* the pairs that were judged */
    uint64_t count;
    const struct picture_judge *judge;
    const struct limits *limits;
    double most;        /* largest difference of a pixel, codes */
    const char *folder; /* folder for the pictures */
};

/* Reads the frames again. The case must have its alignment; the first step that is out of order is
 * shown too, even if no frame differs. Returns the failures of readers and sinks. */
enum status show_films(const struct show_params *params, struct case_report *one);
