#include "cmd/regression/record/physics.h"

#include "base/text.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/tags.h"

#include <stdlib.h>
#include <string.h>

static enum status diagnose(struct simulation *simulation, struct diagnostics *diagnostics,
                            double *half_mass)
{
    const enum status status = simulation_diagnose(simulation, diagnostics);
    return status == STATUS_OK ? simulation_half_mass_all(simulation, half_mass) : status;
}

/* A sketch of the bodies up to `next`. */
struct sketching {
    size_t next;
    double *sketch;
};

static enum status add_positions(void *user, const double *rows, size_t count)
{
    struct sketching *sketching = user;
    record_sketch_add((const double(*)[3])rows, sketching->next, count, sketching->sketch);
    sketching->next += count;
    return STATUS_OK;
}

static enum status sketch(struct simulation *simulation, double out[RECORD_SKETCH])
{
    struct sketching sketching = {0, out};
    memset(out, 0, RECORD_SKETCH * sizeof *out);
    return simulation_pass(simulation, ROWS_POSITION, add_positions, &sketching);
}

static enum status record_others(const struct film *film, struct frame_record *frame)
{
    enum status status = STATUS_OK;
    for (int s = 1; s < film->simulation_count && status == STATUS_OK; s++) {
        struct bodies_record *other = &frame->others[s - 1];
        status = film_state_hash_one(film, s, other->state);
        if (status == STATUS_OK)
            status = sketch(film->simulations[s], other->sketch);
    }
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
    enum status status = film_state_hash(film, frame->state);
    frame->time = simulation_time(first);
    if (status == STATUS_OK)
        status = record_others(film, frame);
    if (status == STATUS_OK)
        status = sketch(first, frame->sketch);
    return status != STATUS_OK || !diagnostics ||
                   (known && frame_record_take_diagnostics(frame, known))
               ? status
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
