#include "sim/integrators/blocks.h"

#include <math.h>

bool blocks_possible(const struct integrator *integrator, const struct solver *solver)
{
    return integrator->blocks && solver->ops->blocks && solver->force->path->partial;
}

enum status blocks_step(struct adaptive *adaptive, struct solver *solver, uint64_t made[RUNGS],
                        bool *done)
{
    const struct solver_blocks *blocks = solver->ops->blocks;
    const struct rung_rule rule = adaptive_rule(adaptive);
    const int from = rung_at(adaptive->tick);
    uint64_t count[RUNGS + 1];
    int shortest = from;
    enum status status = blocks->choose(solver, &rule, from, count);
    for (int k = from; status == STATUS_OK && k <= RUNGS; k++)
        if (count[k] > 0)
            shortest = k;
    if (status == STATUS_OK && shortest > RUNG_MOST)
        return adaptive_too_short(adaptive);

    const uint64_t end = adaptive->tick + rung_ticks(shortest);
    const int ending = rung_at(end);
    if (status == STATUS_OK)
        status = blocks->kick_half(solver, rule.frame_time, from);
    if (status == STATUS_OK)
        status = solver->ops->drift(solver, ldexp(rule.frame_time, -shortest));
    if (status == STATUS_OK)
        status = blocks->accelerate(solver, ending);
    if (status == STATUS_OK)
        status = blocks->kick_half(solver, rule.frame_time, ending);
    if (status != STATUS_OK)
        return status;
    for (int k = from; k < RUNGS; k++)
        made[k] += count[k];
    *done = end == rung_ticks(0);
    adaptive->tick = *done ? 0 : end;
    return STATUS_OK;
}
