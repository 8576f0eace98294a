/* A kernel of 2-D gravity with its memory: checked, then timed. Used by one thread. */
#pragma once

#include "cmd/bench/device.h"
#include "kernels/ladder/plane.h"

struct bench_plane;

/* `device` NULL: a CPU kernel. Otherwise frees all other device memory. */
enum status bench_plane_open(const struct plane_rung *kernel, size_t count,
                             struct bench_device *device, struct bench_plane **out);
void bench_plane_close(struct bench_plane **plane); /* accepts a pointer to NULL */

/* Compares the first iteration with the double reference: velocities, positions and every count of
 * the map. Call it once per plane, before timing. STATUS_RUNTIME, with the reason, if the launch
 * fails or the result is wrong. `error` as in plane_check. */
enum status bench_plane_check(struct bench_plane *plane, double *error);

/* Seconds per iteration, median. */
enum status bench_plane_time(struct bench_plane *plane, const struct bench_options *options,
                             double *seconds);
