/* Upper bounds of a machine's rates, and lower bounds of the times of a suite's rows. Each row has
 * its bound next to its main figure, in the same unit. */
#pragma once

#include "cmd/bench/table.h"
#include "kernels/ladder/ladder.h"

/* Rates per second; 0: unknown.
 *
 * An interaction of equal masses takes 3 subtractions, 3 fused multiply-adds for the squared
 * distance, 1 reciprocal root, 2 multiplications and 3 fused multiply-adds: 12 issue slots. With
 * Newton's third law two interactions together take 15. Different masses take one more
 * multiplication per interaction. */
struct bench_bound {
    bool cuda;
    double slots;                 /* instructions on lanes of single precision, counted per lane */
    double rate[LADDER_MIXTURES]; /* interactions, by kind */
    double by_roots;              /* CUDA: interactions if the reciprocal root were the only cost of
                                   * two */
    double memory;                /* bytes of memory, read and written */
    double to_host;               /* bytes copied to the host's memory; on the CPU within it */
    char unknown[STATUS_TEXT_MAX]; /* why a rate is unknown; "" */
};

/* Finds all rates, and adds a table of them unless `report` is NULL. Those of the CPU are measured
 * with all threads, by their processor time: fused multiply-adds, roots, both in the mixtures
 * above, and copies. Those of a CUDA device are computed from the multiprocessors and the clock
 * that the device reports; copies are measured. */
void bench_bound_find(const struct bench_options *options, bool cuda, struct bench_report *report,
                      struct bench_bound *bound);

/* The measured rate of interactions of one instruction set. */
double bench_bound_path(const struct bench_options *options, const struct ladder_bound *path,
                        enum ladder_mixture mixture);

/* The least work that a row can do. */
struct bench_least {
    double interactions; /* at rate[LADDER_EACH] */
    double slots;        /* other instructions on lanes */
    double by_roots;     /* interactions on matrix units */
    double bytes;        /* of memory, read and written */
    double to_host;      /* bytes copied to the host */
};

/* Computing, memory and copies to the host can overlap: the longest of the three. 0: a rate that is
 * needed is unknown. */
double bench_least_seconds(const struct bench_bound *bound, const struct bench_least *least);

/* The products in a join of two cells, in one direction, for an order of expansion, 4 or 5: those
 * in the code that kernels/tree/generate.c writes for derivatives and translation. Each takes at
 * least one instruction. The CPU's are flat terms (kernels/tree/tree.h). */
int bench_join_products(bool cuda, int order);

/* Frames per second that stages reach together at most, from those that each reaches alone: the
 * slowest, or simulation and drawing in turn on one device. */
double bench_bound_frames(double simulation, double drawing, double encoding, bool one_device);

/* Sets a cell to rate / bound in percent. If the rate exceeds the bound by more than the bound's
 * own noise, the cell fails with that reason. The cell stays empty without a bound. */
void bench_fraction(struct bench_table *table, size_t column, double rate, double bound);

/* Sets the bound and, in the next column, the share that a rate reaches. Both stay empty without a
 * bound, and the share without a rate. */
void bench_bound_rate(struct bench_table *table, size_t column, double rate, double bound);

/* The same for milliseconds, given seconds. */
void bench_bound_time(struct bench_table *table, size_t column, double seconds, double bound);

/* Adds a note that begins with "Bound: " and says what it counts. Unless `bound` is NULL, its rates
 * follow, or why they are unknown. */
void bench_note_bound(struct bench_table *table, const struct bench_bound *bound,
                      const char *format, ...) __attribute__((format(printf, 3, 4)));
