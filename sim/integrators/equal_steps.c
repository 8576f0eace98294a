/* The steps of the clock, all of one length within a frame. */
#include "sim/integrators/integrator.h"
#include "base/functions/fn.h"

#include <math.h>

enum status equal_steps(struct integration *integration, const struct frame_span *frame,
                        volatile sig_atomic_t *stop)
{
    const uint64_t left = frame->first + frame->steps - integration->steps;
    const double damping = frame->dt == integration->dt
                               ? integration->damping
                               : fn_pow(integration->damping, frame->dt / integration->dt);
    uint64_t done;
    enum status status = solver_repeat(integration->solver, integration->step, frame->dt, damping,
                                       left, stop, &done);
    integration->steps += done;
    return status;
}

enum status equal_steps_load(struct integration *integration, const struct frame_span *frame,
                             uint64_t steps, const struct integrator_state *state)
{
    const uint64_t room = frame->steps > 0 ? frame->steps : 1;
    if (state->size > 0 || steps < frame->first || steps - frame->first >= room)
        return integrator_refuse_state(frame, steps);
    integration->steps = steps;
    return STATUS_OK;
}

enum status integrator_never_damps(const struct simulation_params *params)
{
    if (params->damping == 0 || params->damping == 1)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "simulation.damping is %g, but the integrator %s does not damp; set it "
                       "to 1 or choose the integrator euler",
                       params->damping, params->integrator->name);
}

enum status integrator_refuse_state(const struct frame_span *frame, uint64_t steps)
{
    return status_fail(STATUS_USAGE,
                       "the saved state is at step %llu of frame %llu, which this simulation "
                       "never reaches",
                       (unsigned long long)steps, (unsigned long long)frame->number);
}
