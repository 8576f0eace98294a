/* The kernels of the 2008 galaxy collision project, in steps per second at 8,192 bodies. */
#include "cmd/bench/suites/suites.h"

#include "cmd/bench/bed.h"
#include "cmd/bench/published.h"

#include <math.h>

enum { NAME, STEPS, ERROR, THEN, IDEA, COLUMNS };

static const struct bench_column columns[COLUMNS] = {
    [NAME] = {"kernel", "", 0, false, false},
    [STEPS] = {"this machine", "steps/s", 4, false, true},
    [ERROR] = {"error", "", 2, false, false},
    [THEN] = {"8600M GT", "steps/s", 3, true, true},
    [IDEA] = {"what is new", "", 0, false, false},
};

struct run {
    const struct bench_options *options;
    struct bench_table *table;
    struct bench_bed *bed;
    bool as_published; /* the same number of bodies */
};

static void fill(struct run *run, enum status status, const struct bench_outcome *outcome)
{
    bench_result(run->table, STEPS, status, 1 / outcome->seconds);
    if (status == STATUS_OK)
        bench_number(run->table, ERROR, outcome->error);
}

static void kernel_row(struct run *run, const struct ladder_rung *kernel)
{
    struct bench_outcome outcome;
    double then = published_evl2008(kernel->name);
    bench_add_row(run->table);
    bench_text(run->table, NAME, "%s %s", kernel->backend == LADDER_CUDA ? "CUDA" : "CPU",
               kernel->name);
    fill(run, bench_bed_kernel(run->bed, kernel, NULL, &outcome), &outcome);
    if (!isnan(then) && run->as_published && kernel->backend == LADDER_CUDA)
        bench_number(run->table, THEN, then);
    bench_text(run->table, IDEA, "%s", kernel->idea);
}

static void solver_row(struct run *run, const char *backend, const struct solver_ops *ops)
{
    struct bench_outcome outcome;
    bench_add_row(run->table);
    bench_text(run->table, NAME, "%s gravreel", backend);
    fill(run, bench_bed_solver(run->bed, ops, "fast", NULL, &outcome), &outcome);
    bench_text(run->table, IDEA, "%s", outcome.kernel);
}

static void rows(struct run *run)
{
    static const char *const cuda[] = {"naive float",
                                       "naive float4",
                                       "naive float4, 2-D block",
                                       "subset 1/2",
                                       "subset 1/4",
                                       "subset 1/8",
                                       "subset 1/16",
                                       "shared tile",
                                       "shared tile, unroll 8",
                                       "shared tile, unroll 8, 2-D block",
                                       "sample's shape",
                                       NULL};
    if (run->options->cpu) {
        kernel_row(run, ladder_find(LADDER_CPU, "serial"));
        kernel_row(run, bench_plain_kernel());
        solver_row(run, "CPU", &solver_cpu);
    }
    if (run->options->cuda) {
        for (const char *const *name = cuda; *name; name++)
            kernel_row(run, ladder_find(LADDER_CUDA, *name));
        solver_row(run, "CUDA", &solver_cuda);
    }
}

static enum status run_evl2008(const struct bench_options *options, struct bench_report *report)
{
    enum { PUBLISHED_COUNT = 8192 };
    size_t count = options->count ? options->count : PUBLISHED_COUNT;
    struct run run = {.options = options, .as_published = count == PUBLISHED_COUNT};
    struct bench_device *device = NULL;
    run.table = bench_add_table(report, "evl2008", COLUMNS, columns,
                                "steps per second at %zu bodies (forces only)", count);
    enum status status = options->cuda ? bench_device_open(options->device, &device) : STATUS_OK;
    if (status == STATUS_OK)
        status = bench_bed_open(&run.bed, options, count, true, device);
    if (status == STATUS_OK)
        rows(&run);
    run.table->axes = (struct bench_plot_axes){.x = NAME, .group = BENCH_NO_COLUMN, .log_y = true};
    bench_add_note(run.table, "%s", published_evl2008_source);
    bench_add_note(run.table,
                   "Unroll 8 was published as 86 %% of the sample; empty cells were published as "
                   "pictures only. The error of a subset is against the same subset.");
    bench_note_backends(options, run.table);
    bench_bed_close(&run.bed);
    bench_device_close(&device);
    return status;
}

const struct bench_suite suite_evl2008 = {
    .name = "evl2008",
    .doc = "naive, float4, subsets, shared tile, unroll, 1-D and 2-D blocks; steps/s",
    .run = run_evl2008,
};
