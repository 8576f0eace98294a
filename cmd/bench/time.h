/* The options of `gravreel bench`, apart from the suite and the output; and timing of work: the
 * median of several samples. */
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

/* Does the work `calls` times and reports the time taken. */
typedef enum status (*bench_sample)(void *user, unsigned calls, double *seconds);

/* Seconds per call: the median of at least 5 samples (3 with quick), after one call to warm up.
 * Work too short for the clock is repeated within a sample. */
enum status bench_median(const struct bench_options *options, bench_sample sample, void *user,
                         double *seconds);

/* The same for a function on the CPU, by the wall clock. */
enum status bench_median_cpu(const struct bench_options *options, void (*work)(void *user),
                             void *user, double *seconds);
