/* The tree: the time of its parts, its amount of work, and the errors it reaches; and the errors of
 * the exact tree and of matrix units for the same bodies. */
#include "cmd/bench/suites/suites.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/sort.h"
#include "cmd/bench/bed.h"
#include "cmd/bench/bound.h"
#include "kernels/tree/accuracy.h"
#include "sim/gravity/force.h"
#include "sim/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    CLOUD,
    N,
    FORCE,
    LIMIT,
    BUILD,
    MOMENTS,
    WALK,
    TOTAL,
    BOUND,
    FRACTION,
    BONSAI,
    RYOANJI,
    FDPS,
    RMS,
    P99,
    P999,
    WORST,
    PAIRS,
    JOINS,
    RATE,
    COLUMNS
};

static const struct bench_column columns[COLUMNS] = {
    [CLOUD] = {"bodies", "", 0, false, false},
    [N] = {"N", "", 0, false, false},
    [FORCE] = {"force", "", 0, false, false},
    [LIMIT] = {"error limit", "", 2, false, false},
    [BUILD] = {"build", "ms", 3, false, false},
    [MOMENTS] = {"moments", "ms", 3, false, false},
    [WALK] = {"walk", "ms", 3, false, false},
    [TOTAL] = {"total", "ms", 4, false, true},
    [BOUND] = {"bound", "ms", 3, false, false},
    [FRACTION] = {"of the bound", "%", 3, false, false},
    [BONSAI] = {"Bonsai", "ms", 3, true, false},
    [RYOANJI] = {"Ryoanji", "ms", 3, true, false},
    [FDPS] = {"FDPS", "ms", 3, true, false},
    [RMS] = {"RMS", "", 2, false, false},
    [P99] = {"99 %", "", 2, false, false},
    [P999] = {"99.9 %", "", 2, false, false},
    [WORST] = {"worst", "", 2, false, false},
    [PAIRS] = {"pairs", "a body", 4, false, false},
    [JOINS] = {"joins", "a body", 3, false, false},
    [RATE] = {"rate", "1e9/s", 4, false, false},
};

static const double SOFTENING = 0.01;

/* ---- kinds of bodies ---- */

static double uniform(uint64_t *seed)
{
    *seed += SPLITMIX_STEP;
    return (double)(splitmix64(*seed) >> 11) * 0x1p-53;
}

static void put_on_sphere(struct bodies *bodies, size_t i, double radius, uint64_t *seed)
{
    double z = 2 * uniform(seed) - 1, turn = 2 * M_PI * uniform(seed), s = sqrt(1 - z * z);
    const double place[3] = {radius * s * cos(turn), radius * s * sin(turn), radius * z};
    memcpy(bodies->position[i], place, sizeof place);
}

static double plummer_radius(uint64_t *seed)
{
    double radius;
    do
        radius = 1 / sqrt(pow(uniform(seed), -2.0 / 3) - 1);
    while (!(radius < 20));
    return radius;
}

static void fill_sphere(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++)
        put_on_sphere(bodies, i, plummer_radius(seed), seed);
}

/* Half of the bodies, with a ninth of the mass, in an exponential disk of scale length 1. */
static void fill_disk(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++) {
        bodies->mass[i] *= i % 2 ? 16.0 / 9 : 2.0 / 9;
        if (i % 2) {
            put_on_sphere(bodies, i, 3 * plummer_radius(seed), seed);
        } else {
            double r = -log((1 - uniform(seed)) * (1 - uniform(seed)));
            double turn = 2 * M_PI * uniform(seed), u = 0.5 + 0.999 * (uniform(seed) - 0.5);
            const double place[3] = {r * cos(turn), r * sin(turn), 0.05 * log(u / (1 - u))};
            memcpy(bodies->position[i], place, sizeof place);
        }
    }
}

static void fill_cube(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] = 2 * uniform(seed) - 1;
}

/* Three of four bodies in a small sphere, each with a thousandth of the mass of the others. */
static void fill_clusters(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++) {
        put_on_sphere(bodies, i, (i % 4 ? 0.1 : 1) * plummer_radius(seed), seed);
        bodies->position[i][0] += i % 4 ? 10 : 0;
        bodies->mass[i] *= i % 4 ? 1e-3 : 1;
    }
}

/* A cold collapse at its densest: density as r^(-8/3). */
static void fill_collapse(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++)
        put_on_sphere(bodies, i, pow(uniform(seed), 3), seed);
}

/* Two Plummer spheres that pass through each other, the second one half as large. */
static void fill_spheres(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++) {
        put_on_sphere(bodies, i, (i % 2 ? 0.5 : 1) * plummer_radius(seed), seed);
        bodies->position[i][0] += i % 2 ? 3 : 0;
    }
}

/* A body of 10,000 times the mass of all others in the middle of a Plummer sphere. */
static void fill_heavy(struct bodies *bodies, uint64_t *seed)
{
    fill_sphere(bodies, seed);
    bodies->mass[0] = 1e4;
    memset(bodies->position[0], 0, sizeof bodies->position[0]);
}

/* Bodies at rest in various shapes, some easy and some hard for a tree. A Plummer sphere (a = 1,
 * truncated at 20) comes first. */
static const struct cloud {
    const char *name;
    void (*fill)(struct bodies *bodies, uint64_t *seed); /* positions and masses */
} clouds[] = {
    {"Plummer sphere", fill_sphere},     {"disk in a halo", fill_disk},
    {"uniform cube", fill_cube},         {"clusters 1:1000", fill_clusters},
    {"collapsed sphere", fill_collapse}, {"two spheres", fill_spheres},
    {"heavy body", fill_heavy},          {NULL, NULL},
};

/* Always makes the same bodies. */
static enum status make_cloud(const struct cloud *cloud, size_t count, struct bodies **out)
{
    uint64_t seed = 1;
    enum status status = bodies_create(out, count, 1);
    if (status != STATUS_OK)
        return status;
    (*out)->components[0].count = count;
    for (size_t i = 0; i < count; i++)
        (*out)->mass[i] = 1.0 / (double)count;
    cloud->fill(*out, &seed);
    return STATUS_OK;
}

/* ---- published figures ---- */

enum { PEERS = FDPS - BONSAI + 1 };

/* Tree codes, measured with this project's Plummer sphere; the note below the table says how.
 * NAN: no number was published. */
static double published_milliseconds(size_t peer, bool cuda, size_t count, double error)
{
    static const struct {
        size_t count;
        double error, milliseconds[PEERS - 1];
    } on_device[] = {
        {65536, 1.5e-4, {2.9, 4.1}},     {65536, 8.5e-4, {2.0, 3.3}},
        {262144, 1.5e-4, {3.9, 8.9}},    {262144, 8.5e-4, {2.8, 6.4}},
        {1048576, 1.5e-4, {11.1, 11.1}}, {1048576, 8.5e-4, {6.1, 5.8}},
        {4194304, 1.5e-4, {42.5, 44}},   {4194304, 8.5e-4, {22.7, 20.3}},
        {16777216, 1.5e-4, {178, NAN}},  {16777216, 8.5e-4, {96, NAN}},
    };
    if (peer == PEERS - 1)
        return !cuda && count == 1048576 && error == 4e-4 ? 690 : NAN;
    for (size_t k = 0; cuda && k < sizeof on_device / sizeof *on_device; k++)
        if (on_device[k].count == count && on_device[k].error == error)
            return on_device[k].milliseconds[peer];
    return NAN;
}

/* ---- measuring ---- */

/* A sample of the bodies, with accelerations from direct sums in double. */
struct reference {
    size_t count, *which;
    double (*want)[3], *error;
};

static void make_reference(struct reference *reference, const struct bodies *bodies, bool quick)
{
    const size_t most = quick ? 512 : 4096;
    size_t count = bodies->count < most ? bodies->count : most;
    *reference = (struct reference){
        .count = count,
        .which = memory_new(count, sizeof *reference->which),
        .want = memory_new(count, sizeof *reference->want),
        .error = memory_new(count, sizeof *reference->error),
    };
    /* one at random from each of equal stretches, because kinds of bodies alternate in some clouds;
     * first the first, which may be heavy */
    for (size_t k = 0; k < count; k++) {
        const size_t begin = k * bodies->count / count, end = (k + 1) * bodies->count / count;
        reference->which[k] = k == 0 ? 0 : begin + splitmix64(k * SPLITMIX_STEP) % (end - begin);
    }
    ladder_reference(bodies->count, bodies->mass, (const double(*)[3])bodies->position, SOFTENING,
                     count, reference->which, reference->want);
}

static void drop_reference(struct reference *reference)
{
    free(reference->which);
    free(reference->want);
    free(reference->error);
}

/* Fails if the error is above the limit. */
static enum status judge(struct bench_table *table, const struct reference *reference,
                         const double (*got)[3], double limit)
{
    double sum = 0;
    for (size_t k = 0; k < reference->count; k++) {
        const double *want = reference->want[k], *a = got[reference->which[k]];
        double off = 0, size = 0;
        for (int c = 0; c < 3; c++) {
            off += (a[c] - want[c]) * (a[c] - want[c]);
            size += want[c] * want[c];
        }
        reference->error[k] = off == 0 ? 0 : sqrt(off / size);
        sum += reference->error[k] * reference->error[k];
    }
    const double rms = sqrt(sum / (double)reference->count);
    sort_doubles(reference->error, reference->count);
    bench_number(table, RMS, rms);
    bench_number(table, P99, reference->error[reference->count * 99 / 100]);
    bench_number(table, P999, reference->error[reference->count * 999 / 1000]);
    bench_number(table, WORST, reference->error[reference->count - 1]);
    if (!(rms <= limit))
        return status_fail(STATUS_RUNTIME, "an error of %.2g, above the limit of %.2g", rms, limit);
    return STATUS_OK;
}

static void put_time(struct bench_table *table, size_t column, double seconds)
{
    if (seconds > 0)
        bench_number(table, column, 1e3 * seconds);
}

/* Pairs and joins per body for a tree; interactions per second for all pairs. */
static void put_work(struct bench_table *table, const struct solver *solver, double seconds)
{
    const struct force_work *work = &solver->force->work_done;
    const double bodies = (double)solver->count;
    if (solver->force->ops == &force_tensor) {
        bench_number(table, RATE, 1e-9 * solver->force->interactions / seconds);
        return;
    }
    put_time(table, BUILD, work->build_seconds);
    put_time(table, MOMENTS, work->moment_seconds);
    put_time(table, WALK, work->walk_seconds);
    bench_number(table, PAIRS, work->pairs / bodies);
    bench_number(table, JOINS, work->joins / bodies);
}

/* The bound counts the evaluation's pairs and joins, and rows of four doubles read and three
 * written. In tree-exact a pair takes 19 instructions and a join 39 (`add_body` and `add_cell` in
 * kernels/exact_tree/pull.h), besides two integer instructions each. */
static double bound_of(const struct bench_bound *bound, const struct solver *solver, double asked)
{
    enum { ROW_BYTES = 7 * sizeof(double), EXACT_PAIR = 19, EXACT_JOIN = 39 };
    const struct force_ops *force = solver->force->ops;
    const struct force_work *work = &solver->force->work_done;
    const double bodies = (double)solver->count;
    struct bench_least least = {.bytes = bodies * ROW_BYTES};
    if (force == &force_tensor) {
        least.by_roots = bodies * bodies;
    } else if (force == &force_tree) {
        const int order = bound->cuda ? tree_cuda_accuracy(asked, solver->count, false).order
                                      : tree_accuracy(asked, solver->count).order;
        least.interactions = work->pairs;
        least.slots = work->joins * bench_join_products(bound->cuda, order);
    } else {
        least.slots = work->pairs * EXACT_PAIR + work->joins * EXACT_JOIN;
    }
    return bench_least_seconds(bound, &least);
}

static void put_published(struct bench_table *table, bool cuda, size_t count, double asked)
{
    for (size_t p = 0; p < PEERS; p++) {
        const double milliseconds = published_milliseconds(p, cuda, count, asked);
        if (milliseconds > 0)
            bench_number(table, BONSAI + p, milliseconds);
    }
}

/* asked: the requested RMS error of a tree. */
static void force_row(const struct bench_options *options, struct bench_table *table,
                      const struct solver_ops *ops, const char *force, const struct cloud *cloud,
                      const struct bodies *bodies, const struct reference *reference, double asked,
                      const struct bench_bound *bound)
{
    const struct force_ops *entry = choice_find(&force_registry, force);
    const double limit = entry->error(bodies, asked);
    const struct solver_params params = {
        .softening = SOFTENING, .force = entry, .force_error = asked, .device = options->device};
    struct bench_forces work = {NULL, memory_new(bodies->count, sizeof(double[3]))};
    double seconds = 0;
    bench_add_row(table);
    bench_text(table, CLOUD, "%s", cloud->name);
    bench_number(table, N, (double)bodies->count);
    bench_text(table, FORCE, "%s", force);
    bench_number(table, LIMIT, limit);
    enum status status = solver_open(ops->name, &params, bodies, &work.solver);
    for (int k = 0; status == STATUS_OK && k < 2; k++) /* the second evaluation knows
                                                        * accelerations */
        status = bench_sample_forces(&work, 1, &seconds);
    if (status == STATUS_OK)
        status = judge(table, reference, (const double(*)[3])work.accelerations, limit);
    if (status == STATUS_OK)
        status = bench_median(options, bench_sample_forces, &work, &seconds);
    bench_result(table, TOTAL, status, 1e3 * seconds);
    if (status == STATUS_OK) {
        put_work(table, work.solver, seconds);
        bench_bound_time(table, BOUND, seconds, bound_of(bound, work.solver, asked));
        if (cloud == clouds && entry == &force_tree)
            put_published(table, ops == &solver_cuda, bodies->count, asked);
    }
    solver_close(&work.solver);
    free(work.accelerations);
}

static bool has_units(const struct bench_options *options, const struct solver_ops *ops)
{
    return force_runs(&force_tensor, ops->name, options->device);
}

/* One kind of bodies at all requested errors, then by the exact tree, which has the same bits on
 * every device, and on matrix units. */
static enum status over_errors(const struct bench_options *options, struct bench_table *table,
                               const struct solver_ops *ops, const struct cloud *cloud,
                               size_t count, const struct bench_bound *bound)
{
    static const double all[] = {1.5e-4, FORCE_ERROR_DEFAULT, 8.5e-4, 0};
    /* and errors near 1.5e-4 and 8.5e-4, those of the published figures */
    static const double both[] = {1.5e-4, 2.3e-4, FORCE_ERROR_DEFAULT, 8.5e-4, 1.3e-3, 0};
    static const double quick[] = {FORCE_ERROR_DEFAULT, 0};
    const double *asked = ops == &solver_cuda && cloud == clouds ? both : all;
    const size_t tensor_max = 1048576; /* more bodies would only take longer */
    struct bodies *bodies = NULL;
    struct reference reference;
    enum status status = make_cloud(cloud, count, &bodies);
    if (status != STATUS_OK)
        return status;
    make_reference(&reference, bodies, options->quick);
    for (asked = options->quick ? quick : asked; *asked > 0; asked++)
        force_row(options, table, ops, "tree", cloud, bodies, &reference, *asked, bound);
    if (ops == &solver_cpu)
        force_row(options, table, ops, "tree-exact", cloud, bodies, &reference, FORCE_ERROR_DEFAULT,
                  bound);
    if (count <= tensor_max && has_units(options, ops))
        force_row(options, table, ops, "tensor", cloud, bodies, &reference, 0, bound);
    drop_reference(&reference);
    bodies_destroy(&bodies);
    return STATUS_OK;
}

/* All kinds of bodies for the first N, only Plummer spheres for the others. */
static enum status over_counts(const struct bench_options *options, struct bench_report *report,
                               const struct solver_ops *ops)
{
    static const size_t cpu_all[] = {65536, 262144, 1048576, 0}, cpu_quick[] = {16384, 0};
    static const size_t cuda_all[] = {1048576, 65536, 262144, 4194304, 16777216, 0};
    static const size_t cuda_quick[] = {262144, 0};
    const size_t one[] = {options->count, 0};
    const bool cuda = ops == &solver_cuda;
    const size_t *counts = cuda ? cuda_all : cpu_all;
    if (options->quick)
        counts = cuda ? cuda_quick : cpu_quick;
    if (options->count)
        counts = one;
    struct bench_table *table = bench_add_table(
        report, "tree", COLUMNS, columns, "%s, whole evaluations, %s",
        has_units(options, ops) ? "the tree, and all pairs on matrix units" : "the tree",
        cuda ? "CUDA" : "CPU");
    struct bench_bound bound;
    bench_bound_find(options, cuda, NULL, &bound);
    enum status status = STATUS_OK;
    for (const struct cloud *cloud = clouds; status == STATUS_OK && cloud->name; cloud++)
        status = over_errors(options, table, ops, cloud, counts[0], &bound);
    for (const size_t *count = counts + 1; status == STATUS_OK && *count; count++)
        status = over_errors(options, table, ops, clouds, *count, &bound);
    table->axes = (struct bench_plot_axes){.x = N, .group = LIMIT};
    bench_add_note(table, "Errors of the accelerations, relative, against direct sums in double "
                          "over up to 4,096 bodies (512 with --quick). The error limit is that of "
                          "their RMS.");
    bench_add_note(table, "Build, moments and walk are those of the last evaluation, and the total "
                          "is the median of several, so that they need not add up to it.");
    if (!cuda)
        bench_add_note(table,
                       "Limit of the error of tree-exact: twice the requested %g, which is "
                       "reached by disks and cusps of many bodies.",
                       FORCE_ERROR_DEFAULT);
    if (has_units(options, ops))
        bench_add_note(table, "Limit of the error of tensor: its documented bound for these "
                              "masses. It is measured up to 1,048,576 bodies.");
    bench_add_note(
        table, "A join, the interaction of two cells as a whole, is counted for each of the two.");
    bench_note_bound(table, &bound,
                     "13 instructions for each pair and the products of each join (%d or %d by "
                     "order; tree-exact: 19 and 39), which the row itself counted, and at least 56 "
                     "bytes of each body read and written%s; building, moments, lists and "
                     "expansions passed down are not counted.",
                     bench_join_products(cuda, 4), bench_join_products(cuda, 5),
                     cuda ? "; of tensor, a reciprocal root for two interactions" : "");
    bench_add_note(table, "Bonsai, Ryoanji: whole steps on one H200 with an opening angle of 0.5 "
                          "or 0.75, whose errors are near those asked for; FDPS: two threads, "
                          "AVX-512, 4e-4.");
    return status;
}

static enum status run_tree(const struct bench_options *options, struct bench_report *report)
{
    enum status status = STATUS_OK;
    if (options->cuda)
        status = over_counts(options, report, &solver_cuda);
    if (status == STATUS_OK && options->cpu) {
        bench_ready(report);
        status = over_counts(options, report, &solver_cpu);
    }
    if (report->table_count > 0) {
        struct bench_table *last = report->tables[report->table_count - 1];
        bench_note_backends(options, last);
    }
    return status;
}

const struct bench_suite suite_tree = {
    .name = "tree",
    .doc = "the tree over N, errors and kinds of bodies",
    .run = run_tree,
};
