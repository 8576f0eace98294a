#include "cmd/record/physics.h"

#include "cmd/film/tags.h"

#include <math.h>
#include <string.h>

static enum status measure_half_mass(const struct bodies *bodies, double *radius)
{
    struct component all = {.count = bodies->count};
    const struct bodies one = {
        .count = bodies->count,
        .mass = bodies->mass,
        .position = bodies->position,
        .velocity = bodies->velocity,
        .component_count = 1,
        .components = &all,
    };
    return diagnostics_half_mass(&one, radius);
}

static enum status diagnose(struct simulation *simulation, struct frame_record *frame)
{
    const struct bodies *bodies;
    enum status status = simulation_diagnose(simulation, &frame->diagnostics);
    if (status == STATUS_OK)
        status = simulation_bodies(simulation, &bodies);
    return status == STATUS_OK ? measure_half_mass(bodies, &frame->half_mass) : status;
}

/* What follows from the state was recorded with the same one before. */
static bool take_diagnostics(const struct frame_record *known, struct frame_record *frame)
{
    if (!known || strcmp(known->state, frame->state) != 0 || isnan(known->diagnostics.energy) ||
        isnan(known->half_mass))
        return false;
    frame->diagnostics = known->diagnostics;
    frame->half_mass = known->half_mass;
    return true;
}

enum status physics_record(const struct film *film, bool diagnostics,
                           const struct frame_record *known, struct frame_record *frame)
{
    struct simulation *first = film->simulations[0];
    const struct bodies *bodies;
    enum status status = film_state_hash(film, frame->state);
    frame->time = simulation_time(first);
    if (status == STATUS_OK)
        status = simulation_bodies(first, &bodies);
    if (status != STATUS_OK)
        return status;
    record_sketch((const double(*)[3])bodies->position, bodies->count, frame->sketch);
    return !diagnostics || take_diagnostics(known, frame) ? STATUS_OK : diagnose(first, frame);
}
