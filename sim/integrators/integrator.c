#include "sim/integrators/integrator.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

extern const struct integrator integrator_kdk, integrator_dkd, integrator_yoshida4,
    integrator_euler;
static const struct integrator *const integrators[] = {&integrator_kdk, &integrator_dkd,
                                                       &integrator_yoshida4, &integrator_euler};
const struct registry integrator_registry = REGISTRY_LIST("integrator", integrators);

static const struct integrator *const none[] = {NULL};

static const struct integrator *const *adapters(const struct integrator *integrator)
{
    return integrator->adapted_by ? integrator->adapted_by : none;
}

static enum status check_double_steps(const struct simulation_params *params)
{
    if (!(params->double_steps >= 0))
        return status_fail(STATUS_USAGE, "simulation.double_steps is %g, but must be at least 0",
                           params->double_steps);
    if (params->double_steps > 0 && !params->integrator->doubled_by)
        return status_fail(STATUS_USAGE,
                           "simulation.double_steps is %g, but the integrator %s makes equal steps "
                           "only; set it to 0 or choose the integrator kdk",
                           params->double_steps, params->integrator->name);
    if (params->double_steps > 0 && params->adaptive > 0)
        return status_fail(STATUS_USAGE, "simulation.double_steps and simulation.adaptive both "
                                         "choose the bodies' steps; set one of them to 0");
    return STATUS_OK;
}

enum status integrator_check(const struct simulation_params *params)
{
    const struct integrator *integrator = params->integrator;
    if (!isfinite(params->dt) || params->dt == 0)
        return status_fail(STATUS_USAGE, "simulation.dt is %g, but must be a number other than 0",
                           params->dt);
    if (!(params->damping >= 0 && params->damping <= 1))
        return status_fail(STATUS_USAGE,
                           "simulation.damping is %g, but must be above 0 and at most 1",
                           params->damping);
    if (!(params->adaptive >= 0 && params->adaptive <= 1))
        return status_fail(STATUS_USAGE, "simulation.adaptive is %g, but must be from 0 to 1",
                           params->adaptive);
    enum status status = integrator->check ? integrator->check(params) : STATUS_OK;
    if (status == STATUS_OK)
        status = check_double_steps(params);
    if (params->adaptive == 0)
        return status;
    for (const struct integrator *const *a = adapters(integrator); *a; a++)
        if (status == STATUS_OK && (*a)->check)
            status = (*a)->check(params);
    return status;
}

static bool adapts(const struct simulation_params *params)
{
    return params->adaptive > 0 && !params->played;
}

bool integrator_keeps(const struct simulation_params *params)
{
    bool keeps = params->integrator->keeps;
    if (adapts(params))
        for (const struct integrator *const *a = adapters(params->integrator); *a; a++)
            keeps |= (*a)->keeps;
    return keeps;
}

static const struct integrator *choose(const struct simulation_params *params,
                                       const struct solver *solver)
{
    if (adapts(params))
        for (const struct integrator *const *a = adapters(params->integrator); *a; a++)
            if (!(*a)->able || (*a)->able(solver))
                return *a;
    const struct integrator *doubled = params->integrator->doubled_by;
    if (params->double_steps > 0 && !params->played && doubled->able(solver))
        return doubled;
    return params->integrator;
}

struct integration *integration_open(const struct simulation_params *params, struct solver *solver,
                                     const struct bodies *bodies, double softening)
{
    const struct integrator *integrator = choose(params, solver);
    const size_t least = sizeof(struct integration);
    struct integration *integration =
        memory_new(1, integrator->size > least ? integrator->size : least);
    *integration = (struct integration){
        .integrator = integrator,
        .solver = solver,
        .step = params->integrator->step,
        .dt = params->dt,
        .damping = params->damping > 0 ? params->damping : 1,
        .eta = adapts(params) ? params->adaptive : 0,
        .softening = softening,
        .bodies = bodies,
        .usual_softening = params->softening,
        .doubled_from = params->double_steps,
        .pace = params->pace ? params->pace : "simulation.steps_per_frame",
    };
    return integration;
}

void integration_close(struct integration **integration)
{
    free(*integration);
    *integration = NULL;
}

enum status integration_save(const struct integration *integration, struct integrator_state *out)
{
    free(out->bytes);
    *out = (struct integrator_state){0};
    const struct integrator *integrator = integration->integrator;
    return integrator->save ? integrator->save(integration, out) : STATUS_OK;
}
