/* What `gravreel bench` is asked for, apart from the suite and the output. */
#ifndef CMD_BENCH_OPTIONS_H
#define CMD_BENCH_OPTIONS_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct bench_options {
    size_t count;                  /* of bodies, from -n; 0: the suite's own */
    bool quick;                    /* fewer and smaller cases, 3 samples instead of 5 */
    bool cpu, cuda;                /* which backends to run: asked for and usable here */
    int device;                    /* CUDA device ordinal */
    char no_cuda[STATUS_TEXT_MAX]; /* why cuda is false, for a note of the suite; "" when true */
};

#endif
