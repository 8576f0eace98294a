#include "sim/gravity/exact_tree/gravity.h"
#include "base/clock.h"
#include "base/memory.h"
#include "kernels/isa.h"
#include "kernels/threads.h"
#include "kernels/exact_tree/cells.h"
#include "kernels/exact_tree/accuracy.h"
#include "sim/gravity/exact_tree/build.h"
#include "sim/gravity/exact_tree/groups.h"

#include <stdlib.h>

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

const struct exact_tree_kernels *exact_gravity_kernels(const struct exact_gravity *gravity)
{
    return gravity->kernels;
}
