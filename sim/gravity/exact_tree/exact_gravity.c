#include "sim/gravity/exact_tree/exact_gravity.h"

#include "base/clock.h"
#include "base/memory.h"
#include "kernels/isa.h"
#include "sim/gravity/exact_tree/exact_build.h"

#include <math.h>
#include <stdlib.h>

/* The number of places from `first` on, before `end`, that share one list at most. */
static uint32_t exact_tree_run(const struct exact_tree *tree, uint32_t first, uint32_t end)
{
    uint32_t last = first;
    while (last + 1 < end && !tree->wide[last])
        last++;
    return last + 1 - first;
}

static uint32_t body_at(const struct exact_tree_walk *walk, uint32_t place)
{
    const uint32_t at = place - walk->first;
    return walk->order ? walk->order[at] : at;
}

static struct exact_tree_request request_of(const struct exact_tree_walk *walk, uint32_t first,
                                            uint32_t count)
{
    float bears = INFINITY;
    struct exact_tree_request request = {.tree = walk->tree,
                                         .rule = walk->rule,
                                         .first = first,
                                         .count = count,
                                         .softening2 = walk->frame->softening2,
                                         .mixed = walk->mixed};
    for (uint32_t i = first; walk->last && i < first + count; i++) {
        const float here = exact_tree_bears(exact_tree_size(walk->last[body_at(walk, i)]),
                                            walk->tree->body[i].mass, walk->floor, walk->frame);
        bears = here < bears ? here : bears;
    }
    if (walk->last)
        request.rule = exact_tree_rule_of(walk->rule, bears);
    return request;
}

static struct exact_tree_work walk_run(const struct exact_tree_walk *walk, uint32_t first,
                                       uint32_t count)
{
    const struct exact_tree_request request = request_of(walk, first, count);
    double out[3][EXACT_TREE_GROUP];
    const struct exact_tree_work work = walk->potential ? walk->kernels->potential(&request, out[0])
                                                        : walk->kernels->accelerate(&request, out);
    const float cost = exact_tree_cost(work.pairs, work.joins, count);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t body = body_at(walk, first + i);
        if (walk->potential)
            walk->potential[body] = -(out[0][i] * walk->frame->potential);
        for (int c = 0; !walk->potential && c < 3; c++)
            walk->out[body][c] = out[c][i] * walk->frame->pull;
        if (walk->cost)
            walk->cost[body] = cost;
    }
    return work;
}

struct exact_tree_work exact_tree_walk_groups(const struct exact_tree_walk *walk, int threads)
{
    const uint32_t groups = (walk->count + EXACT_TREE_GROUP - 1) / EXACT_TREE_GROUP;
    uint64_t pairs = 0, joins = 0, unsent = 0;
#pragma omp parallel for schedule(dynamic, 4) num_threads(threads)                                 \
    reduction(+ : pairs, joins, unsent)
    for (uint32_t group = 0; group < groups; group++) {
        const uint32_t begin = group * EXACT_TREE_GROUP, left = walk->count - begin;
        const uint32_t first = walk->first + begin;
        const uint32_t end = first + (left < EXACT_TREE_GROUP ? left : EXACT_TREE_GROUP);
        for (uint32_t at = first, count; at < end; at += count) {
            count = exact_tree_run(walk->tree, at, end);
            const struct exact_tree_work work = walk_run(walk, at, count);
            pairs += work.pairs;
            joins += work.joins;
            unsent += work.unsent;
        }
    }
    return (struct exact_tree_work){pairs, joins, unsent};
}

struct exact_tree_census exact_tree_census_of(size_t bodies, const double (*last)[3],
                                              const double *mass, size_t stride, int threads)
{
    enum { SHARE = 4096 };
    struct exact_tree_census all = {0};
#pragma omp parallel num_threads(threads)
    {
        struct exact_tree_census own = {0};
#pragma omp for schedule(dynamic, SHARE)
        for (size_t i = 0; i < bodies; i++) {
            exact_tree_count(&own, exact_tree_size(last[i]));
            exact_tree_weigh(&own, mass[i * stride]);
        }
#pragma omp critical
        exact_tree_add_census(&all, &own);
    }
    return all;
}

enum { WORTH = 4096 };

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
        return status_fail(STATUS_DEVICE, ISA_MISSING, params->isa);
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

static struct exact_tree_walk walk_of(const struct exact_gravity *g, struct exact_tree_rule rule,
                                      bool mixed)
{
    const struct exact_tree_build *build = &g->build;
    return (struct exact_tree_walk){.kernels = g->kernels,
                                    .tree = &build->tree,
                                    .frame = &build->frame,
                                    .count = build->tree.bodies,
                                    .order = build->order,
                                    .rule = rule,
                                    .mixed = mixed};
}

static void walk_groups(struct exact_gravity *g, const struct exact_tree_walk *walk)
{
    const double start = clock_seconds();
    const struct exact_tree_work work = exact_tree_walk_groups(walk, threads_for(g));
    g->work.walk_seconds += clock_seconds() - start;
    g->work.pairs = (double)work.pairs;
    g->work.joins = (double)work.joins;
}

void exact_gravity_accelerate(struct exact_gravity *gravity, const double (*rows)[4],
                              const double *halves, double softening, double (*out)[3])
{
    const double(*last)[3] = (const double(*)[3])out;
    const size_t bodies = gravity->params.bodies;
    const int threads = threads_for(gravity);
    prepare(gravity, rows, halves, softening);
    struct exact_tree_walk walk =
        walk_of(gravity, exact_tree_rule_first(gravity->params.error), halves != NULL);
    walk.out = out;
    struct exact_tree_census census = exact_tree_census_of(bodies, last, rows[0] + 3, 4, threads);
    if (!exact_tree_knows(&census)) {
        walk_groups(gravity, &walk);
        census = exact_tree_census_of(bodies, last, rows[0] + 3, 4, threads);
    }
    walk.rule = exact_tree_rule_for(gravity->params.error);
    walk.last = last;
    walk.floor = exact_tree_floor_of(&census, &gravity->build.frame);
    walk_groups(gravity, &walk);
}

void exact_gravity_potential(struct exact_gravity *gravity, const double (*rows)[4],
                             const double *halves, double softening, double *out)
{
    prepare(gravity, rows, halves, softening);
    struct exact_tree_walk walk =
        walk_of(gravity, exact_tree_rule_potential(gravity->params.error), halves != NULL);
    walk.potential = out;
    walk_groups(gravity, &walk);
}

struct force_work exact_gravity_last(const struct exact_gravity *gravity)
{
    return gravity->work;
}
