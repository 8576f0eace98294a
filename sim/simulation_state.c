#include "sim/simulation_run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status simulation_state_create(const struct simulation *simulation,
                                    struct simulation_state *out)
{
    size_t count = simulation->bodies->count;
    *out = (struct simulation_state){.count = count};
    out->mass = calloc(count, sizeof *out->mass);
    out->position = calloc(count, sizeof *out->position);
    out->velocity = calloc(count, sizeof *out->velocity);
    out->acceleration = calloc(count, sizeof *out->acceleration);
    if (out->mass && out->position && out->velocity && out->acceleration)
        return STATUS_OK;
    simulation_state_free(out);
    return status_fail(STATUS_RUNTIME, "no memory for the state of %zu bodies", count);
}

void simulation_state_free(struct simulation_state *state)
{
    free(state->mass);
    free(state->position);
    free(state->velocity);
    free(state->acceleration);
    *state = (struct simulation_state){0};
}

enum status simulation_get_state(struct simulation *simulation, struct simulation_state *state)
{
    struct solver *solver = simulation->solver;
    struct bodies *bodies = simulation->bodies;
    size_t count = bodies->count;
    enum status status = solver->ops->save(solver, bodies);
    if (status == STATUS_OK)
        status = solver->ops->accelerations(solver, state->acceleration);
    state->frame = simulation->frame;
    state->step = simulation->step;
    state->tick = simulation->adaptive.tick;
    state->turn = solver->turn;
    memcpy(state->mass, bodies->mass, count * sizeof *state->mass);
    memcpy(state->position, bodies->position, count * sizeof *state->position);
    memcpy(state->velocity, bodies->velocity, count * sizeof *state->velocity);
    return status;
}

static bool all_finite(size_t count, const double *numbers)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return false;
    return true;
}

/* Whether a run of these parameters can be at this step of this frame. */
static bool in_frame(const struct simulation *simulation, const struct simulation_state *state)
{
    if (simulation->adaptive.eta > 0)
        return state->tick < (uint64_t)1 << ADAPTIVE_LEVELS && state->step >= state->frame;
    return state->tick == 0 && state->step / simulation->clock.steps_per_frame == state->frame;
}

enum status simulation_set_state(struct simulation *simulation,
                                 const struct simulation_state *state)
{
    struct solver *solver = simulation->solver;
    const struct bodies *bodies = simulation->bodies;
    size_t count = bodies->count;
    if (state->count != count)
        return status_fail(STATUS_USAGE,
                           "the saved state has %zu bodies, and this simulation has %zu",
                           state->count, count);
    if (memcmp(state->mass, bodies->mass, count * sizeof *state->mass) != 0)
        return status_fail(STATUS_USAGE,
                           "the saved state's masses are not those of the bodies that "
                           "this simulation began with");
    if (!in_frame(simulation, state))
        return status_fail(STATUS_USAGE,
                           "the saved state is at step %llu of frame %llu, where this simulation "
                           "never is",
                           (unsigned long long)state->step, (unsigned long long)state->frame);
    if (!all_finite(3 * count, state->position[0]) || !all_finite(3 * count, state->velocity[0]) ||
        !all_finite(3 * count, state->acceleration[0]))
        return status_fail(STATUS_USAGE, "the saved state has a number that is not finite");
    const double(*position)[3] = (const double(*)[3])state->position,
          (*velocity)[3] = (const double(*)[3])state->velocity,
          (*acceleration)[3] = (const double(*)[3])state->acceleration;
    enum status status = solver->ops->load(solver, position, velocity, acceleration);
    solver->turn = state->turn;
    simulation->frame = state->frame;
    simulation->step = state->step;
    simulation->adaptive.tick = state->tick;
    return status;
}
