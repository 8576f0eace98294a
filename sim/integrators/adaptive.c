#include "sim/integrators/integrator.h"

#include "base/ranks/ranks.h"
#include "base/status.h"
#include "sim/gravity/force.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the same step for all bodies ---- */

static struct rung_rule adaptive_rule(const struct adaptive *adaptive)
{
    return (struct rung_rule){.eta = adaptive->eta, .frame_time = adaptive->frame_time};
}

static enum status adaptive_too_short(const struct adaptive *adaptive)
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

/* Repeats `make`, which makes one step, to the end of the frame. */
static enum status advance_by(struct integration *self, const struct frame_span *frame,
                              volatile sig_atomic_t *stop,
                              enum status (*make)(struct integration *self, bool *done))
{
    enum status status = STATUS_OK;
    self->adaptive.frame_time = frame->duration;
    for (bool done = false; status == STATUS_OK && !done;) {
        if (ranks_stop(stop))
            return STATUS_STOPPED;
        status = make(self, &done);
        if (status == STATUS_OK)
            self->steps++;
    }
    return status;
}

static enum status make_adaptive(struct integration *self, bool *done)
{
    return adaptive_step(&self->adaptive, self->solver, self->integrator->step, self->damping,
                         done);
}

static enum status adaptive_advance(struct integration *integration, const struct frame_span *frame,
                                    volatile sig_atomic_t *stop)
{
    return advance_by(integration, frame, stop, make_adaptive);
}

static double adaptive_passed(const struct integration *integration)
{
    return ldexp((double)integration->adaptive.tick, -RUNG_MOST);
}

/* Saves the tick in TICK_BYTES, followed by `more` bytes set to zero; nothing at tick 0. */
static enum status save_tick(const struct integration *integration, size_t more,
                             struct integrator_state *out)
{
    const uint64_t tick = integration->adaptive.tick;
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

static enum status load_tick(struct integration *integration, const struct frame_span *frame,
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
    integration->adaptive.tick = tick;
    integration->steps = steps;
    return STATUS_OK;
}

static enum status adaptive_save(const struct integration *integration,
                                 struct integrator_state *out)
{
    return save_tick(integration, 0, out);
}

static enum status adaptive_load(struct integration *integration, const struct frame_span *frame,
                                 uint64_t steps, const struct integrator_state *state)
{
    return load_tick(integration, frame, steps, state, 0);
}

const struct pacing pacing_adaptive = {
    .advance = adaptive_advance,
    .passed = adaptive_passed,
    .save = adaptive_save,
    .load = adaptive_load,
};

/* ---- a step for each body ---- */

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

static enum status make_blocks(struct integration *self, bool *done)
{
    return blocks_step(&self->adaptive, self->solver, self->made, done);
}

static enum status blocks_advance(struct integration *integration, const struct frame_span *frame,
                                  volatile sig_atomic_t *stop)
{
    return advance_by(integration, frame, stop, make_blocks);
}

/* Saves the rungs of all bodies after the tick, because velocities are those of the middle of a
 * step. */
static enum status blocks_save(const struct integration *integration, struct integrator_state *out)
{
    struct solver *solver = integration->solver;
    enum status status = save_tick(integration, solver->count, out);
    return status == STATUS_OK && out->size > 0
               ? solver->ops->blocks->save(solver, out->bytes + TICK_BYTES)
               : status;
}

static enum status blocks_load(struct integration *integration, const struct frame_span *frame,
                               uint64_t steps, const struct integrator_state *state)
{
    struct solver *solver = integration->solver;
    for (size_t i = TICK_BYTES; i < state->size; i++)
        if (state->bytes[i] > RUNG_MOST)
            return integrator_refuse_state(frame, steps);
    enum status status = load_tick(integration, frame, steps, state, solver->count);
    return status == STATUS_OK && state->size > 0
               ? solver->ops->blocks->load(solver, state->bytes + TICK_BYTES)
               : status;
}

const struct pacing pacing_blocks = {
    .advance = blocks_advance,
    .passed = adaptive_passed,
    .save = blocks_save,
    .load = blocks_load,
};

/* ---- steps of twice the length for bodies whose softening is large ----
 *
 * Which bodies make the longer steps does not change. They are kicked at the ends of each pair of
 * steps, first by the length of its first step, then by that of its second, which makes the pair
 * symmetric in time if its steps are equally long; the others make a step of kdk in each half.
 * Therefore the energy does not drift as it does where accelerations choose the steps. Steps are
 * paired from the start of the run on, across frames, because many frames of slow motion have a
 * single step. Where a frame ends within a pair, the velocities of the bodies of the longer step
 * are those of a step of dkd, which belong to the same moment as their positions. */

enum status integration_assign(struct integration *integration)
{
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
    integration->assigned = status == STATUS_OK;
    return status;
}

/* Makes a step of dt, the first or the second of a pair. In a pair, bodies of the longer step are
 * kicked by the whole of each step, the others by its halves. */
static enum status make_half(struct solver *solver, double dt, bool second)
{
    const struct solver_blocks *blocks = solver->ops->blocks;
    enum status status = blocks->kick_half(solver, 2 * dt, second ? SHORTER : LONGER);
    if (status == STATUS_OK)
        status = solver->ops->drift(solver, dt);
    if (status == STATUS_OK)
        status = second ? solver->ops->accelerate(solver) : blocks->accelerate(solver, SHORTER);
    return status == STATUS_OK ? blocks->kick_half(solver, 2 * dt, second ? LONGER : SHORTER)
                               : status;
}

static enum status doubled_advance(struct integration *integration, const struct frame_span *frame,
                                   volatile sig_atomic_t *stop)
{
    const uint64_t end = frame->first + frame->steps;
    enum status status = integration->assigned ? STATUS_OK : integration_assign(integration);
    while (status == STATUS_OK && integration->steps < end) {
        if (ranks_stop(stop))
            return STATUS_STOPPED;
        const bool second = integration->steps % 2 == 1;
        status = make_half(integration->solver, frame->dt, second);
        if (status == STATUS_OK)
            integration->steps++;
    }
    return status;
}

/* The number of steps says which half of a pair is next, and the state of the bodies has the rest.
 */
static enum status doubled_load(struct integration *integration, const struct frame_span *frame,
                                uint64_t steps, const struct integrator_state *state)
{
    return pacing_equal.load(integration, frame, steps, state);
}

const struct pacing pacing_doubled = {.advance = doubled_advance, .load = doubled_load};
