/* The figures of GPU Gems 3, chapter 31: performance against N; then, kernel by kernel, the
 * improvements since then. */
#include "cmd/bench/suites/suites.h"

#include "cmd/bench/bed.h"
#include "cmd/bench/bound.h"
#include "sim/gravity/force.h"

#include <string.h>

enum { RATE_DIGITS = 4, SERIAL_MAX = 16384 };

/* 20 flops per interaction; 1e9 interactions/s, and steps/s, at `count` bodies. */
static const struct {
    size_t count;
    double best, steps, serial, sse; /* "more than"; portable C, tuned SSE */
} published = {16384, 10, 38, 0.02, 0.1};

struct run {
    const struct bench_options *options;
    struct bench_report *report;
    struct bench_device *device;
    struct bench_bound cpu, cuda;
};

static const struct ladder_rung *cuda_kernel(const struct run *run, const char *name)
{
    return run->options->cuda ? ladder_find(name) : NULL;
}

/* ---- performance against N ---- */

enum {
    N,
    TILE,
    UNROLLED,
    SAMPLE,
    CUDA_NOW,
    MATRIX_UNITS,
    CUDA_BOUND,
    SERIAL,
    PLAIN,
    CPU_NOW,
    CPU_BOUND,
    THEN,
    CPU_THEN,
    COLUMNS
};

static const struct bench_column count_columns[COLUMNS] = {
    [N] = {"N", "", 0, false, false},
    [TILE] = {"shared tile", "1e9/s", RATE_DIGITS, false, true},
    [UNROLLED] = {"unroll 4", "1e9/s", RATE_DIGITS, false, true},
    [SAMPLE] = {"sample's shape", "1e9/s", RATE_DIGITS, false, true},
    [CUDA_NOW] = {"gravreel CUDA", "1e9/s", RATE_DIGITS, false, true},
    [MATRIX_UNITS] = {"matrix units", "1e9/s", RATE_DIGITS, false, true},
    [CUDA_BOUND] = {"CUDA bound", "1e9/s", RATE_DIGITS, false, true},
    [SERIAL] = {"serial", "1e9/s", RATE_DIGITS, false, true},
    [PLAIN] = {"plain loop", "1e9/s", RATE_DIGITS, false, true},
    [CPU_NOW] = {"gravreel CPU", "1e9/s", RATE_DIGITS, false, true},
    [CPU_BOUND] = {"CPU bound", "1e9/s", RATE_DIGITS, false, true},
    [THEN] = {"8800 GTX", "1e9/s", RATE_DIGITS, true, true},
    [CPU_THEN] = {"Core 2", "1e9/s", RATE_DIGITS, true, true},
};

static void put_bound(struct bench_table *table, size_t column, double rate)
{
    if (rate > 0)
        bench_number(table, column, 1e-9 * rate);
}

static enum status count_row(struct run *run, struct bench_table *table, size_t count)
{
    const struct bench_options *options = run->options;
    struct bench_bed *bed;
    bench_add_row(table);
    bench_number(table, N, (double)count);
    enum status status = bench_bed_open(&bed, options, count, true, run->device);
    if (status != STATUS_OK)
        return status;
    static const struct {
        size_t column;
        const char *name;
    } kernels[] = {
        {TILE, "shared tile"}, {UNROLLED, "shared tile, unroll 4"}, {SAMPLE, "sample's shape"}};
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        bench_bed_cell(bed, table, kernels[k].column, cuda_kernel(run, kernels[k].name));
    if (options->cuda)
        bench_bed_solver_cell(bed, table, CUDA_NOW, &solver_cuda, "fast");
    if (options->cuda && force_runs(&force_tensor, solver_cuda.name, options->device))
        bench_bed_solver_cell(bed, table, MATRIX_UNITS, &solver_cuda, "tensor");
    put_bound(table, CUDA_BOUND, run->cuda.rate[LADDER_PAIRS_EQUAL]);
    if (options->cpu && (count <= SERIAL_MAX || options->count)) {
        bench_bed_cell(bed, table, SERIAL, ladder_find("serial"));
        bench_bed_cell(bed, table, PLAIN, ladder_plain_best());
        bench_bed_solver_cell(bed, table, CPU_NOW, &solver_cpu, "fast");
        put_bound(table, CPU_BOUND, run->cpu.rate[LADDER_PAIRS_EQUAL]);
    }
    if (count == published.count) {
        bench_number(table, THEN, published.best);
        bench_number(table, CPU_THEN, published.serial);
    }
    bench_bed_close(&bed);
    return STATUS_OK;
}

static enum status against_count(struct run *run)
{
    /* in single precision, plain sums over a million bodies have an error of 2e-5 */
    static const size_t all[] = {1024, 2048, 4096, 8192, 16384, 32768, 65536, 131072, 262144, 0};
    static const size_t cpu_only[] = {1024, 2048, 4096, 8192, 16384, 0};
    static const size_t quick[] = {1024, 4096, 16384, 65536, 0},
                        cpu_quick[] = {1024, 4096, 16384, 0};
    const struct bench_options *options = run->options;
    const size_t one[] = {options->count, 0};
    const size_t *count = options->count  ? one
                          : options->cuda ? (options->quick ? quick : all)
                                          : (options->quick ? cpu_quick : cpu_only);
    struct bench_table *table =
        bench_add_table(run->report, "gems3", COLUMNS, count_columns,
                        "interactions per second against the number of bodies");
    enum status status = STATUS_OK;
    for (; status == STATUS_OK && *count; count++)
        status = count_row(run, table, *count);
    table->axes = (struct bench_plot_axes){.x = N, .group = BENCH_NO_COLUMN};
    bench_add_note(table, "Published: Fast N-Body Simulation with CUDA, GPU Gems 3, chapter 31 "
                          "(2007), GeForce 8800 GTX; CPU: Core 2 Duo 6300.");
    bench_add_note(table,
                   "8800 GTX: at least that, %g steps/s. Core 2: portable C; %g with tuned SSE. "
                   "Tiles of 256.",
                   published.steps, published.sse);
    bench_note_bound(table, NULL,
                     "issue slots of interactions of equal masses with Newton's third law, on "
                     "the CPU measured with all threads; matrix units are not held to it.");
    bench_note_backends(options, table);
    return status;
}

/* ---- kernel by kernel, CUDA ---- */

enum { KERNEL, RATE, GAIN, BOUND, FRACTION, ERROR, IDEA, KERNEL_COLUMNS };

static const struct bench_column kernel_columns[KERNEL_COLUMNS] = {
    [KERNEL] = {"kernel", "", 0, false, false},
    [RATE] = {"rate", "1e9/s", RATE_DIGITS, false, true},
    [GAIN] = {"speed-up", "times", 3, false, false},
    [BOUND] = {"bound", "1e9/s", RATE_DIGITS, false, true},
    [FRACTION] = {"of the bound", "%", 3, false, false},
    [ERROR] = {"error", "", 2, false, false},
    [IDEA] = {"what changed, and why it is faster", "", 0, false, false},
};

static const struct kernel {
    const char *name, *force; /* force: one of the program's forces; NULL: a kernel of the ladder,
                               * by name */
    const char *idea;
} climb[] = {
    {"shared tile", NULL, "a block reads each source once, into shared memory"},
    {"shared tile, unroll 4", NULL, "the loop's own instructions are issued once for four sources"},
    {"sample's shape", NULL, "a tile of constant size: the loop is unrolled by 128"},
    {"pairs once", "fast",
     "Newton's third law, sums in registers: two interactions take 15 issue slots instead of 26"},
    {"matrix units", "tensor",
     "tensor cores form squared distances and add up forces: two interactions leave one reciprocal "
     "root"},
};

static double bound_of(const struct kernel *kernel, const struct bench_bound *bound)
{
    if (!kernel->force)
        return bound->rate[LADDER_EACH];
    return strcmp(kernel->force, "tensor") == 0 ? bound->by_roots : bound->rate[LADDER_PAIRS_EQUAL];
}

static void kernel_row(struct run *run, struct bench_table *table, struct bench_bed *bed,
                       const struct kernel *kernel, double bound, double *first)
{
    struct bench_outcome outcome;
    bench_add_row(table);
    bench_text(table, KERNEL, "%s", kernel->name);
    bench_text(table, IDEA, "%s", kernel->idea);
    enum status status = kernel->force
                             ? bench_bed_solver(bed, &solver_cuda, kernel->force, NULL, &outcome)
                             : bench_bed_kernel(bed, cuda_kernel(run, kernel->name), &outcome);
    bench_result(table, RATE, status, 1e-9 * outcome.rate);
    bench_bound_rate(table, BOUND, 1e-9 * outcome.rate, 1e-9 * bound);
    if (status != STATUS_OK)
        return;
    bench_number(table, ERROR, outcome.error);
    if (kernel == climb)
        *first = outcome.rate;
    if (*first > 0)
        bench_number(table, GAIN, outcome.rate / *first);
}

static enum status kernel_by_kernel(struct run *run)
{
    const struct bench_options *options = run->options;
    const size_t count = options->count ? options->count : options->quick ? 65536 : 262144;
    struct bench_bed *bed;
    double first = 0;
    enum status status = bench_bed_open(&bed, options, count, true, run->device);
    if (status != STATUS_OK)
        return status;
    struct bench_table *table =
        bench_add_table(run->report, "gems3", KERNEL_COLUMNS, kernel_columns,
                        "kernel by kernel, %zu bodies, CUDA", count);
    for (size_t k = 0; k < sizeof climb / sizeof *climb; k++)
        kernel_row(run, table, bed, &climb[k], bound_of(&climb[k], &run->cuda), &first);
    bench_bed_close(&bed);
    table->axes = (struct bench_plot_axes){.x = KERNEL, .group = BENCH_NO_COLUMN};
    bench_add_note(table, "Speed-up: over the first kernel.");
    bench_note_bound(table, &run->cuda,
                     "issue slots; of matrix units, reciprocal roots, 16 per clock and "
                     "multiprocessor.");
    bench_add_note(table,
                   "Matrix units: the squared distances between two tiles of bodies, and the "
                   "sums of the forces on both, are products of");
    bench_add_note(table, "matrices. Tensor cores multiply numbers of half precision and add up in "
                          "single. Two interactions cost the other pipes");
    bench_add_note(table, "a reciprocal root, two multiplications for its cube and half a "
                          "conversion; \"pairs once\" issues a root and 14 other");
    bench_add_note(table, "instructions. Tiles too close together for half precision keep plain "
                          "interactions, a share that falls as N grows.");
    return STATUS_OK;
}

static enum status run_gems3(const struct bench_options *options, struct bench_report *report)
{
    struct run run = {.options = options, .report = report};
    if (options->cpu)
        bench_bound_find(options, false, NULL, &run.cpu);
    if (options->cuda)
        bench_bound_find(options, true, NULL, &run.cuda);
    enum status status =
        options->cuda ? bench_device_open(options->device, &run.device) : STATUS_OK;
    if (status == STATUS_OK)
        status = against_count(&run);
    if (status == STATUS_OK && options->cuda)
        status = kernel_by_kernel(&run);
    bench_device_close(&run.device);
    return status;
}

const struct bench_suite suite_gems3 = {
    .name = "gems3",
    .doc = "performance against N; kernels from the published one to matrix units",
    .run = run_gems3,
};
