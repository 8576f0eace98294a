#include "sim/integrators/adaptive.h"

#include "base/ranks/ranks.h"

#include <math.h>
#include <stdlib.h>

struct rung_rule adaptive_rule(const struct adaptive *adaptive)
{
    return (struct rung_rule){.eta = adaptive->eta, .frame_time = adaptive->frame_time};
}

enum status adaptive_too_short(const struct adaptive *adaptive)
{
    return status_fail(STATUS_RUNTIME,
                       "the adaptive step would be shorter than %g, 2^-%d of a frame; use a larger "
                       "simulation.adaptive or simulation.softening, or a smaller %s",
                       ldexp(fabs(adaptive->frame_time), -RUNG_MOST), RUNG_MOST, adaptive->pace);
}

/* Finds the rung that the present accelerations require. */
static enum status find_rung(const struct adaptive *adaptive, struct solver *solver, int *rung)
{
    const struct rung_rule rule = adaptive_rule(adaptive);
    double a = 0;
    enum status status = solver->ops->largest(solver, &a);
    *rung = status == STATUS_OK ? rung_for(&rule, adaptive->softening, a) : 0;
    return status;
}

enum status adaptive_step(struct adaptive *adaptive, struct solver *solver, solver_step step,
                          double damping, bool *done)
{
    int start = 0, end = 0, rung = rung_at(adaptive->tick);
    enum status status = find_rung(adaptive, solver, &start);
    if (status == STATUS_OK)
        status = solver->ops->keep(solver);
    if (start > rung)
        rung = start;
    for (; status == STATUS_OK; rung++) {
        ranks_decide("adaptive rung", (uint64_t)rung);
        if (rung > RUNG_MOST)
            return adaptive_too_short(adaptive);
        status = step(solver, ldexp(adaptive->frame_time, -rung), damping);
        if (status == STATUS_OK)
            status = find_rung(adaptive, solver, &end);
        if (status != STATUS_OK || end <= rung)
            break;
        status = solver->ops->restore(solver);
    }
    if (status != STATUS_OK)
        return status;
    adaptive->tick += rung_ticks(rung);
    *done = adaptive->tick == rung_ticks(0);
    if (*done)
        adaptive->tick = 0;
    return STATUS_OK;
}

enum status adaptive_advance(struct integration *integration, const struct frame_span *frame,
                             volatile sig_atomic_t *stop,
                             enum status (*make)(struct adaptive_integration *self, bool *done))
{
    struct adaptive_integration *self = (struct adaptive_integration *)integration;
    self->adaptive = (struct adaptive){.eta = integration->eta,
                                       .softening = integration->softening,
                                       .frame_time = frame->duration,
                                       .tick = self->adaptive.tick,
                                       .pace = integration->pace};
    enum status status = STATUS_OK;
    for (bool done = false; status == STATUS_OK && !done;) {
        if (ranks_stop(stop))
            return STATUS_STOPPED;
        status = make(self, &done);
        if (status == STATUS_OK)
            integration->steps++;
    }
    return status;
}

static enum status make_step(struct adaptive_integration *self, bool *done)
{
    const struct integration *integration = &self->integration;
    return adaptive_step(&self->adaptive, integration->solver, integration->step,
                         integration->damping, done);
}

static enum status advance(struct integration *integration, const struct frame_span *frame,
                           volatile sig_atomic_t *stop)
{
    return adaptive_advance(integration, frame, stop, make_step);
}

enum status adaptive_check(const struct simulation_params *params)
{
    return params->subset > 1
               ? status_fail(STATUS_USAGE, "simulation.adaptive needs forces from all sources; set "
                                           "simulation.subset to 1 or simulation.adaptive to 0")
               : STATUS_OK;
}

static const struct adaptive *state_of(const struct integration *integration)
{
    return &((const struct adaptive_integration *)integration)->adaptive;
}

double adaptive_passed(const struct integration *integration)
{
    return ldexp((double)state_of(integration)->tick, -RUNG_MOST);
}

enum status adaptive_save(const struct integration *integration, size_t more,
                          struct integrator_state *out)
{
    const uint64_t tick = state_of(integration)->tick;
    if (tick == 0)
        return STATUS_OK;
    out->bytes = calloc(TICK_BYTES + more, 1);
    if (!out->bytes)
        return status_fail(STATUS_RUNTIME, "no memory for the steps of a saved state, %zu bytes",
                           TICK_BYTES + more);
    out->size = TICK_BYTES + more;
    for (int k = 0; k < TICK_BYTES; k++)
        out->bytes[k] = (uint8_t)(tick >> 8 * k);
    return STATUS_OK;
}

enum status adaptive_load(struct integration *integration, const struct frame_span *frame,
                          uint64_t steps, const struct integrator_state *state, size_t more)
{
    const bool within = state->size > 0;
    uint64_t tick = 0;
    if (steps < frame->moving || (within && state->size != TICK_BYTES + more))
        return integrator_refuse_state(frame, steps);
    for (int k = 0; k < TICK_BYTES && within; k++)
        tick |= (uint64_t)state->bytes[k] << 8 * k;
    if (tick >= rung_ticks(0))
        return integrator_refuse_state(frame, steps);
    ((struct adaptive_integration *)integration)->adaptive.tick = tick;
    integration->steps = steps;
    return STATUS_OK;
}

static enum status save(const struct integration *integration, struct integrator_state *out)
{
    return adaptive_save(integration, 0, out);
}

static enum status load(struct integration *integration, const struct frame_span *frame,
                        uint64_t steps, const struct integrator_state *state)
{
    return adaptive_load(integration, frame, steps, state, 0);
}

const struct integrator integrator_adaptive = {
    .name = "adaptive",
    .doc = "steps of another integrator, as short as the largest acceleration requires",
    .size = sizeof(struct adaptive_integration),
    .keeps = true,
    .check = adaptive_check,
    .advance = advance,
    .passed = adaptive_passed,
    .save = save,
    .load = load,
};
