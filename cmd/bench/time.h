/* Timing of work: the median of several samples. */
#pragma once

#include "cmd/bench/options.h"

/* Does the work `calls` times and reports the time taken. */
typedef enum status (*bench_sample)(void *user, unsigned calls, double *seconds);

/* Seconds per call: the median of at least 5 samples (3 with quick), after one call to warm up.
 * Work too short for the clock is repeated within a sample. */
enum status bench_median(const struct bench_options *options, bench_sample sample, void *user,
                         double *seconds);

/* The same for a function on the CPU, by the wall clock. */
enum status bench_median_cpu(const struct bench_options *options, void (*work)(void *user),
                             void *user, double *seconds);
