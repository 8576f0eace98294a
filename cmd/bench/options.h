/* The options of `gravreel bench`, apart from the suite and the output. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct bench_options {
    size_t count;                  /* number of bodies, from -n; 0: the suite's default */
    bool quick;                    /* fewer and smaller cases, 3 samples instead of 5 */
    bool cpu, cuda;                /* backends to run: requested and usable here */
    int device;                    /* CUDA device ordinal */
    char no_cuda[STATUS_TEXT_MAX]; /* why cuda is false, for a note in the suite's table; "" if
                                    * true */
};
