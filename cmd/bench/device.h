/* A CUDA device for the benchmark: memory, copies, and timing by events. Without CUDA
 * bench_device_open reports that, and no other function is called. Used by one thread. */
#pragma once

#include "cmd/bench/table.h"

struct bench_device;

struct bench_device_facts {
    int multiprocessors;
    int schedulers;  /* warps that a multiprocessor can issue per clock */
    double clock_hz; /* the highest clock that the device reports */
};

enum status bench_device_open(int ordinal, struct bench_device **out);
void bench_device_close(struct bench_device **device); /* frees all its memory; accepts &NULL */
enum status bench_device_facts(struct bench_device *device, struct bench_device_facts *facts);

/* Allocates zeroed device memory, valid until bench_device_clear or close. A failure's message says
 * how much was requested and how much is free. */
enum status bench_device_alloc(struct bench_device *device, size_t bytes, void **out);
void bench_device_clear(struct bench_device *device);

enum status bench_device_upload(struct bench_device *device, void *to, const void *from,
                                size_t bytes);
enum status bench_device_download(struct bench_device *device, void *to, const void *from,
                                  size_t bytes);

/* Puts work on the stream and returns a cudaError_t. */
typedef int (*bench_launch)(void *user, void *stream);

/* Makes one call and waits for it. STATUS_RUNTIME with CUDA's message if the launch or the kernel
 * fails. */
enum status bench_device_launch(struct bench_device *device, bench_launch launch, void *user);

/* bench_median by CUDA events: device time per call. */
enum status bench_device_median(struct bench_device *device, const struct bench_options *options,
                                bench_launch launch, void *user, double *seconds);
