/* Long steps for all pulls but those that bodies of small softening exert on each other.
 *
 * The potential is split in two: the pulls among these bodies, which make short orbits, act at both
 * ends of each step of dt, all others at both ends of a long step, which consists of some of them
 * (the impulse method, or r-RESPA: H. Grubmueller et al., Mol. Simul. 6, 121 (1991); M. Tuckerman,
 * B. J. Berne and G. J. Martyna, J. Chem. Phys. 97, 1990 (1992)). A long step is symmetric in time,
 * and bodies pull each other at the same moments, so that neither energy nor momentum drifts as
 * with steps per body. A frame of S steps has the fewest long steps that span no more than
 * simulation.long_steps of them each, as even as whole numbers allow. */
#include "base/ranks/ranks.h"
#include "base/status.h"
#include "sim/integrators/integrator.h"

#include <stdlib.h>
#include <string.h>

/* The number of steps of a frame before its long step k. */
static uint64_t before(const struct integration *integration, uint64_t steps, uint64_t k)
{
    const uint64_t parts = (steps + integration->long_steps - 1) / integration->long_steps;
    return steps * k / parts;
}

/* The end of the long step that begins after `made` steps of a frame of so many; 0: none does. */
static uint64_t end_after(const struct integration *integration, uint64_t steps, uint64_t made)
{
    for (uint64_t k = 0; before(integration, steps, k) < steps; k++)
        if (before(integration, steps, k) == made)
            return before(integration, steps, k + 1);
    return 0;
}

static enum status long_step(struct solver *solver, double dt, uint64_t steps)
{
    const struct solver_apart *apart = solver->ops->blocks->apart;
    const double half = dt * (double)steps / 2;
    enum status status = solver->ops->kick(solver, half);
    if (status == STATUS_OK)
        status = apart->kick(solver, dt / 2 - half, SHORTER);
    for (uint64_t k = 1; status == STATUS_OK && k <= steps; k++) {
        status = solver->ops->drift(solver, dt);
        if (status == STATUS_OK && k < steps)
            status = apart->kick(solver, dt, SHORTER);
    }
    if (status == STATUS_OK)
        status = apart->accelerate(solver, SHORTER);
    if (status == STATUS_OK)
        status = solver->ops->kick(solver, half);
    return status == STATUS_OK ? apart->kick(solver, dt / 2 - half, SHORTER) : status;
}

static enum status split_advance(struct integration *integration, const struct frame_span *frame,
                                 volatile sig_atomic_t *stop)
{
    enum status status = integration->assigned ? STATUS_OK : integration_assign(integration);
    while (status == STATUS_OK && integration->steps < frame->first + frame->steps) {
        if (ranks_stop(stop))
            return STATUS_STOPPED;
        const uint64_t made = integration->steps - frame->first;
        const uint64_t end = end_after(integration, frame->steps, made);
        status = long_step(integration->solver, frame->dt, end - made);
        if (status == STATUS_OK)
            integration->steps += end - made;
    }
    return status;
}

/* Saves the accelerations of the short steps, which belong to the present positions but follow from
 * earlier ones as well. */
static enum status split_save(const struct integration *integration, struct integrator_state *out)
{
    const double(*acceleration)[3];
    size_t count = 0;
    if (!integration->solver->ops->blocks->apart->save(integration->solver, &count,
                                                       &acceleration) ||
        count == 0)
        return STATUS_OK;
    const size_t size = count * sizeof *acceleration;
    out->bytes = malloc(size);
    if (!out->bytes)
        return status_fail(STATUS_RUNTIME, "no memory for the steps of a saved state, %zu bytes",
                           size);
    for (size_t i = 0; i < 3 * count; i++) {
        uint64_t bits;
        memcpy(&bits, acceleration[0] + i, sizeof bits);
        for (size_t k = 0; k < sizeof bits; k++)
            out->bytes[sizeof bits * i + k] = (uint8_t)(bits >> 8 * k);
    }
    out->size = size;
    return STATUS_OK;
}

static enum status split_load(struct integration *integration, const struct frame_span *frame,
                              uint64_t steps, const struct integrator_state *state)
{
    struct solver *solver = integration->solver;
    const size_t count = state->size / sizeof(double[3]);
    if (state->size % sizeof(double[3]) != 0 || steps < frame->first ||
        (steps > frame->first && end_after(integration, frame->steps, steps - frame->first) == 0))
        return integrator_refuse_state(frame, steps);
    enum status status = integration_assign(integration);
    if (status == STATUS_OK)
        integration->steps = steps;
    if (status != STATUS_OK || count == 0)
        return status;
    double(*acceleration)[3] = malloc(state->size);
    if (!acceleration)
        return status_fail(STATUS_RUNTIME, "no memory for the steps of a saved state, %zu bytes",
                           state->size);
    for (size_t i = 0; i < 3 * count; i++) {
        uint64_t bits = 0;
        for (size_t k = 0; k < sizeof bits; k++)
            bits |= (uint64_t)state->bytes[sizeof bits * i + k] << 8 * k;
        memcpy(acceleration[0] + i, &bits, sizeof bits);
    }
    status =
        solver->ops->blocks->apart->load(solver, SHORTER, count, (const double(*)[3])acceleration);
    free(acceleration);
    return status;
}

const struct pacing pacing_split = {
    .advance = split_advance, .save = split_save, .load = split_load};
