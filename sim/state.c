#include "sim/state.h"

#include "base/memory.h"

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

/* ---- trail ---- */

enum status trail_check(size_t bodies, uint64_t room)
{
    if (bodies > VIEW_SAMPLE_MOST)
        return status_fail(STATUS_USAGE,
                           "look.trails keeps the paths of at most %d bodies, and there are %zu; "
                           "set it to 0 or ask for fewer bodies with -n",
                           (int)VIEW_SAMPLE_MOST, bodies);
    if (room > TRAIL_MOST / bodies)
        return status_fail(STATUS_USAGE,
                           "look.trails is %llu frames long, and of %zu bodies at most %zu are "
                           "kept; shorten it or ask for fewer bodies with -n",
                           (unsigned long long)room, bodies, TRAIL_MOST / bodies);
    return STATUS_OK;
}

enum status trail_create(struct view_trail **out, size_t bodies, uint64_t room)
{
    struct view_trail *trail = memory_new(1, sizeof *trail);
    trail->bodies = bodies;
    trail->room = (size_t)room;
    trail->time = memory_new(trail->room, sizeof *trail->time);
    trail->rows = malloc((trail->room * bodies + 1) * sizeof *trail->rows);
    *out = trail;
    if (trail->rows)
        return STATUS_OK;
    trail_destroy(out);
    return status_fail(STATUS_RUNTIME, "no memory for %llu frames of %zu bodies, %zu bytes",
                       (unsigned long long)room, bodies,
                       (size_t)room * bodies * sizeof *trail->rows);
}

void trail_destroy(struct view_trail **trail)
{
    if (!*trail)
        return;
    free((*trail)->time);
    free((*trail)->rows);
    free(*trail);
    *trail = NULL;
}

static void drop_oldest(struct view_trail *trail)
{
    const size_t left = trail->frames - 1;
    memmove(trail->time, trail->time + 1, left * sizeof *trail->time);
    memmove(trail->rows, trail->rows + trail->bodies, left * trail->bodies * sizeof *trail->rows);
    trail->frames = left;
}

void trail_add(struct view_trail *trail, const struct view *view, const bool *absent)
{
    if (trail->frames == trail->room)
        drop_oldest(trail);
    float(*row)[8] = trail->rows + trail->frames * trail->bodies;
    for (size_t i = 0; i < trail->bodies; i++) {
        memcpy(row[i], view_sample_row(view, i), 4 * sizeof(float));
        memcpy(row[i] + 4, view_sample_velocity(view, i), 3 * sizeof(float));
        row[i][7] = absent && absent[i];
    }
    trail->time[trail->frames++] = view->time;
}

void trail_copy(struct view_trail *to, const struct view_trail *from)
{
    to->frames = from->frames;
    memcpy(to->time, from->time, from->frames * sizeof *to->time);
    memcpy(to->rows, from->rows, from->frames * from->bodies * sizeof *to->rows);
}
