/* Where rungs and solvers are tried: bodies, their reference, and the memory that rungs work on.
 * Nothing is timed before its accelerations were found right. */
#ifndef CMD_BENCH_BED_H
#define CMD_BENCH_BED_H

#include "cmd/bench/bench.h"
#include "cmd/bench/device.h"
#include "kernels/ladder/ladder.h"
#include "sim/solver/solver.h"

/* Relative RMS error above which a rung has failed. */
#define BENCH_ERROR_MAX 1e-5

struct bench_bed;

/* A Plummer sphere of `count` bodies, masses equal or different by up to a factor 2. `device` may
 * be NULL; its memory is cleared. */
enum status bench_bed_open(struct bench_bed **out, size_t count, bool equal,
                           struct bench_device *device);
void bench_bed_close(struct bench_bed **bed); /* accepts a pointer to NULL */

struct bench_outcome {
    double seconds; /* of one evaluation, median */
    double rate;    /* interactions a second, counted count * count whatever is left out */
    double error;   /* relative RMS of the accelerations of up to 2,048 bodies, against double */
};

/* Checks the rung, then times it. STATUS_RUNTIME with the reason when it fails. `shape` NULL: the
 * rung's own. */
enum status bench_bed_rung(struct bench_bed *bed, const struct bench_options *options,
                           const struct ladder_rung *rung, const struct ladder_shape *shape,
                           struct bench_outcome *outcome);

/* The same for a production solver, with the time that it states itself. `ops` is &solver_cpu or
 * &solver_cuda, `path` solver_params.isa; what it chose is copied to kernel[96]. */
enum status bench_bed_solver(struct bench_bed *bed, const struct bench_options *options,
                             const struct solver_ops *ops, const char *force, const char *path,
                             struct bench_outcome *outcome, char kernel[96]);

/* Runs the rung (a NULL one is passed over) and puts 1e9 interactions/s or evaluations/s
 * into the cell; a failed one with its reason. */
enum bench_quantity { BENCH_RATE, BENCH_STEPS };
void bench_bed_cell(struct bench_bed *bed, const struct bench_options *options,
                    struct bench_report *report, struct bench_table *table, size_t column,
                    const struct ladder_rung *rung, const struct ladder_shape *shape,
                    enum bench_quantity quantity);
void bench_bed_solver_cell(struct bench_bed *bed, const struct bench_options *options,
                           struct bench_report *report, struct bench_table *table, size_t column,
                           const struct solver_ops *ops, enum bench_quantity quantity);

/* The plain loop of the best instruction set that this processor has. */
const struct ladder_rung *bench_plain_rung(void);

/* A note why there is no CUDA; nothing when there is CUDA, or it was not asked for. */
void bench_note_backends(const struct bench_options *options, struct bench_report *report,
                         struct bench_table *table);

#endif
