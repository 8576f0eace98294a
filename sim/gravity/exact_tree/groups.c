#include "sim/gravity/exact_tree/groups.h"

#include <math.h>

uint32_t exact_tree_run(const struct exact_tree *tree, uint32_t first, uint32_t end)
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
