/* The production solvers over N, force modes and masses: speed, accuracy, and distance from the
 * bound. */
#include "cmd/bench/suites/suites.h"

#include "base/ranks/ranks.h"
#include "cmd/bench/bed.h"
#include "cmd/bench/bound.h"
#include "sim/ranks/rank_solver.h"

#include <stdio.h>

struct run {
    const struct bench_options *options;
    struct bench_report *report;
    char ranks[32];
};

/* ---- over N, modes and masses ---- */

enum { N, MODE, RATE, BOUND, FRACTION, MILLISECONDS, ERROR, KERNEL, COLUMNS };

static const struct bench_column columns[COLUMNS] = {
    [N] = {"N", "", 0, false, false},
    [MODE] = {"mode", "", 0, false, false},
    [RATE] = {"rate", "1e9/s", 4, false, true},
    [BOUND] = {"bound", "1e9/s", 4, false, false},
    [FRACTION] = {"of the bound", "%", 3, false, false},
    [MILLISECONDS] = {"per step", "ms", 4, false, false},
    [ERROR] = {"error", "", 2, false, false},
    [KERNEL] = {"kernel", "", 0, false, false},
};

/* ISSUE_SLOTS: of single precision; HALF_SLOTS: of double, of which an instruction holds half as
 * many. ONLY_RANKS: measured on ranks alone, because the suite tree has it in one process; without
 * a rate, which counts all pairs. */
enum limit { ISSUE_SLOTS, HALF_SLOTS, ROOTS, ONLY_RANKS };

static const struct mode {
    const char *force, *words;
    bool equal;
    enum limit limit;
    size_t cpu_max, cuda_max; /* larger N would only take longer */
} modes[] = {
    {"fast", "fast, equal masses", true, ISSUE_SLOTS, SIZE_MAX, SIZE_MAX},
    {"fast", "fast", false, ISSUE_SLOTS, SIZE_MAX, SIZE_MAX},
    {"tensor", "tensor", false, ROOTS, 0, SIZE_MAX},
    {"exact", "exact", false, ISSUE_SLOTS, 16384, SIZE_MAX},
    {"double", "double", false, HALF_SLOTS, 16384, 262144},
    {"tree-exact", "tree-exact", false, ONLY_RANKS, SIZE_MAX, SIZE_MAX},
};

static double bound_of(const struct mode *mode, const struct bench_bound *bound)
{
    const double slots = bound->rate[mode->equal ? LADDER_PAIRS_EQUAL : LADDER_PAIRS];
    switch (mode->limit) {
    case ISSUE_SLOTS:
        return slots;
    case HALF_SLOTS:
        return slots / 2;
    case ROOTS:
        return bound->by_roots;
    case ONLY_RANKS:
        break;
    }
    return 0;
}

static void solver_row(struct bench_table *table, struct bench_bed *bed,
                       const struct solver_ops *ops, size_t count, const struct mode *mode,
                       const struct bench_bound *bound)
{
    struct bench_outcome outcome;
    bench_add_row(table);
    bench_number(table, N, (double)count);
    bench_text(table, MODE, "%s", mode->words);
    enum status status = bench_bed_solver(bed, ops, mode->force, NULL, &outcome);
    if (status != STATUS_OK || mode->limit != ONLY_RANKS)
        bench_result(table, RATE, status, 1e-9 * outcome.rate);
    bench_bound_rate(table, BOUND, 1e-9 * outcome.rate, 1e-9 * bound_of(mode, bound));
    if (status != STATUS_OK)
        return;
    bench_number(table, MILLISECONDS, 1e3 * outcome.seconds);
    bench_number(table, ERROR, outcome.error);
    bench_text(table, KERNEL, "%s", outcome.kernel);
}

static bool has(const struct mode *mode, bool cuda)
{
    const struct force_ops *force = (const void *)choice_find(&force_registry, mode->force);
    if (ranks_are_together())
        return solver_ranks.has(force);
    return mode->limit != ONLY_RANKS &&
           force_path_of(force, cuda ? solver_cuda.name : solver_cpu.name);
}

static const size_t *counts_for(const struct run *run, bool cuda, const size_t *one)
{
    static const size_t cpu_all[] = {1024, 4096, 16384, 65536, 0};
    static const size_t cuda_all[] = {1024, 4096, 16384, 65536, 262144, 1048576, 0};
    static const size_t cpu_quick[] = {1024, 4096, 0}, cuda_quick[] = {4096, 16384, 65536, 0};
    if (run->options->count)
        return one;
    if (run->options->quick)
        return cuda ? cuda_quick : cpu_quick;
    return cuda ? cuda_all : cpu_all;
}

/* Returns ", 3 ranks"; "" in one process. */
static const char *on_ranks(struct run *run)
{
    if (ranks_are_together())
        snprintf(run->ranks, sizeof run->ranks, ", %d ranks", ranks_count());
    return run->ranks;
}

static enum status over_counts(struct run *run, bool cuda, const struct bench_bound *bound)
{
    const struct solver_ops *ops = cuda ? &solver_cuda : &solver_cpu;
    const size_t one[] = {run->options->count, 0};
    struct bench_table *table =
        bench_add_table(run->report, "solver", COLUMNS, columns, "the program's own solver, %s%s",
                        cuda ? "CUDA" : "CPU", on_ranks(run));
    enum status status = STATUS_OK;
    for (const size_t *count = counts_for(run, cuda, one); *count; count++)
        for (int equal = 1; status == STATUS_OK && equal >= 0; equal--) {
            struct bench_bed *bed;
            status = bench_bed_open(&bed, run->options, *count, equal, NULL);
            for (size_t m = 0; status == STATUS_OK && m < sizeof modes / sizeof *modes; m++)
                if (modes[m].equal == equal && has(&modes[m], cuda) &&
                    (run->options->count ||
                     *count <= (cuda ? modes[m].cuda_max : modes[m].cpu_max)))
                    solver_row(table, bed, ops, *count, &modes[m], bound);
            bench_bed_close(&bed);
        }
    table->axes = (struct bench_plot_axes){.x = N, .group = MODE};
    bench_add_note(table, "Whole force evaluations.");
    bench_note_bound(table, NULL,
                     "issue slots of interactions with Newton's third law, equal or different "
                     "masses, in single precision, of double half of that; of tensor, reciprocal "
                     "roots.");
    bench_add_note(table, "Error: relative RMS of the accelerations against double.");
    return status;
}

/* ---- CPU paths against the compiler's loop ---- */

enum { PATH, PLAIN, OURS, PATH_BOUND, PATH_FRACTION, RATIO, PATH_ERROR, PATH_COLUMNS };

static const struct bench_column path_columns[PATH_COLUMNS] = {
    [PATH] = {"path", "", 0, false, false},
    [PLAIN] = {"plain loop", "1e9/s", 4, false, true},
    [OURS] = {"gravreel", "1e9/s", 4, false, true},
    [PATH_BOUND] = {"bound", "1e9/s", 4, false, true},
    [PATH_FRACTION] = {"of the bound", "%", 3, false, false},
    [RATIO] = {"ratio", "", 3, false, false},
    [PATH_ERROR] = {"error", "", 2, false, false},
};

static enum status paths(struct run *run)
{
    size_t count = run->options->count ? run->options->count : run->options->quick ? 4096 : 16384;
    struct bench_bed *bed;
    enum status status = bench_bed_open(&bed, run->options, count, true, NULL);
    if (status != STATUS_OK)
        return status;
    struct bench_table *table = bench_add_table(
        run->report, "solver", PATH_COLUMNS, path_columns,
        "CPU paths against the loop as the compiler vectorizes it, %zu bodies", count);
    for (const struct ladder_bound *const *path = ladder_bounds; *path; path++) {
        struct bench_outcome plain, ours;
        char name[48];
        if (!(*path)->usable())
            continue;
        snprintf(name, sizeof name, "plain %s", (*path)->name);
        bench_add_row(table);
        bench_text(table, PATH, "%s", (*path)->name);
        enum status of_plain = bench_bed_kernel(bed, ladder_find(name), &plain);
        bench_result(table, PLAIN, of_plain, 1e-9 * plain.rate);
        enum status of_ours = bench_bed_solver(bed, &solver_cpu, "fast", (*path)->name, &ours);
        bench_result(table, OURS, of_ours, 1e-9 * ours.rate);
        if (of_ours == STATUS_OK) {
            const double most = bench_bound_path(run->options, *path, LADDER_PAIRS_EQUAL);
            bench_bound_rate(table, PATH_BOUND, 1e-9 * ours.rate, 1e-9 * most);
            bench_number(table, PATH_ERROR, ours.error);
        }
        if (of_ours == STATUS_OK && of_plain == STATUS_OK)
            bench_number(table, RATIO, ours.rate / plain.rate);
    }
    bench_bed_close(&bed);
    table->axes = (struct bench_plot_axes){.x = PATH, .group = BENCH_NO_COLUMN};
    bench_note_bound(
        table, NULL,
        "interactions of equal masses with Newton's third law, measured for the path.");
    return STATUS_OK;
}

/* The bounds are those of one process, so ranks measure their forces alone. */
static enum status run_on_ranks(struct run *run)
{
    const struct bench_bound none = {0};
    enum status status = run->options->cuda ? over_counts(run, true, &none) : STATUS_OK;
    if (status == STATUS_OK && run->options->cpu) {
        bench_ready(run->report);
        status = over_counts(run, false, &none);
    }
    return status;
}

static enum status run_cuda(struct run *run)
{
    struct bench_bound bound;
    bench_bound_find(run->options, true, run->report, &bound);
    bench_ready(run->report);
    enum status status = over_counts(run, true, &bound);
    if (status == STATUS_OK && run->options->cpu)
        bench_ready(run->report);
    return status;
}

static enum status run_cpu(struct run *run)
{
    struct bench_bound bound;
    bench_bound_find(run->options, false, run->report, &bound);
    bench_ready(run->report);
    enum status status = over_counts(run, false, &bound);
    if (status == STATUS_OK) {
        bench_ready(run->report);
        status = paths(run);
    }
    return status;
}

static enum status run_solver(const struct bench_options *options, struct bench_report *report)
{
    struct run run = {options, report, ""};
    enum status status = STATUS_OK;
    if (ranks_are_together())
        status = run_on_ranks(&run);
    else if (options->cuda)
        status = run_cuda(&run);
    if (status == STATUS_OK && options->cpu && !ranks_are_together())
        status = run_cpu(&run);
    if (report->table_count > 0)
        bench_note_backends(options, report->tables[report->table_count - 1]);
    return status;
}

const struct bench_suite suite_solver = {
    .name = "solver",
    .doc = "the program's own solvers over N and modes, against the machine's bound",
    .run = run_solver,
    .on_ranks = true,
};
