#include "cmd/film/forecast/fast_forward.h"

#include "base/clock.h"
#include "base/functions/fn.h"
#include "base/memory.h"
#include "cmd/film/start/sources.h"
#include "sim/integrators/integrator.h"
#include "sim/gravity/force.h"
#include "sim/gravity/tree/tree_force.h"

#include <stdlib.h>

struct fast_forward {
    struct film *film;
    struct simulation *simulation;
    struct simulation_state state;
};

static const double rough_error = 1e-2; /* of a tree's forces */

/* For all pairs. With all sources each pair serves both of its bodies, so half of the sources would
 * cost as much as all. */
static uint32_t choose_subset(const struct fast_forward_params *params)
{
    const double all = params->frame_seconds / 2 * (double)params->frames;
    uint32_t subset = all <= params->seconds ? 1 : 4;
    while (subset > 1 && subset < 16 && 2 * all / subset > params->seconds)
        subset *= 2;
    return subset;
}

static enum status open_simulation(struct fast_forward *fast_forward,
                                   const struct fast_forward_params *request)
{
    const struct film *film = fast_forward->film;
    struct film_sources sources;
    film_sources(film->scene, &sources);
    struct simulation_params params = sources.params[0];
    const uint32_t steps = (params.steps_per_frame + 1) / 2;
    params.dt *= (double)params.steps_per_frame / steps;
    params.steps_per_frame = steps;
    params.integrator = &integrator_kdk;
    const bool tree = simulation_solver(film->simulations[0])->force->ops == &force_tree;
    params.force = tree ? &force_tree : &force_fast;
    params.force_error = rough_error;
    params.damping = 1;
    params.adaptive = params.double_steps = 0;
    params.subset = tree ? 1 : choose_subset(request);
    params.softening *= fn_cbrt(params.subset);
    enum status status = simulation_open(&fast_forward->simulation, &params, film->backend,
                                         film->device, film->bodies);
    if (status == STATUS_OK) {
        struct frame_clock clock = film->script.clock;
        clock.dt = params.dt;
        clock.steps_per_frame = steps;
        simulation_set_clock(fast_forward->simulation, &clock);
    }
    return status == STATUS_OK ? simulation_state_create(simulation_saved(fast_forward->simulation),
                                                         &fast_forward->state)
                               : status;
}

enum status fast_forward_open(struct fast_forward **out, struct film *film,
                              const struct fast_forward_params *params)
{
    struct fast_forward *fast_forward = *out = memory_new(1, sizeof *fast_forward);
    fast_forward->film = film;
    enum status status = open_simulation(fast_forward, params);
    if (status != STATUS_OK)
        fast_forward_close(out);
    return status;
}

void fast_forward_close(struct fast_forward **fast_forward)
{
    if (!*fast_forward)
        return;
    simulation_close(&(*fast_forward)->simulation);
    simulation_state_free(&(*fast_forward)->state);
    free(*fast_forward);
    *fast_forward = NULL;
}

/* Completes a frame once begun; earlier frames decide whether there is time for the rest. */
static enum status run_ahead(struct fast_forward *fast_forward, uint64_t frame, double seconds,
                             volatile sig_atomic_t *stop)
{
    const uint64_t begin = simulation_frame(fast_forward->simulation);
    const double since = clock_seconds();
    enum status status = STATUS_OK;
    for (uint64_t f = begin; f < frame && status == STATUS_OK; f++) {
        const double spent = clock_seconds() - since;
        if (f > begin && spent / (double)(f - begin) * (double)(frame - begin) > seconds)
            break;
        status = simulation_advance(fast_forward->simulation, f + 1, stop);
    }
    return status;
}

enum status fast_forward_go(struct fast_forward *fast_forward, uint64_t frame, double seconds,
                            volatile sig_atomic_t *stop, bool *there)
{
    struct simulation_state *state = &fast_forward->state;
    *there = false;
    enum status status = run_ahead(fast_forward, frame, seconds, stop);
    if (status != STATUS_OK || simulation_frame(fast_forward->simulation) < frame)
        return status;
    status = simulation_get_state(fast_forward->simulation, state);
    state->step = frame_clock_steps_before(&fast_forward->film->script.clock, frame);
    state->turn = 0;
    for (int i = 0; i < fast_forward->film->simulation_count && status == STATUS_OK; i++)
        status = simulation_set_state(fast_forward->film->simulations[i], state);
    *there = status == STATUS_OK;
    return status;
}
