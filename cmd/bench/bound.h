/* What a machine can do at most on all pairs, in interactions per second, counted N * N.
 *
 * An interaction of equal masses takes 3 subtractions, 3 fused multiply-adds for the squared
 * distance, 1 reciprocal root, 2 multiplications and 3 fused multiply-adds: 12 issue slots. By
 * Newton's third law two interactions take 15 of them. Different masses take one more
 * multiplication per interaction. */
#ifndef CMD_BENCH_BOUND_H
#define CMD_BENCH_BOUND_H

#include "cmd/bench/device.h"
#include "cmd/bench/table.h"
#include "kernels/ladder/bound.h"

/* By kind of interaction; 0: not known. */
struct bench_bound {
    double rate[LADDER_MIXTURES];
    double by_roots; /* CUDA: where a reciprocal root is all that two interactions take */
};

/* Measures with all threads: fused multiply-adds, roots, and both in the mixtures above. Adds a
 * table of what was found. */
void bench_bound_cpu(const struct bench_options *options, struct bench_report *report,
                     struct bench_bound *bound);

/* From multiprocessors and clock, as the device reports them, with the formula in the table; no
 * table where `report` is NULL. All 0 when the device does not report its clock. */
enum status bench_bound_cuda(struct bench_device *device, struct bench_report *report,
                             struct bench_bound *bound);

/* Sets a cell to rate / bound in percent. What no machine can do is no figure: beyond the bound by
 * more than its own noise the cell fails, with the reason. Empty where there is no bound. */
void bench_fraction(struct bench_table *table, size_t column, double rate, double bound);

#endif
