/* Test bed for kernels and solvers: bodies, their reference accelerations, and the memory that
 * kernels work on. Nothing is timed before its accelerations have been checked. */
#pragma once

#include "cmd/bench/table.h"
#include "kernels/ladder/ladder.h"
#include "sim/solver/cpu.h"
#include "sim/solver/solver.h"

/* A CUDA device for the benchmark: memory, copies, and timing by events. Without CUDA
 * bench_device_open reports that, and no other function is called. Used by one thread. */

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

/* Measures by copies, which no cache holds, how many bytes per second the device copies: within its
 * memory, counting those read and those written, and to page-locked host memory. The device's other
 * memory is freed. */
enum status bench_device_rates(struct bench_device *device, const struct bench_options *options,
                               double *memory, double *to_host);

/* Relative RMS error above which a kernel or a force fails, unless the force has a larger error
 * bound. */
#define BENCH_ERROR_MAX 1e-5

struct bench_bed;

/* Collective on ranks, like bench_bed_solver: they share the forces, and rank 0 has the bodies and
 * judges. A Plummer sphere of `count` bodies, with masses equal or different by up to a factor
 * of 2. The options must outlive the bed. `device` may be NULL; its memory is freed. */
enum status bench_bed_open(struct bench_bed **out, const struct bench_options *options,
                           size_t count, bool equal, struct bench_device *device);
void bench_bed_close(struct bench_bed **bed); /* accepts a pointer to NULL */

struct bench_outcome {
    double seconds;  /* per force evaluation, median */
    double rate;     /* interactions per second; an evaluation counts as count * count, even if
                      * pairs are left out */
    double error;    /* relative RMS of the accelerations of up to 2,048 bodies, against double */
    char kernel[96]; /* of a solver: its chosen kernel */
};

/* Checks the kernel, then times it. STATUS_RUNTIME with the reason on failure. */
enum status bench_bed_kernel(struct bench_bed *bed, const struct ladder_rung *kernel,
                             struct bench_outcome *outcome);

/* The same for a production solver, by the time that the solver reports. `path` is
 * solver_params.kernel. */
enum status bench_bed_solver(struct bench_bed *bed, const struct solver_ops *ops, const char *force,
                             const char *path, struct bench_outcome *outcome);

/* Passed as `user` to bench_median to time the forces of a production solver. On CUDA the device
 * time is known once the accelerations are fetched. */
struct bench_forces {
    struct solver *solver;
    double (*accelerations)[3];
};
enum status bench_sample_forces(void *user, unsigned calls, double *seconds);

/* Runs the kernel (NULL: does nothing) or the solver, and puts 1e9 interactions/s into the cell, or
 * the reason of a failure. */
void bench_bed_cell(struct bench_bed *bed, struct bench_table *table, size_t column,
                    const struct ladder_rung *kernel);
void bench_bed_solver_cell(struct bench_bed *bed, struct bench_table *table, size_t column,
                           const struct solver_ops *ops, const char *force);

/* Adds a note that says why there is no CUDA; adds nothing if there is CUDA or it was not
 * requested. */
void bench_note_backends(const struct bench_options *options, struct bench_table *table);
