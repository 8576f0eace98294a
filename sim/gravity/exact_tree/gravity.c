#include "sim/gravity/exact_tree/gravity.h"
#include "base/clock.h"
#include "base/memory.h"
#include "kernels/isa.h"
#include "kernels/threads.h"
#include "kernels/exact_tree/cells.h"
#include "kernels/exact_tree/accuracy.h"
#include "sim/gravity/exact_tree/build.h"

#include <math.h>
#include <stdlib.h>

enum { WORTH = 4096, SHARE = 4096 };

struct exact_gravity {
    struct exact_gravity_params params;
    const struct exact_tree_kernels *kernels;
    struct exact_tree_build build;
    struct force_work work;
};

enum status exact_gravity_open(struct exact_gravity **out,
                               const struct exact_gravity_params *params)
{
    const struct exact_tree_kernels *kernels = exact_tree_find(params->isa);
    *out = NULL;
    if (!kernels)
        return status_fail(STATUS_DEVICE,
                           "this processor has no '%s' kernel; choose auto or " ISA_LEAST,
                           params->isa);
    struct exact_gravity *gravity = memory_new(1, sizeof *gravity);
    *gravity = (struct exact_gravity){.params = *params, .kernels = kernels};
    enum status status = exact_tree_open(&gravity->build, params->bodies);
    if (status != STATUS_OK)
        exact_gravity_close(&gravity);
    *out = gravity;
    return status;
}

void exact_gravity_close(struct exact_gravity **gravity)
{
    if (!*gravity)
        return;
    exact_tree_close(&(*gravity)->build);
    free(*gravity);
    *gravity = NULL;
}

static int threads_for(const struct exact_gravity *g)
{
    return g->params.bodies < WORTH ? 1 : force_cpu_threads();
}

static void prepare(struct exact_gravity *g, const double (*rows)[4], const double *halves,
                    double softening)
{
    const int threads = threads_for(g);
    const double start = clock_seconds();
    exact_tree_sort(&g->build, rows, halves, softening, threads);
    const double sorted = clock_seconds();
    exact_tree_fill(&g->build, threads);
    g->work = (struct force_work){.build_seconds = sorted - start,
                                  .moment_seconds = clock_seconds() - sorted};
}

/* One evaluation. last: accelerations from which a group's tolerance is computed, or NULL. */
struct walk {
    struct exact_gravity *gravity;
    struct exact_tree_rule rule;
    struct exact_tree_request request;
    const double (*last)[3];
    float least;
    double (*out)[3];
    double *potential;
};

/* The number of bodies from `first` on that share one list: up to the end of the group, or to where
 * a wide cell was cut. */
static uint32_t run_of(const struct exact_tree *tree, uint32_t first, uint32_t end)
{
    uint32_t last = first;
    while (last + 1 < end && !tree->wide[last])
        last++;
    return last + 1 - first;
}

static struct exact_tree_request request_of(const struct walk *walk, uint32_t first, uint32_t count)
{
    const struct exact_tree_build *build = &walk->gravity->build;
    struct exact_tree_request request = walk->request;
    double size = INFINITY;
    request.first = first;
    request.count = count;
    request.rule = walk->rule;
    for (uint32_t i = first; walk->last && i < first + count; i++) {
        const double here = exact_tree_size(walk->last[build->order[i]]);
        size = here < size ? here : size;
    }
    if (walk->last)
        request.rule = exact_tree_rule_of(walk->rule, size, walk->least, &build->frame);
    return request;
}

static struct exact_tree_work walk_run(const struct walk *walk, uint32_t first, uint32_t count)
{
    const struct exact_tree_build *build = &walk->gravity->build;
    const struct exact_tree_kernels *kernels = walk->gravity->kernels;
    const struct exact_tree_request request = request_of(walk, first, count);
    double out[3][EXACT_TREE_GROUP];
    const struct exact_tree_work work =
        walk->potential ? kernels->potential(&request, out[0]) : kernels->accelerate(&request, out);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t body = build->order[first + i];
        if (walk->potential)
            walk->potential[body] = -(out[0][i] * build->frame.potential);
        for (int c = 0; !walk->potential && c < 3; c++)
            walk->out[body][c] = out[c][i] * build->frame.pull;
    }
    return work;
}

static void walk_groups(const struct walk *walk)
{
    struct exact_gravity *g = walk->gravity;
    const struct exact_tree *tree = &g->build.tree;
    const uint32_t groups = (tree->bodies + EXACT_TREE_GROUP - 1) / EXACT_TREE_GROUP;
    uint64_t pairs = 0, joins = 0;
    const double start = clock_seconds();
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads_for(g)) reduction(+ : pairs, joins)
    for (uint32_t group = 0; group < groups; group++) {
        const uint32_t first = group * EXACT_TREE_GROUP, left = tree->bodies - first;
        const uint32_t end = first + (left < EXACT_TREE_GROUP ? left : EXACT_TREE_GROUP);
        for (uint32_t at = first, count; at < end; at += count) {
            count = run_of(tree, at, end);
            const struct exact_tree_work work = walk_run(walk, at, count);
            pairs += work.pairs;
            joins += work.joins;
        }
    }
    g->work.walk_seconds += clock_seconds() - start;
    g->work.pairs = (double)pairs;
    g->work.joins = (double)joins;
}

static struct exact_tree_census census_of(const struct exact_gravity *g, const double (*last)[3])
{
    long long exponents = 0, moving = 0;
    unsigned broken = 0;
    const int threads = threads_for(g);
#pragma omp parallel for schedule(dynamic, SHARE) num_threads(threads)                             \
    reduction(+ : exponents, moving) reduction(| : broken)
    for (size_t i = 0; i < g->params.bodies; i++) {
        struct exact_tree_census own = {0};
        exact_tree_count(&own, exact_tree_size(last[i]));
        exponents += own.exponents;
        moving += own.moving;
        broken |= own.broken;
    }
    return (struct exact_tree_census){exponents, moving, broken};
}

void exact_gravity_accelerate(struct exact_gravity *gravity, const double (*rows)[4],
                              const double *halves, double softening, double (*out)[3])
{
    const double(*last)[3] = (const double(*)[3])out;
    prepare(gravity, rows, halves, softening);
    struct walk walk = {
        .gravity = gravity,
        .rule = exact_tree_rule_first(gravity->params.error),
        .request = {.tree = &gravity->build.tree,
                    .softening2 = gravity->build.frame.softening2,
                    .mixed = halves != NULL},
        .out = out,
    };
    struct exact_tree_census census = census_of(gravity, last);
    if (!exact_tree_knows(&census)) {
        walk_groups(&walk);
        census = census_of(gravity, last);
    }
    walk.rule = exact_tree_rule_for(gravity->params.error);
    walk.last = last;
    walk.least = exact_tree_least(&census, &gravity->build.frame);
    walk_groups(&walk);
}

void exact_gravity_potential(struct exact_gravity *gravity, const double (*rows)[4],
                             const double *halves, double softening, double *out)
{
    prepare(gravity, rows, halves, softening);
    struct walk walk = {
        .gravity = gravity,
        .rule = exact_tree_rule_potential(gravity->params.error),
        .request = {.tree = &gravity->build.tree,
                    .softening2 = gravity->build.frame.softening2,
                    .mixed = halves != NULL},
        .potential = out,
    };
    walk_groups(&walk);
}

struct force_work exact_gravity_last(const struct exact_gravity *gravity)
{
    return gravity->work;
}

const struct exact_tree_kernels *exact_gravity_kernels(const struct exact_gravity *gravity)
{
    return gravity->kernels;
}
