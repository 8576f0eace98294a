#include "cmd/regression/record/physics.h"

#include "base/text.h"
#include "cmd/film/start/sources.h"
#include "cmd/film/tags.h"

#include <stdlib.h>

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

static enum status diagnose(struct simulation *simulation, struct diagnostics *diagnostics,
                            double *half_mass)
{
    const struct bodies *bodies;
    enum status status = simulation_diagnose(simulation, diagnostics);
    if (status == STATUS_OK)
        status = simulation_bodies(simulation, &bodies);
    return status == STATUS_OK ? measure_half_mass(bodies, half_mass) : status;
}

static enum status record_other(struct simulation *simulation, struct bodies_record *out)
{
    const struct bodies *bodies;
    enum status status = simulation_bodies(simulation, &bodies);
    if (status != STATUS_OK)
        return status;
    hash_parts((struct hash_part[]){{bodies->mass, bodies->count * sizeof *bodies->mass},
                                    {bodies->position, bodies->count * sizeof *bodies->position},
                                    {bodies->velocity, bodies->count * sizeof *bodies->velocity}},
               3, out->state);
    record_sketch((const double(*)[3])bodies->position, bodies->count, out->sketch);
    return STATUS_OK;
}

static enum status record_others(const struct film *film, struct frame_record *frame)
{
    enum status status = STATUS_OK;
    for (int s = 1; s < film->simulation_count && status == STATUS_OK; s++)
        status = record_other(film->simulations[s], &frame->others[s - 1]);
    return status;
}

static enum status diagnose_all(const struct film *film, struct frame_record *frame)
{
    enum status status = diagnose(film->simulations[0], &frame->diagnostics, &frame->half_mass);
    for (int s = 1; s < film->simulation_count && status == STATUS_OK; s++) {
        struct bodies_record *other = &frame->others[s - 1];
        status = diagnose(film->simulations[s], &other->diagnostics, &other->half_mass);
    }
    return status;
}

enum status physics_record(const struct film *film, bool diagnostics,
                           const struct frame_record *known, struct frame_record *frame)
{
    struct simulation *first = film->simulations[0];
    const struct bodies *bodies;
    enum status status = film_state_hash(film, frame->state);
    frame->time = simulation_time(first);
    if (status == STATUS_OK)
        status = record_others(film, frame);
    if (status == STATUS_OK)
        status = simulation_bodies(first, &bodies);
    if (status != STATUS_OK)
        return status;
    record_sketch((const double(*)[3])bodies->position, bodies->count, frame->sketch);
    return !diagnostics || (known && frame_record_take_diagnostics(frame, known))
               ? STATUS_OK
               : diagnose_all(film, frame);
}

void physics_describe(const struct film *film, struct record *record)
{
    const struct look_params *look = &film->scene->look;
    struct film_sources sources;
    film_sources(film->scene, &sources);
    for (int s = 1; s < film->simulation_count; s++) {
        int panel = 0;
        while (panel < look_pictures(look) - 1 && sources.panel[panel] != s)
            panel++;
        const char *title = look->panels[panel].title;
        free(record->other_panel[s - 1]);
        record->other_panel[s - 1] = title && *title ? text_format("%d (%s)", panel + 1, title)
                                                     : text_format("%d", panel + 1);
    }
}
