#include "cmd/regression/baseline/restart.h"

#include "cmd/regression/baseline/redraw.h"
#include "cmd/film/open.h"
#include "cmd/regression/record/physics.h"

bool restart_is_possible(const struct baseline *baseline)
{
    struct state first = {0};
    const bool possible = baseline->state_count > 0 && baseline->states[0].frame == 0 &&
                          baseline_get_state(baseline, &baseline->states[0], &first) == STATUS_OK &&
                          first.mass;
    state_free(&first);
    return possible;
}

/* Refuses a number of bodies other than the baseline's: the sketches could not be compared. */
static enum status run(const struct baseline *baseline, const struct run_params *params,
                       struct film *film, struct record *record)
{
    const struct record *before = &baseline->record;
    enum status status = STATUS_OK;
    for (uint64_t f = 0; f < before->count && status == STATUS_OK; f++) {
        struct frame_record *frame = &record->frames[f];
        frame->frame = before->frames[f].frame;
        for (int s = 0; s < film->simulation_count && status == STATUS_OK; s++)
            status = simulation_advance(film->simulations[s], frame->frame, params->stop);
        if (status == STATUS_OK)
            status = physics_record(film, true, f > 0 ? &before->frames[f] : NULL, frame);
    }
    physics_describe(film, record);
    record->bodies = film->bodies->count;
    record->softening = before->softening;
    return status;
}

enum status restart_physics(const struct baseline *baseline, const struct run_params *params,
                            struct record *record)
{
    struct bodies *bodies = NULL;
    struct film film = {0};
    *record = (struct record){0};
    enum status status = redraw_bodies(baseline, params->scene, &bodies);
    if (status == STATUS_OK)
        status = record_create(record, 0, baseline->record.count);
    if (status != STATUS_OK) {
        bodies_destroy(&bodies);
        return status;
    }
    status = film_open_simulations(&film, params->scene, params->backend, params->device, bodies);
    if (status != STATUS_OK)
        return status;
    status = run(baseline, params, &film, record);
    film_close(&film);
    return status;
}
