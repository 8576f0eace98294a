/* Block size, and the number of blocks that share a block of bodies, at 4,096 bodies. */
#include "cmd/bench/suites/suites.h"

#include "cmd/bench/bed.h"
#include "cmd/bench/published.h"

#include <math.h>

enum { PUBLISHED_COUNT = 4096, RATE_DIGITS = 4 };

struct run {
    const struct bench_options *options;
    struct bench_report *report;
    struct bench_device *device;
    struct bench_bed *bed;
    size_t count;
};

static void cpu_table(struct run *run)
{
    static const struct bench_column columns[] = {
        {"kernel", "", 0, false, false},
        {"this machine", "1e9/s", RATE_DIGITS, false, true},
        {"its host", "1e9/s", RATE_DIGITS, true, true},
    };
    struct bench_table *table =
        bench_add_table(run->report, "stride", 3, columns, "CPU, %zu bodies", run->count);
    bench_add_row(table);
    bench_text(table, 0, "serial");
    bench_bed_cell(run->bed, table, 1, ladder_find(LADDER_CPU, "serial"), NULL);
    if (run->count == PUBLISHED_COUNT)
        bench_number(table, 2, published_stride_serial);
    bench_add_row(table);
    bench_text(table, 0, "plain loop");
    bench_bed_cell(run->bed, table, 1, bench_plain_kernel(), NULL);
    bench_add_row(table);
    bench_text(table, 0, "gravreel");
    bench_bed_solver_cell(run->bed, table, 1, &solver_cpu, "fast");
    bench_add_note(table, "%s", published_stride_source);
    bench_note_backends(run->options, table);
}

/* The published block sizes, including the one that no device can launch. */
static void basic_table(struct run *run)
{
    static const struct bench_column columns[] = {
        {"block size", "", 0, false, false},
        {"basic", "1e9/s", RATE_DIGITS, false, true},
        {"A100", "1e9/s", RATE_DIGITS, true, true},
    };
    struct bench_table *table =
        bench_add_table(run->report, "stride", 3, columns,
                        "basic (naive float4) against block size, %zu bodies", run->count);
    for (const struct published_point *point = published_stride_basic; point->at; point++) {
        struct ladder_shape shape = {point->at, 1, 1, 1};
        bench_add_row(table);
        bench_number(table, 0, point->at);
        bench_bed_cell(run->bed, table, 1, ladder_find(LADDER_CUDA, "naive float4"), &shape);
        if (run->count == PUBLISHED_COUNT && point->at == published_stride_broken)
            bench_failed(table, 2,
                         "published as %.3f, the fastest of all: no device launches %u threads per "
                         "block, so that was the time of a failed launch",
                         point->rate, point->at);
        else if (run->count == PUBLISHED_COUNT)
            bench_number(table, 2, point->rate);
    }
    table->axes = (struct bench_plot_axes){.x = 0, .group = BENCH_NO_COLUMN, .log_x = true};
    bench_add_note(table, "%s", published_stride_source);
}

static void stride_table(struct run *run)
{
    static const unsigned blocks[] = {8, 16, 32, 64, 128, 256, 512, 0};
    static const unsigned strides[] = {1, 2, 4, 8, 16, 32, 64, 128, 0};
    static const struct bench_column columns[] = {
        {"block size", "", 0, false, false},
        {"stride", "", 0, false, false},
        {"shared", "1e9/s", RATE_DIGITS, false, true},
        {"A100", "1e9/s", RATE_DIGITS, true, true},
    };
    const struct ladder_rung *kernel = ladder_find(LADDER_CUDA, "stride");
    struct bench_outcome outcome, best = {0};
    struct ladder_shape best_shape = {0};
    struct bench_table *table = bench_add_table(
        run->report, "stride", 4, columns, "shared, block size and stride, %zu bodies", run->count);
    for (const unsigned *block = blocks; *block; block++)
        for (const unsigned *stride = strides; *stride; stride++) {
            struct ladder_shape shape = {*block, 1, 8, *stride};
            double then = published_stride(*block, *stride);
            bench_add_row(table);
            bench_text(table, 0, "%u", *block);
            bench_number(table, 1, *stride);
            enum status status = bench_bed_kernel(run->bed, kernel, &shape, &outcome);
            bench_result(table, 2, status, 1e-9 * outcome.rate);
            if (status == STATUS_OK && outcome.rate > best.rate) {
                best = outcome;
                best_shape = shape;
            }
            if (!isnan(then) && run->count == PUBLISHED_COUNT)
                bench_number(table, 3, then);
        }
    table->axes = (struct bench_plot_axes){.x = 1, .group = 0, .log_x = true};
    if (best.rate > 0)
        bench_add_note(table, "Best: %.4g at block size %u, stride %u.", 1e-9 * best.rate,
                       best_shape.block, best_shape.stride);
    bench_add_note(table,
                   "Partial sums are added with atomics, as published: the last digits differ from "
                   "run to run.");
    bench_add_note(table, "%s", published_stride_source);
}

static void solver_table(struct run *run)
{
    static const struct bench_column columns[] = {
        {"kernel", "", 0, false, false},
        {"this device", "1e9/s", RATE_DIGITS, false, true},
    };
    struct bench_table *table = bench_add_table(run->report, "stride", 2, columns,
                                                "the same bodies, the program's own solver");
    bench_add_row(table);
    bench_text(table, 0, "gravreel");
    bench_bed_solver_cell(run->bed, table, 1, &solver_cuda, "fast");
}

static enum status run_stride(const struct bench_options *options, struct bench_report *report)
{
    struct run run = {options, report, NULL, NULL,
                      options->count ? options->count : PUBLISHED_COUNT};
    enum status status =
        options->cuda ? bench_device_open(options->device, &run.device) : STATUS_OK;
    if (status == STATUS_OK)
        status = bench_bed_open(&run.bed, options, run.count, true, run.device);
    if (status == STATUS_OK && options->cpu)
        cpu_table(&run);
    if (status == STATUS_OK && options->cuda) {
        basic_table(&run);
        stride_table(&run);
        solver_table(&run);
    }
    bench_bed_close(&run.bed);
    bench_device_close(&run.device);
    return status;
}

const struct bench_suite suite_stride = {
    .name = "stride",
    .doc = "block size and stride at 4,096 bodies",
    .run = run_stride,
};
