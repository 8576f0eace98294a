#include "cmd/film/run/recording.h"

#include "base/memory.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/tags.h"
#include "scenes/print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct recording {
    const struct film *film;
    struct run *run;
    struct view *view[RUN_SIMULATIONS_MAX];
    float *block[RUN_SIMULATIONS_MAX]; /* the rows of a frame, as the run has them */
    float *rows;                       /* [bodies][4] of a view */
};

/* ---- what the run is ---- */

/* The columns that the solver fills are those of views that change from frame to frame. */
static enum status find_columns(const struct film *film, struct column_names *out)
{
    struct view *view;
    enum status status = simulation_view_create(film->simulations[0], &view);
    *out = (struct column_names){.count = 0};
    for (int c = 0; status == STATUS_OK && c < view->column_count; c++)
        if (!view->columns[c].constant)
            column_names_add(out, view->columns[c].name);
    if (status == STATUS_OK)
        simulation_view_destroy(film->simulations[0], &view);
    return status;
}

static enum status describe_one(struct run_simulation *out, const struct simulation_params *params,
                                struct simulation *simulation)
{
    const struct solver *solver = simulation_solver(simulation);
    film_physics(params, out->physics, sizeof out->physics);
    snprintf(out->device, sizeof out->device, "%s", solver->device);
    snprintf(out->kernel, sizeof out->kernel, "%s", solver->kernel);
    snprintf(out->model, sizeof out->model, "%s", solver->model);
    out->acceleration = malloc((solver->count + 1) * sizeof *out->acceleration);
    return out->acceleration
               ? simulation_accelerations(simulation, out->acceleration)
               : status_fail(STATUS_RUNTIME, "no memory left for the accelerations of %zu bodies",
                             solver->count);
}

enum status recording_describe(struct run_about *out, const struct film *film)
{
    struct film_sources sources;
    *out = (struct run_about){.frames = film->scene->output.frames,
                              .simulation_count = film->simulation_count};
    film_sources(film->scene, &sources);
    enum status status = find_columns(film, &out->columns);
    for (int i = 0; i < film->simulation_count && status == STATUS_OK; i++)
        status = describe_one(&out->simulations[i], &sources.params[i], film->simulations[i]);
    if (status == STATUS_OK)
        status = bodies_copy(&out->bodies, film->bodies);
    if (status == STATUS_OK) {
        out->scene = scene_print(film->scene);
        film_moves_hash(film->scene, out->moves);
        return STATUS_OK;
    }
    bodies_destroy(&out->bodies);
    for (int i = 0; i < film->simulation_count; i++)
        free(out->simulations[i].acceleration);
    return status;
}

/* ---- its frames ---- */

static enum status open_parts(struct recording *recording)
{
    const struct film *film = recording->film;
    const size_t count = film->bodies->count;
    const size_t width = run_width(run_about(recording->run));
    recording->rows = malloc((count + 1) * 4 * sizeof *recording->rows);
    bool fits = recording->rows;
    enum status status = STATUS_OK;
    for (int i = 0; i < film->simulation_count && status == STATUS_OK && fits; i++) {
        recording->block[i] = malloc((count + 1) * width * sizeof(float));
        fits = recording->block[i];
        status = simulation_view_create(film->simulations[i], &recording->view[i]);
    }
    return fits ? status
                : status_fail(STATUS_RUNTIME, "no memory left to record %zu bodies, %zu bytes",
                              count, count * (width + 4) * sizeof(float));
}

enum status recording_open(struct recording **out, const struct film *film, struct run *run)
{
    *out = memory_new(1, sizeof **out);
    **out = (struct recording){.film = film, .run = run};
    const enum status status = open_parts(*out);
    if (status != STATUS_OK)
        recording_close(out);
    return status;
}

void recording_close(struct recording **recording)
{
    if (!*recording)
        return;
    for (int i = 0; i < (*recording)->film->simulation_count; i++) {
        if ((*recording)->view[i])
            simulation_view_destroy((*recording)->film->simulations[i], &(*recording)->view[i]);
        free((*recording)->block[i]);
    }
    free((*recording)->rows);
    free(*recording);
    *recording = NULL;
}

/* Three of the four numbers of each row. */
static enum status take_rows(struct recording *recording, struct simulation *simulation,
                             const struct view *view, const float *from, float (*to)[3])
{
    const enum status status =
        simulation_view_read(simulation, view->memory, from, 4 * view->count, recording->rows);
    for (size_t i = 0; i < view->count && status == STATUS_OK; i++)
        memcpy(to[i], recording->rows + 4 * i, sizeof *to);
    return status;
}

static enum status take_one(struct recording *recording, int i, struct run_rows *rows)
{
    struct simulation *simulation = recording->film->simulations[i];
    struct view *view = recording->view[i];
    const struct run_about *about = run_about(recording->run);
    run_rows_at(about, recording->block[i], rows);
    enum status status = simulation_view_fill(simulation, view);
    if (status == STATUS_OK)
        status = take_rows(recording, simulation, view, view->position, rows->position);
    if (status == STATUS_OK)
        status = take_rows(recording, simulation, view, view->velocity, rows->velocity);
    for (int c = 0; c < about->columns.count && status == STATUS_OK; c++) {
        const struct view_column *column = view_column(view, about->columns.list[c]);
        status = simulation_view_read(simulation, column->memory, column->value, view->count,
                                      rows->column[c]);
    }
    return status;
}

/* Energies take as long as a step: they are computed where a film of the scene needs them. */
static bool is_diagnosed(const struct film *film, uint64_t frame)
{
    const uint32_t every = film->scene->simulation.diagnostics_every;
    const struct energy_history *history = simulation_energy_history(film->simulations[0]);
    return frame == 0 || frame + 1 == film->scene->output.frames ||
           (every > 0 && frame % every == 0) || (history && energy_history_due(history, frame));
}

static enum status diagnose(const struct film *film, struct run_moment *moment)
{
    struct diagnostics now;
    _Static_assert(sizeof now == sizeof moment->diagnosis, "a run has all diagnostics");
    const enum status status = simulation_diagnose(film->simulations[0], &now);
    memcpy(moment->diagnosis, &now, sizeof now);
    moment->diagnosed = status == STATUS_OK;
    return status;
}

static enum status hash_states(const struct film *film, struct run_moment *moment)
{
    enum status status = film_state_hash(film, moment->state);
    if (film->simulation_count == 1)
        memcpy(moment->states[0], moment->state, sizeof moment->state);
    for (int i = 0; film->simulation_count > 1 && i < film->simulation_count; i++)
        if (status == STATUS_OK)
            status = film_state_hash_one(film, i, moment->states[i]);
    return status;
}

enum status recording_take(struct recording *recording)
{
    const struct film *film = recording->film;
    struct run_rows rows[RUN_SIMULATIONS_MAX];
    struct run_moment moment = {.step = 0};
    enum status status = STATUS_OK;
    for (int i = 0; i < film->simulation_count && status == STATUS_OK; i++)
        status = take_one(recording, i, &rows[i]);
    const struct view *view = recording->view[0];
    moment.step = view->step;
    moment.time = view->time;
    moment.interval = view->interval;
    if (status == STATUS_OK)
        status = hash_states(film, &moment);
    if (status == STATUS_OK && is_diagnosed(film, view->frame))
        status = diagnose(film, &moment);
    return status == STATUS_OK ? run_add(recording->run, &moment, rows) : status;
}

enum status recording_go(struct recording *recording, uint64_t last, volatile sig_atomic_t *stop)
{
    const struct film *film = recording->film;
    enum status status = STATUS_OK;
    while (run_count(recording->run) <= last && status == STATUS_OK) {
        const uint64_t frame = run_count(recording->run);
        for (int i = 0; i < film->simulation_count && status == STATUS_OK; i++)
            status = simulation_advance(film->simulations[i], frame, stop);
        if (status == STATUS_OK)
            status = recording_take(recording);
    }
    return status;
}
