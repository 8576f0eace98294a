/* What is shown of two films that differ: frames chosen by how they were judged, and a clip. */
#ifndef CMD_REGRESSION_COMPARE_LOOK_H
#define CMD_REGRESSION_COMPARE_LOOK_H

#include "cmd/regression/compare/pairs.h"
#include "cmd/regression/judge/picture.h"

struct look_params {
    const struct side *a, *b; /* of one size */
    const struct pair *pairs; /* that were judged */
    uint64_t count;
    const struct picture_judge *judge;
    const struct limits *limits;
    double most;        /* the largest difference of a pixel, codes */
    const char *folder; /* the pictures go there */
};

/* Reads the frames again; the case has its alignment. Without a frame that differs, or with one
 * that is out of order, that is shown as well. As the readers and sinks fail. */
enum status look_at_films(const struct look_params *params, struct case_report *one);

#endif
