/* Writes a film for viewing: A, B and their amplified difference side by side. */
#pragma once

#include "cmd/regression/compare/pairs.h"

struct difference_params {
    const struct side *a, *b; /* both of the same size */
    const struct pair *pairs; /* pairs that lack a frame are not shown */
    uint64_t count;
    const char *path; /* a film or a PNG sequence */
    double gain;
    const volatile sig_atomic_t *stop; /* may be NULL */
};

/* Returns STATUS_IO and STATUS_USAGE as sink_open and the readers do, STATUS_STOPPED after *stop.
 * An unfinished film is removed. */
enum status difference_write(const struct difference_params *params);
