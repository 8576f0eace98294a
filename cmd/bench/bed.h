/* Test bed for kernels and solvers: bodies, their reference accelerations, and the memory that
 * kernels work on. Nothing is timed before its accelerations have been checked. */
#pragma once

#include "cmd/bench/device.h"
#include "cmd/bench/table.h"
#include "kernels/ladder/ladder.h"
#include "sim/solver/cpu.h"
#include "sim/solver/cuda/cuda.h"

/* Relative RMS error above which a kernel or a force fails, unless the force has a larger error
 * bound. */
#define BENCH_ERROR_MAX 1e-5

struct bench_bed;

/* A Plummer sphere of `count` bodies, with masses equal or different by up to a factor of 2. The
 * options must outlive the bed. `device` may be NULL; its memory is freed. */
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
