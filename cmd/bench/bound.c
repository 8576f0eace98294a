#include "cmd/bench/bound.h"

#include "base/clock.h"
#include "base/text.h"
#include "cmd/bench/bed.h"

#include <math.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- rows ---- */

/* The time of an amount of work; NAN: its rate is unknown. */
static double seconds_of(double amount, double rate)
{
    return !(amount > 0) ? 0 : rate > 0 ? amount / rate : NAN;
}

double bench_least_seconds(const struct bench_bound *bound, const struct bench_least *least)
{
    const double parts[] = {
        seconds_of(least->interactions, bound->rate[LADDER_EACH]) +
            seconds_of(least->slots, bound->slots) + seconds_of(least->by_roots, bound->by_roots),
        seconds_of(least->bytes, bound->memory), seconds_of(least->to_host, bound->to_host)};
    double longest = 0;
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
        if (isnan(parts[k]))
            return 0;
        longest = fmax(longest, parts[k]);
    }
    return longest;
}

int bench_join_products(bool cuda, int order)
{
    static const int flat[] = {174, 330}, all[] = {233, 525};
    return (cuda ? all : flat)[order > 4];
}

double bench_bound_frames(double simulation, double drawing, double encoding, bool one_device)
{
    const double in_turn = 1 / (1 / simulation + 1 / drawing);
    return fmin(one_device ? in_turn : fmin(simulation, drawing), encoding);
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

void bench_bound_rate(struct bench_table *table, size_t column, double rate, double bound)
{
    if (bound > 0)
        bench_number(table, column, bound);
    if (rate > 0)
        bench_fraction(table, column + 1, rate, bound);
}

void bench_bound_time(struct bench_table *table, size_t column, double seconds, double bound)
{
    if (bound > 0)
        bench_number(table, column, 1e3 * bound);
    if (bound > 0 && seconds > 0)
        bench_fraction(table, column + 1, bound, seconds);
}

void bench_note_bound(struct bench_table *table, const struct bench_bound *bound,
                      const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *counted = text_format_list(format, arguments), *rates = NULL;
    va_end(arguments);
    if (bound && bound->slots > 0)
        text_append(&rates, ", ", "%.3ge9 instructions on lanes", 1e-9 * bound->slots);
    if (bound && bound->memory > 0)
        text_append(&rates, ", ", "%.3g GB of memory read and written", 1e-9 * bound->memory);
    if (bound && bound->cuda && bound->to_host > 0)
        text_append(&rates, ", ", "%.3g GB copied to the host", 1e-9 * bound->to_host);
    bench_add_note(table, "Bound: %s%s%s%s", counted, rates ? " Per second: " : "",
                   rates ? rates : "", rates ? "." : "");
    if (bound && *bound->unknown)
        bench_add_note(table, "Unknown rates, so that there may be no bound: %s.", bound->unknown);
    free(counted);
    free(rates);
}

/* ---- the table of rates ---- */

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

static void common_rows(struct bench_table *table, const struct bench_bound *bound)
{
    static const char *const words[LADDER_MIXTURES] = {
        [LADDER_EACH] = "interactions",
        [LADDER_EACH_EQUAL] = "interactions, equal masses",
        [LADDER_PAIRS] = "interactions, Newton's third law",
        [LADDER_PAIRS_EQUAL] = "interactions, Newton's third law, equal masses",
    };
    for (int mixture = 0; mixture < LADDER_MIXTURES; mixture++)
        row(table, words[mixture], bound->rate[mixture]);
    row(table, "bytes of memory, read and written", bound->memory);
}

/* ---- CPU ---- */

/* Does one thread's part of the work and returns its amount. */
typedef double thread_work(const void *user, size_t thread, size_t threads);

static double thread_seconds(void)
{
    struct timespec used;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return (double)used.tv_sec + 1e-9 * (double)used.tv_nsec;
}

/* The best of several samples of the rates of all threads, each by its own processor time: a bound
 * is the speed of an undisturbed machine. */
static double best_rate(const struct bench_options *options, thread_work *work, const void *user)
{
    enum { SAMPLES = 4 };
    const double enough = options->quick ? 0.15 : 0.5, begin = clock_seconds();
    double best = 0;
    for (int k = 0; k < SAMPLES || clock_seconds() - begin < enough; k++) {
        double sum = 0;
#pragma omp parallel reduction(+ : sum)
        {
            const double since = thread_seconds();
            const double done =
                work(user, (size_t)omp_get_thread_num(), (size_t)omp_get_num_threads());
            sum += done / fmax(thread_seconds() - since, 1e-9);
        }
        best = fmax(best, sum);
    }
    return best;
}

static double multiply_adds(const void *path, size_t thread, size_t threads)
{
    (void)thread, (void)threads;
    return ((const struct ladder_bound *)path)->multiply_adds(1);
}

static double roots(const void *path, size_t thread, size_t threads)
{
    (void)thread, (void)threads;
    return ((const struct ladder_bound *)path)->roots(1);
}

struct mixed {
    const struct ladder_bound *path;
    enum ladder_mixture mixture;
};

static double interactions(const void *user, size_t thread, size_t threads)
{
    const struct mixed *mixed = user;
    (void)thread, (void)threads;
    return mixed->path->interactions(mixed->mixture, 1);
}

double bench_bound_path(const struct bench_options *options, const struct ladder_bound *path,
                        enum ladder_mixture mixture)
{
    return best_rate(options, interactions, &(struct mixed){path, mixture});
}

struct copying {
    char *from, *to;
    size_t size;
};

static double copy_part(const void *user, size_t thread, size_t threads)
{
    const struct copying *copying = user;
    const size_t first = copying->size * thread / threads;
    const size_t count = copying->size * (thread + 1) / threads - first;
    memcpy(copying->to + first, copying->from + first, count);
    return 2 * (double)count;
}

/* More than caches hold; 0: no memory. */
static double copies(const struct bench_options *options)
{
    enum { SIZE = 1 << 28 };
    const struct copying copying = {malloc(SIZE), malloc(SIZE), SIZE};
    double rate = 0;
    if (copying.from && copying.to) {
        memset(copying.from, 1, SIZE); /* pages that were only read would all be one */
        rate = best_rate(options, copy_part, &copying);
    }
    free(copying.from);
    free(copying.to);
    return rate;
}

static const struct ladder_bound *best_path(void)
{
    const struct ladder_bound *const *bound = ladder_bounds;
    while (bound[1] && !(*bound)->usable())
        bound++;
    return *bound;
}

static void cpu_table(const struct ladder_bound *path, double estimates,
                      struct bench_report *report, const struct bench_bound *bound)
{
    struct bench_table *table = bench_add_table(
        report, "solver", COLUMNS, columns, "limits of this processor, measured (%s, %d threads)",
        path->name, omp_get_max_threads());
    row(table, "fused multiply-adds", bound->slots);
    row(table, "reciprocal root estimates", estimates);
    common_rows(table, bound);
    bench_add_note(table, "Single precision. Each bound is measured on a mixture of these alone: "
                          "12 multiply-adds and one root");
    bench_add_note(table, "for an interaction (11 with equal masses), 16 and one root for two with "
                          "Newton's third law (14 with");
    bench_add_note(table,
                   "equal masses). The correction of the root to full precision is not included.");
}

static void find_cpu(const struct bench_options *options, struct bench_report *report,
                     struct bench_bound *bound)
{
    const struct ladder_bound *path = best_path();
    bound->slots = best_rate(options, multiply_adds, path);
    for (int mixture = 0; mixture < LADDER_MIXTURES; mixture++)
        bound->rate[mixture] = bench_bound_path(options, path, (enum ladder_mixture)mixture);
    bound->memory = copies(options);
    bound->to_host = bound->memory / 2;
    if (!(bound->memory > 0))
        snprintf(bound->unknown, sizeof bound->unknown, "no memory to copy");
    if (report)
        cpu_table(path, best_rate(options, roots, path), report, bound);
}

/* ---- CUDA ---- */

enum { WARP = 32, ROOTS_A_CLOCK = 16 }; /* reciprocal roots per multiprocessor and clock */

static void cuda_table(const struct bench_device_facts *facts, struct bench_report *report,
                       const struct bench_bound *bound)
{
    struct bench_table *table = bench_add_table(report, "solver", COLUMNS, columns,
                                                "limits of this device, from its issue slots");
    row(table, "issue slots", bound->slots);
    common_rows(table, bound);
    row(table, "interactions, sums by matrix units", bound->by_roots);
    bench_add_note(table,
                   "Issue slots = %d multiprocessors x %d x %d lanes x %.3f GHz, the highest clock "
                   "that the device reports.",
                   facts->multiprocessors, facts->schedulers, WARP, 1e-9 * facts->clock_hz);
    bench_add_note(table, "An interaction takes 13 slots (12 with equal masses), two with Newton's "
                          "third law 17 (15 with equal masses).");
    bench_add_note(table, "Where matrix units add up, two interactions take a reciprocal root, of "
                          "which a multiprocessor gives 16 per clock.");
    if (*bound->unknown)
        bench_add_note(table, "Unknown rates, so that there may be no bound: %s.", bound->unknown);
}

static void find_cuda(const struct bench_options *options, struct bench_report *report,
                      struct bench_bound *bound)
{
    struct bench_device *device = NULL;
    struct bench_device_facts facts = {0};
    enum status status = bench_device_open(options->device, &device);
    if (status == STATUS_OK)
        status = bench_device_facts(device, &facts);
    const double clocks = facts.multiprocessors * facts.clock_hz;
    bound->slots = clocks * facts.schedulers * WARP;
    bound->rate[LADDER_EACH] = bound->slots / 13;
    bound->rate[LADDER_EACH_EQUAL] = bound->slots / 12;
    bound->rate[LADDER_PAIRS] = bound->slots * 2 / 17;
    bound->rate[LADDER_PAIRS_EQUAL] = bound->slots * 2 / 15;
    bound->by_roots = clocks * 2.0 * ROOTS_A_CLOCK;
    if (status == STATUS_OK)
        status = bench_device_rates(device, options, &bound->memory, &bound->to_host);
    if (status == STATUS_OK && !(clocks > 0))
        status = status_fail(STATUS_DEVICE, "this driver does not report the clock");
    if (status != STATUS_OK)
        snprintf(bound->unknown, sizeof bound->unknown, "%s", status_text());
    bench_device_close(&device);
    if (report)
        cuda_table(&facts, report, bound);
}

void bench_bound_find(const struct bench_options *options, bool cuda, struct bench_report *report,
                      struct bench_bound *bound)
{
    *bound = (struct bench_bound){.cuda = cuda};
    if (cuda)
        find_cuda(options, report, bound);
    else
        find_cpu(options, report, bound);
}
