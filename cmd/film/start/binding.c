#include "cmd/film/start/binding.h"

#include "base/memory.h"
#include "sim/solver/solver.h"
#include "sim/gravity/tree/morton.h"

#include <stdio.h>
#include <stdlib.h>

/* Bodies squared that two processors sum in a few seconds; and pairs at a single place, which are
 * one processor's work. */
static const double PAIRS_QUICK = 4e10, PAIRS_MOST = 1e10;

static int by_value(const void *a, const void *b)
{
    const uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* Estimates the pairs that no tree can separate because their keys are equal, from a few thousand
 * bodies; only very many at one place matter. */
static double inseparable_pairs(const struct bodies *bodies)
{
    enum { SAMPLE = 4096 };
    double(*rows)[4] = memory_new(SAMPLE, sizeof *rows), pairs = 0;
    uint64_t *keys = memory_new(SAMPLE, sizeof *keys);
    for (uint64_t i = 0; i < SAMPLE; i++) {
        /* a multiplicative hash, because rows of a table may repeat with any period */
        const size_t body = (size_t)((i * UINT64_C(0x9e3779b97f4a7c15) >> 20) % bodies->count);
        for (int k = 0; k < 3; k++)
            rows[i][k] = bodies->position[body][k];
    }
    const struct key_box box = key_box_of(SAMPLE, (const double(*)[4])rows, 1);
    for (size_t i = 0; i < SAMPLE; i++)
        keys[i] = key_of(&box, rows[i]);
    qsort(keys, SAMPLE, sizeof *keys, by_value);
    for (size_t i = 0, next; i < SAMPLE; i = next) {
        for (next = i + 1; next < SAMPLE && keys[next] == keys[i]; next++)
            ;
        const double there = (double)(next - i) / SAMPLE * (double)bodies->count;
        pairs += next - i > 1 ? there * there / 2 : 0;
    }
    free(keys);
    free(rows);
    return pairs;
}

/* NULL: there is none; sets the reason. */
static const struct force_ops *choose(struct binding *out, const struct bodies *bodies)
{
    const double count = (double)bodies->count;
    if (count * count <= PAIRS_QUICK)
        return &force_double;
    const double pairs = inseparable_pairs(bodies);
    if (pairs > PAIRS_MOST) {
        snprintf(out->why, sizeof out->why,
                 "about %.1g pairs of bodies lie in one place, where a tree does not help", pairs);
        return NULL;
    }
    return &force_tree;
}

enum status binding_find(struct binding *out, const struct bodies *bodies,
                         const struct simulation_params *by)
{
    *out = (struct binding){0};
    out->force = choose(out, bodies);
    if (!out->force)
        return STATUS_OK;
    const struct solver_params params = {
        .softening = by->softening, .softening_kernel = by->softening_kernel, .force = out->force};
    struct solver *solver = NULL;
    enum status status = solver_open("auto", &params, bodies, &solver);
    if (status == STATUS_OK)
        status = solver->ops->potential(solver, &out->potential);
    solver_close(&solver);
    return status;
}
