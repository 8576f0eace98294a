#include "cmd/bench_bound.h"

#include "base/clock.h"
#include "kernels/ladder/ladder.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>

/* Issue slots without the reciprocal root. */
static const double EACH[2] = {12, 11}, PAIRS[2] = {16, 14};

enum { WHAT, VALUE, COLUMNS };

static const struct bench_column columns[COLUMNS] = {
    [WHAT] = {"", "", 0, false, false},
    [VALUE] = {"1e9 a second", "", 4, false, false},
};

static void row(struct bench_report *report, struct bench_table *table, const char *what,
                double value)
{
    bench_add_row(report, table);
    bench_text(report, table, WHAT, "%s", what);
    bench_number(table, VALUE, 1e-9 * value);
}

static void bound_rows(struct bench_report *report, struct bench_table *table,
                       const struct bench_bound *bound)
{
    row(report, table, "bound, equal masses, third law", bound->pairs[1]);
    row(report, table, "bound, different masses, third law", bound->pairs[0]);
    row(report, table, "bound, equal masses, each by itself", bound->each[1]);
    row(report, table, "bound, different masses, each by itself", bound->each[0]);
}

/* ---- CPU ---- */

struct count {
    double (*work)(unsigned scale);
    double done; /* by all threads, in one call */
};

static void count_all(struct count *count)
{
    double done = 0;
#pragma omp parallel reduction(+ : done)
    done += count->work(1);
    count->done = done;
}

/* The best of many: a bound is what the machine does when nothing else holds it up. */
static double rate(const struct bench_options *options, double (*work)(unsigned))
{
    const double enough = options->quick ? 0.15 : 0.6;
    struct count count = {work, 0};
    double best = 0, begin = clock_seconds(), last = begin;
    while (last - begin < enough) {
        count_all(&count);
        double now = clock_seconds();
        if (now > last)
            best = fmax(best, count.done / (now - last));
        last = now;
    }
    return best;
}

static const struct ladder_bound *best_path(void)
{
    const struct ladder_bound *const *bound = ladder_bounds;
    while (bound[1] && !(*bound)->usable())
        bound++;
    return *bound;
}

void bench_bound_cpu(const struct bench_options *options, struct bench_report *report,
                     struct bench_bound *bound)
{
    const struct ladder_bound *path = best_path();
    double adds = rate(options, path->multiply_adds), roots = rate(options, path->roots);
    char title[96];
    for (int equal = 0; equal < 2 && adds > 0 && roots > 0; equal++) {
        bound->each[equal] = 1 / (EACH[equal] / adds + 1 / roots);
        bound->pairs[equal] = 2 / (PAIRS[equal] / adds + 1 / roots);
    }
    snprintf(title, sizeof title, "what this processor can do, measured (%s, %d threads)",
             path->name, omp_get_max_threads());
    struct bench_table *table = bench_add_table(report, "solver", title, COLUMNS, columns);
    row(report, table, "fused multiply-adds", adds);
    row(report, table, "reciprocal root estimates", roots);
    bound_rows(report, table, bound);
    bench_add_note(report, table,
                   "Bound = 2 / (14 / multiply-adds + 1 / roots) interactions a second by Newton's "
                   "third law, 16 for");
    bench_add_note(report, table,
                   "different masses; 1 / (11 / multiply-adds + 1 / roots), or 12, with each "
                   "interaction by itself. Single");
    bench_add_note(report, table,
                   "precision; what makes the estimate of the root exact is not in the bound.");
}

/* ---- CUDA ---- */

enum status bench_bound_cuda(struct bench_device *device, struct bench_report *report,
                             struct bench_bound *bound)
{
    enum { WARP = 32 };
    struct bench_device_facts facts;
    enum status status = bench_device_facts(device, &facts);
    if (status != STATUS_OK)
        return status;
    double slots = (double)facts.multiprocessors * facts.schedulers * WARP * facts.clock_hz;
    for (int equal = 0; equal < 2; equal++) {
        bound->each[equal] = slots / (EACH[equal] + 1);
        bound->pairs[equal] = 2 * slots / (PAIRS[equal] + 1);
    }
    struct bench_table *table = bench_add_table(
        report, "solver", "what this device can do, by its issue slots", COLUMNS, columns);
    row(report, table, "issue slots", slots);
    bound_rows(report, table, bound);
    bench_add_note(report, table,
                   "Issue slots = %d multiprocessors x %d x %d lanes x %.3f GHz (the highest clock "
                   "the device states).",
                   facts.multiprocessors, facts.schedulers, WARP, 1e-9 * facts.clock_hz);
    bench_add_note(report, table,
                   "Bound = slots x 2 / 15 by Newton's third law, 17 for different masses; slots / "
                   "12 or 13 with each by itself.");
    if (!(facts.clock_hz > 0))
        bench_add_note(report, table,
                       "This driver does not state the clock: there is no bound to compare with.");
    return STATUS_OK;
}
