#include "sim/integrators/blocks.h"

#include "base/log.h"

#include <math.h>

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

struct blocks_integration {
    struct adaptive_integration adaptive;
    uint64_t made[RUNGS];
};

bool blocks_possible(const struct solver *solver)
{
    return solver->ops->blocks && solver->force->path->partial;
}

/* Logs if the force could on another backend. */
static bool able(const struct solver *solver)
{
    const struct force_ops *force = solver->force->ops;
    const bool possible = blocks_possible(solver);
    bool elsewhere = false;
    for (const struct force_path *const *path = force->paths; *path; path++)
        elsewhere |= (*path)->partial;
    if (!possible && elsewhere)
        log_info("the force %s has no steps per body on %s: all bodies share each adaptive step",
                 force->name, solver->ops->name);
    return possible;
}

static enum status make_step(struct adaptive_integration *self, bool *done)
{
    struct blocks_integration *blocks = (struct blocks_integration *)self;
    return blocks_step(&self->adaptive, self->integration.solver, blocks->made, done);
}

static enum status advance(struct integration *integration, const struct frame_span *frame,
                           volatile sig_atomic_t *stop)
{
    return adaptive_advance(integration, frame, stop, make_step);
}

/* Saves the rungs of all bodies after the tick, because velocities are those of the middle of a
 * step. */
static enum status save(const struct integration *integration, struct integrator_state *out)
{
    struct solver *solver = integration->solver;
    enum status status = adaptive_save(integration, solver->count, out);
    return status == STATUS_OK && out->size > 0
               ? solver->ops->blocks->save(solver, out->bytes + TICK_BYTES)
               : status;
}

static enum status load(struct integration *integration, const struct frame_span *frame,
                        uint64_t steps, const struct integrator_state *state)
{
    struct solver *solver = integration->solver;
    for (size_t i = TICK_BYTES; i < state->size; i++)
        if (state->bytes[i] > RUNG_MOST)
            return integrator_refuse_state(frame, steps);
    enum status status = adaptive_load(integration, frame, steps, state, solver->count);
    return status == STATUS_OK && state->size > 0
               ? solver->ops->blocks->load(solver, state->bytes + TICK_BYTES)
               : status;
}

static const uint64_t *rungs(const struct integration *integration)
{
    return ((const struct blocks_integration *)integration)->made;
}

const struct integrator integrator_blocks = {
    .name = "blocks",
    .doc = "kick-drift-kick with steps per body, as short as its own acceleration requires",
    .size = sizeof(struct blocks_integration),
    .check = adaptive_check,
    .able = able,
    .advance = advance,
    .passed = adaptive_passed,
    .save = save,
    .load = load,
    .rungs = rungs,
};
