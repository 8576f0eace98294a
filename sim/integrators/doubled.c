/* Which bodies make the longer steps does not change, and each pair of steps is symmetric in time:
 * half kicks of the longer step at its ends, and a step of kdk in each half for the others.
 * Therefore the energy does not drift as it does where accelerations choose the steps. A frame with
 * an odd number of steps ends with one step of kdk for all bodies. */
#include "sim/integrators/doubled.h"
#include "sim/integrators/blocks.h"
#include "base/log.h"
#include "sim/gravity/force.h"
#include "base/ranks/ranks.h"

#include <stdlib.h>
#include <string.h>

enum { LONGER, SHORTER }; /* rungs of a pair of steps */

struct doubled_integration {
    struct integration integration;
    bool assigned; /* the solver has the bodies' rungs */
};

static bool able(const struct solver *solver)
{
    const bool possible = blocks_possible(solver);
    if (!possible)
        log_info("the force %s has no steps per body on %s: simulation.double_steps is not used",
                 solver->force->ops->name, solver->ops->name);
    return possible;
}

static enum status assign(struct doubled_integration *self)
{
    const struct integration *integration = &self->integration;
    const struct bodies *bodies = integration->bodies;
    struct solver *solver = integration->solver;
    uint8_t *rungs = malloc(solver->count);
    if (!rungs)
        return status_fail(STATUS_RUNTIME, "no memory for the steps of %zu bodies, %zu bytes",
                           solver->count, solver->count);
    double softening;
    for (size_t from = 0, end; from < solver->count; from = end) {
        end = softening_run(bodies, integration->usual_softening, from, &softening);
        memset(rungs + from, softening >= integration->doubled_from ? LONGER : SHORTER, end - from);
    }
    enum status status = solver->ops->blocks->load(solver, rungs);
    free(rungs);
    self->assigned = status == STATUS_OK;
    return status;
}

static enum status make_two(struct solver *solver, double dt)
{
    const struct solver_blocks *blocks = solver->ops->blocks;
    enum status status = STATUS_OK;
    for (int from = LONGER, to = SHORTER; status == STATUS_OK && from <= SHORTER; from++, to--) {
        status = blocks->kick_half(solver, 2 * dt, from);
        if (status == STATUS_OK)
            status = solver->ops->drift(solver, dt);
        if (status == STATUS_OK)
            status =
                to == LONGER ? solver->ops->accelerate(solver) : blocks->accelerate(solver, to);
        if (status == STATUS_OK)
            status = blocks->kick_half(solver, 2 * dt, to);
    }
    return status;
}

static enum status advance(struct integration *integration, const struct frame_span *frame,
                           volatile sig_atomic_t *stop)
{
    struct doubled_integration *self = (struct doubled_integration *)integration;
    const uint64_t end = frame->first + frame->steps;
    enum status status = self->assigned ? STATUS_OK : assign(self);
    while (status == STATUS_OK && integration->steps < end) {
        if (ranks_stop(stop))
            return STATUS_STOPPED;
        const uint64_t made = end - integration->steps > 1 ? 2 : 1;
        status = made == 2 ? make_two(integration->solver, frame->dt)
                           : integration->step(integration->solver, frame->dt, 1);
        if (status == STATUS_OK)
            integration->steps += made;
    }
    return status;
}

/* States are saved after pairs of steps. */
static enum status load(struct integration *integration, const struct frame_span *frame,
                        uint64_t steps, const struct integrator_state *state)
{
    if (steps > frame->first && (steps - frame->first) % 2 == 1)
        return integrator_refuse_state(frame, steps);
    return equal_steps_load(integration, frame, steps, state);
}

const struct integrator integrator_doubled = {
    .name = "doubled",
    .doc = "kick-drift-kick with steps of twice the length for bodies of large softening",
    .size = sizeof(struct doubled_integration),
    .able = able,
    .advance = advance,
    .load = load,
};
