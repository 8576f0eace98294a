/* Upper bounds of a machine on all pairs, in interactions per second, counted N * N.
 *
 * An interaction of equal masses takes 3 subtractions, 3 fused multiply-adds for the squared
 * distance, 1 reciprocal root, 2 multiplications and 3 fused multiply-adds: 12 issue slots. With
 * Newton's third law two interactions together take 15. Different masses take one more
 * multiplication per interaction. */
#pragma once

#include "cmd/bench/device.h"
#include "cmd/bench/table.h"
#include "kernels/ladder/ladder.h"

/* By kind of interaction; 0: unknown. */
struct bench_bound {
    double rate[LADDER_MIXTURES];
    double by_roots; /* CUDA: the bound if the reciprocal root were the only cost of two
                      * interactions */
};

/* Measures fused multiply-adds, roots, and both in the mixtures above, with all threads. Adds a
 * table of the results. */
void bench_bound_cpu(const struct bench_options *options, struct bench_report *report,
                     struct bench_bound *bound);

/* Computed from multiprocessors and clock, as the device reports them; the table shows the formula;
 * no table if `report` is NULL. All 0 if the device does not report its clock. */
enum status bench_bound_cuda(struct bench_device *device, struct bench_report *report,
                             struct bench_bound *bound);

/* Sets a cell to rate / bound in percent. If the rate exceeds the bound by more than the bound's
 * own noise, the cell fails with that reason. The cell stays empty without a bound. */
void bench_fraction(struct bench_table *table, size_t column, double rate, double bound);
