/* Gravity in a plane with an activity map, optimized step by step as in "N-Body Simulation - CUDA
 * Optimizations"; ms per iteration. */
#include "cmd/bench/suites/suites.h"

#include "cmd/bench/bed.h"
#include "cmd/bench/plane.h"
#include "kernels/ladder/plane_cpu.h"
#include "kernels/ladder/plane_cuda.h"

#include <string.h>

enum { COUNTS = 8, STEPS = 7, KERNELS_MAX = 16, TRIAL_COUNT = 1000 };

static const size_t counts[COUNTS] = {100, 1000, 2000, 4000, 8000, 16000, 32000, 64000};
static const size_t quick_counts[] = {100, 1000, 2000, 4000, 16000};

/* ---- published figures, ms ---- */

static const char *const published_steps[STEPS] = {"baseline",  "+ compute", "+ activity",   "SoA",
                                                   "read only", "shared",    "rsqrt, 1 step"};

static const double published_times[COUNTS][STEPS] = {
    {5.3, 5.3, 0.2, 0.1, 0.1, 0.1, 0.06},       {6.7, 6, 0.6, 0.7, 0.6, 0.2, 0.1},
    {7.5, 6.9, 1.2, 1.3, 1, 0.3, 0.1},          {9.6, 7.8, 2.2, 2.5, 2.1, 0.5, 0.3},
    {14, 10.8, 5.4, 5.2, 4.1, 1, 0.6},          {29, 20.4, 13.9, 10.8, 8.2, 2.8, 1.7},
    {120.4, 73.7, 60.4, 44.9, 30.1, 10.6, 6.2}, {366, 215.1, 190.2, 137.2, 91.7, 35.3, 22.5},
};

static const double published_cpu[COUNTS] = {0.2, 17, 70, 280, 1100, 4400, 17000, 68000};
static const double published_openmp[COUNTS] = {0.1, 5.6, 21, 75, 290, 1000, 4200, 19000};

/* ---- tables ---- */

enum { STEP_N, STEP_NAME, STEP_TIME, STEP_THEN, STEP_ERROR, STEP_COLUMNS };
enum { N, CPU, CPU_THEN, OPENMP, OPENMP_THEN, CUDA, CUDA_THEN, COLUMNS };

static const struct bench_column step_columns[STEP_COLUMNS] = {
    [STEP_N] = {"N", "", 0, false, false},         [STEP_NAME] = {"step", "", 0, false, false},
    [STEP_TIME] = {"time", "ms", 3, false, true},  [STEP_THEN] = {"time", "ms", 3, true, true},
    [STEP_ERROR] = {"error", "", 2, false, false},
};

static const struct bench_column columns[COLUMNS] = {
    [N] = {"N", "", 0, false, false},
    [CPU] = {"CPU", "ms", 3, false, true},
    [CPU_THEN] = {"CPU", "ms", 3, true, true},
    [OPENMP] = {"OpenMP", "ms", 3, false, true},
    [OPENMP_THEN] = {"OpenMP", "ms", 3, true, true},
    [CUDA] = {"CUDA", "ms", 3, false, true},
    [CUDA_THEN] = {"CUDA", "ms", 3, true, true},
};

/* ---- measuring ---- */

struct run {
    const struct bench_options *options;
    struct bench_report *report;
    struct bench_table *steps, *all; /* steps NULL without CUDA */
    struct bench_device *device;
    double limit; /* time limit of a cell in seconds; 0: none */
    size_t kernel_count;
    struct kernel {
        const struct plane_rung *kernel;
        size_t column; /* of `all`, or COLUMNS */
        bool cuda;
        size_t known_count; /* basis for predicting the next time; 0: no measurement yet */
        double known_seconds;
        size_t left_out; /* first count left out, and the predicted time of an iteration */
        double left_seconds;
    } kernels[KERNELS_MAX];
};

struct outcome {
    double seconds, error;
};

static double predict(const struct kernel *kernel, size_t count)
{
    double ratio = kernel->known_count ? (double)count / (double)kernel->known_count : 0;
    return kernel->known_seconds * ratio * ratio;
}

static enum status measure_one(const struct run *run, struct kernel *kernel, size_t count,
                               struct outcome *outcome)
{
    struct bench_plane *plane = NULL;
    *outcome = (struct outcome){0};
    enum status status =
        bench_plane_open(kernel->kernel, count, kernel->cuda ? run->device : NULL, &plane);
    if (status == STATUS_OK)
        status = bench_plane_check(plane, &outcome->error);
    if (status == STATUS_OK)
        status = bench_plane_time(plane, run->options, &outcome->seconds);
    if (status == STATUS_OK) {
        kernel->known_count = count;
        kernel->known_seconds = outcome->seconds;
    }
    bench_plane_close(&plane);
    return status;
}

/* Returns false, and notes it, if the kernel would take too long. Times for few bodies are not used
 * for prediction. */
static bool measure(const struct run *run, struct kernel *kernel, size_t count, enum status *status,
                    struct outcome *outcome)
{
    const int calls = run->options->quick ? 5 : 7; /* one check, one warm-up, the samples */
    *status = STATUS_OK;
    if (run->limit > 0 && kernel->known_count == 0 && count > TRIAL_COUNT)
        *status = measure_one(run, kernel, TRIAL_COUNT, outcome);
    double seconds = predict(kernel, count);
    if (run->limit > 0 && count > TRIAL_COUNT && seconds * calls > run->limit) {
        if (kernel->left_out == 0) {
            kernel->left_out = count;
            kernel->left_seconds = seconds;
        }
        return false;
    }
    if (*status == STATUS_OK)
        *status = measure_one(run, kernel, count, outcome);
    return true;
}

static int published_row(size_t count)
{
    for (int row = 0; row < COUNTS; row++)
        if (counts[row] == count)
            return row;
    return -1;
}

static void fill_published_step(struct bench_table *table, const char *name, int row)
{
    for (int step = 0; row >= 0 && step < STEPS; step++)
        if (strcmp(published_steps[step], name) == 0)
            bench_number(table, STEP_THEN, published_times[row][step]);
}

static void measure_row(struct run *run, size_t count)
{
    int row = published_row(count);
    bench_add_row(run->all);
    bench_number(run->all, N, (double)count);
    if (row >= 0) {
        bench_number(run->all, CPU_THEN, published_cpu[row]);
        bench_number(run->all, OPENMP_THEN, published_openmp[row]);
        bench_number(run->all, CUDA_THEN, published_times[row][STEPS - 1]);
    }
    for (size_t r = 0; r < run->kernel_count; r++) {
        struct kernel *kernel = &run->kernels[r];
        struct outcome outcome;
        enum status status;
        if (kernel->cuda) {
            bench_add_row(run->steps);
            bench_number(run->steps, STEP_N, (double)count);
            bench_text(run->steps, STEP_NAME, "%s", kernel->kernel->name);
            fill_published_step(run->steps, kernel->kernel->name, row);
        }
        if (!measure(run, kernel, count, &status, &outcome))
            continue;
        if (kernel->column != COLUMNS)
            bench_result(run->all, kernel->column, status, 1e3 * outcome.seconds);
        if (kernel->cuda)
            bench_result(run->steps, STEP_TIME, status, 1e3 * outcome.seconds);
        if (kernel->cuda && status == STATUS_OK)
            bench_number(run->steps, STEP_ERROR, outcome.error);
    }
}

/* ---- the suite ---- */

static void add_kernels(struct run *run, const struct plane_rung *const *kernels, bool cuda)
{
    for (; *kernels && run->kernel_count < KERNELS_MAX; kernels++) {
        struct kernel *kernel = &run->kernels[run->kernel_count++];
        *kernel = (struct kernel){.kernel = *kernels, .column = COLUMNS, .cuda = cuda};
        if (strcmp((*kernels)->name, "CPU") == 0)
            kernel->column = CPU;
        else if (strcmp((*kernels)->name, "OpenMP") == 0)
            kernel->column = OPENMP;
        else if (strcmp((*kernels)->name, published_steps[STEPS - 1]) == 0)
            kernel->column = CUDA;
    }
}

static void add_tables(struct run *run)
{
    if (run->options->cuda) {
        run->steps = bench_add_table(run->report, "bondarenko", STEP_COLUMNS, step_columns,
                                     "gravity in a plane with a 256 x 256 activity map, step by "
                                     "step: time per iteration");
        run->steps->axes = (struct bench_plot_axes){STEP_N, STEP_NAME, true, true};
    }
    run->all = bench_add_table(run->report, "bondarenko", COLUMNS, columns,
                               "gravity in a plane on CPU, OpenMP and CUDA: time per iteration");
    run->all->axes = (struct bench_plot_axes){N, BENCH_NO_COLUMN, true, true};
}

static void add_notes(struct run *run)
{
    for (size_t r = 0; r < run->kernel_count; r++) {
        const struct kernel *kernel = &run->kernels[r];
        struct bench_table *table = kernel->cuda ? run->steps : run->all;
        bench_add_note(table, "%s: %s.", kernel->kernel->name, kernel->kernel->idea);
        if (kernel->left_out)
            bench_add_note(
                table,
                "%s is left out from %zu bodies upwards, where an iteration would take about "
                "%.2g s%s.",
                kernel->kernel->name, kernel->left_out, kernel->left_seconds,
                run->options->quick ? "; run without --quick" : "; ask for it with -n");
    }
    bench_add_note(run->all, "CUDA is the last published step, rsqrt with one Newton step.");
    bench_add_note(run->all, "Published: N-Body Simulation - CUDA Optimizations (Bondarenko).");
    bench_note_backends(run->options, run->all);
}

static enum status run_bondarenko(const struct bench_options *options, struct bench_report *report)
{
    struct run run = {.options = options, .report = report};
    run.limit = options->quick ? 4 : options->count ? 0 : 20;
    enum status status =
        options->cuda ? bench_device_open(options->device, &run.device) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    if (options->cpu)
        add_kernels(&run, plane_cpu_rungs, false);
    if (options->cuda)
        add_kernels(&run, plane_cuda_rungs, true);
    add_tables(&run);

    const size_t *list = options->count ? &options->count : options->quick ? quick_counts : counts;
    size_t length = options->count   ? 1
                    : options->quick ? sizeof quick_counts / sizeof *quick_counts
                                     : COUNTS;
    for (size_t k = 0; k < length; k++)
        measure_row(&run, list[k]);
    add_notes(&run);
    bench_device_close(&run.device);
    return STATUS_OK;
}

const struct bench_suite suite_bondarenko = {
    .name = "bondarenko",
    .doc = "2-D gravity with an activity map, optimized step by step; ms per iteration",
    .run = run_bondarenko,
};
