#include "sim/state.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum status simulation_state_create(size_t count, struct simulation_state *out)
{
    *out = (struct simulation_state){.count = count};
    out->mass = calloc(count, sizeof *out->mass);
    out->position = calloc(count, sizeof *out->position);
    out->velocity = calloc(count, sizeof *out->velocity);
    out->acceleration = calloc(count, sizeof *out->acceleration);
    if (out->mass && out->position && out->velocity && out->acceleration)
        return STATUS_OK;
    simulation_state_free(out);
    return status_fail(STATUS_RUNTIME,
                       "the state of %zu bodies needs %zu MiB, which do not fit in memory", count,
                       count * sizeof(double[10]) >> 20);
}

void simulation_state_free(struct simulation_state *state)
{
    free(state->mass);
    free(state->position);
    free(state->velocity);
    free(state->acceleration);
    free(state->integrator.bytes);
    *state = (struct simulation_state){0};
}

enum status simulation_state_check_finite(size_t count, const double *numbers)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i]))
            return status_fail(STATUS_USAGE, "the saved state has a number that is not finite");
    return STATUS_OK;
}

double *simulation_state_rows(const struct simulation_state *state, enum simulation_rows kind)
{
    double(*const vectors[])[3] = {NULL, state->position, state->velocity, state->acceleration};
    return kind == ROWS_MASS ? state->mass : (double *)vectors[kind];
}

enum status simulation_state_other_masses(void)
{
    return status_fail(STATUS_USAGE,
                       "the saved state's masses are not those of this simulation's bodies");
}

enum status simulation_state_check(const struct simulation_state *state,
                                   const struct bodies *bodies)
{
    const size_t count = bodies->count;
    if (state->count != count)
        return status_fail(STATUS_USAGE,
                           "the saved state has %zu bodies, and this simulation has %zu",
                           state->count, count);
    if (!bodies->shared && memcmp(state->mass, bodies->mass, count * sizeof *state->mass) != 0)
        return simulation_state_other_masses();
    enum status status = STATUS_OK;
    for (unsigned k = ROWS_POSITION; k < ROWS && status == STATUS_OK && !state->give; k++)
        status = simulation_state_check_finite(
            3 * count, simulation_state_rows(state, (enum simulation_rows)k));
    return status;
}
