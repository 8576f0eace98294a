#include "cmd/bench/bound.h"

#include "base/clock.h"

#include <math.h>
#include <omp.h>

enum { WHAT, VALUE, COLUMNS };

static const struct bench_column columns[COLUMNS] = {
    [WHAT] = {"", "", 0, false, false},
    [VALUE] = {"1e9 per second", "", 4, false, false},
};

static void row(struct bench_table *table, const char *what, double value)
{
    bench_add_row(table);
    bench_text(table, WHAT, "%s", what);
    bench_number(table, VALUE, 1e-9 * value);
}

static void bound_rows(struct bench_table *table, const struct bench_bound *bound)
{
    static const char *const words[LADDER_MIXTURES] = {
        [LADDER_EACH] = "interactions",
        [LADDER_EACH_EQUAL] = "interactions, equal masses",
        [LADDER_PAIRS] = "interactions, Newton's third law",
        [LADDER_PAIRS_EQUAL] = "interactions, Newton's third law, equal masses",
    };
    for (int mixture = 0; mixture < LADDER_MIXTURES; mixture++)
        row(table, words[mixture], bound->rate[mixture]);
}

void bench_fraction(struct bench_table *table, size_t column, double rate, double bound)
{
    static const double most = 1.1;
    if (!(bound > 0))
        return;
    if (rate / bound <= most)
        bench_number(table, column, 100 * rate / bound);
    else
        bench_failed(table, column,
                     "%.0f %% of the bound is more than this machine can do: it was busy while the "
                     "bound was measured; measure again when nothing else runs",
                     100 * rate / bound);
}

/* ---- CPU ---- */

enum { MULTIPLY_ADDS = LADDER_MIXTURES, ROOTS };

static double count_one(const struct ladder_bound *path, int what)
{
    if (what == MULTIPLY_ADDS)
        return path->multiply_adds(1);
    return what == ROOTS ? path->roots(1) : path->interactions((enum ladder_mixture)what, 1);
}

/* The best of many samples: a bound is the speed of an undisturbed machine. */
static double rate(const struct bench_options *options, const struct ladder_bound *path, int what)
{
    const double enough = options->quick ? 0.15 : 0.5;
    double best = 0, begin = clock_seconds(), last = begin;
    while (last - begin < enough) {
        double done = 0;
#pragma omp parallel reduction(+ : done)
        done += count_one(path, what);
        double now = clock_seconds();
        if (now > last)
            best = fmax(best, done / (now - last));
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
    struct bench_table *table = bench_add_table(
        report, "solver", COLUMNS, columns, "limits of this processor, measured (%s, %d threads)",
        path->name, omp_get_max_threads());
    row(table, "fused multiply-adds", rate(options, path, MULTIPLY_ADDS));
    row(table, "reciprocal root estimates", rate(options, path, ROOTS));
    for (int mixture = 0; mixture < LADDER_MIXTURES; mixture++)
        bound->rate[mixture] = rate(options, path, mixture);
    bound_rows(table, bound);
    bench_add_note(table, "Single precision. Each bound is measured on a mixture of these alone: "
                          "12 multiply-adds and one root");
    bench_add_note(table, "for an interaction (11 with equal masses), 16 and one root for two with "
                          "Newton's third law (14 with");
    bench_add_note(table,
                   "equal masses). The correction of the root to full precision is not included.");
}

/* ---- CUDA ---- */

enum { WARP = 32, ROOTS_A_CLOCK = 16 }; /* reciprocal roots per multiprocessor and clock */

static void cuda_table(const struct bench_device_facts *facts, double slots,
                       struct bench_report *report, const struct bench_bound *bound)
{
    struct bench_table *table = bench_add_table(report, "solver", COLUMNS, columns,
                                                "limits of this device, from its issue slots");
    row(table, "issue slots", slots);
    bound_rows(table, bound);
    row(table, "interactions, sums by matrix units", bound->by_roots);
    bench_add_note(table,
                   "Issue slots = %d multiprocessors x %d x %d lanes x %.3f GHz, the highest clock "
                   "that the device reports.",
                   facts->multiprocessors, facts->schedulers, WARP, 1e-9 * facts->clock_hz);
    bench_add_note(table, "An interaction takes 13 slots (12 with equal masses), two with Newton's "
                          "third law 17 (15 with equal masses).");
    bench_add_note(table, "Where matrix units add up, two interactions take a reciprocal root, of "
                          "which a multiprocessor gives 16 per clock.");
    if (!(facts->clock_hz > 0))
        bench_add_note(table,
                       "This driver does not report the clock: there is no bound to compare with.");
}

enum status bench_bound_cuda(struct bench_device *device, struct bench_report *report,
                             struct bench_bound *bound)
{
    struct bench_device_facts facts;
    enum status status = bench_device_facts(device, &facts);
    if (status != STATUS_OK)
        return status;
    double slots = (double)facts.multiprocessors * facts.schedulers * WARP * facts.clock_hz;
    bound->rate[LADDER_EACH] = slots / 13;
    bound->rate[LADDER_EACH_EQUAL] = slots / 12;
    bound->rate[LADDER_PAIRS] = slots * 2 / 17;
    bound->rate[LADDER_PAIRS_EQUAL] = slots * 2 / 15;
    bound->by_roots = 2.0 * ROOTS_A_CLOCK * facts.multiprocessors * facts.clock_hz;
    if (report)
        cuda_table(&facts, slots, report, bound);
    return STATUS_OK;
}
