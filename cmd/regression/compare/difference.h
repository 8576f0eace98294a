/* A film to look at: A, B and their amplified difference side by side. */
#ifndef CMD_REGRESSION_COMPARE_DIFFERENCE_H
#define CMD_REGRESSION_COMPARE_DIFFERENCE_H

#include "cmd/regression/compare/pairs.h"

struct difference_params {
    const struct side *a, *b; /* of one size */
    const struct pair *pairs; /* those with both frames are shown */
    uint64_t count;
    const char *path; /* a film or a PNG sequence */
    double gain;
    const volatile sig_atomic_t *stop; /* or NULL */
};

/* STATUS_IO and STATUS_USAGE as sink_open and the readers; STATUS_STOPPED after *stop. Nothing is
 * left of a film that was not finished. */
enum status difference_write(const struct difference_params *params);

#endif
