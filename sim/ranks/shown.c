#include "sim/ranks/shown.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/ranks/ranks.h"
#include "kernels/isa.h"
#include "sim/playback/playback.h"
#include "sim/ranks/rank_view.h"
#include "sim/run/run.h"
#include "sim/solver/cpu.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shown {
    struct solver solver;
    struct force force;
    const struct bodies *bodies; /* masses and components */
    struct solver_params params;
    char backend[16];
    const struct playback *playback;
    /* Or, of a run: */
    const struct run *run;
    int number;
    uint64_t frame;
    struct run_buffer buffer;
    struct run_rows rows; /* of the frame */
    /* While frames are shown in order, the next one is read on a thread of its own. */
    struct worker *reader;
    uint64_t next; /* the frame it reads; NO_FRAME: none */
    struct run_buffer next_buffer;
    struct run_rows next_rows;
};

#define NO_FRAME UINT64_MAX

/* The number of bodies whose paths are computed at a time. */
enum { AT_ONCE = 2048 };

static struct shown *shown_of(struct solver *solver)
{
    return (struct shown *)solver;
}

static void close_shown(struct solver **solver)
{
    if (*solver) {
        struct shown *shown = shown_of(*solver);
        worker_close(&shown->reader);
        run_buffer_free(&shown->buffer);
        run_buffer_free(&shown->next_buffer);
    }
    free(*solver);
    *solver = NULL;
}

/* Positions and velocities of `count` bodies from `first` on. */
struct paths {
    double position[AT_ONCE][3], velocity[AT_ONCE][3], acceleration[AT_ONCE][3];
};

/* At the start, everything is known in double precision. */
static void follow_start(const struct shown *shown, size_t first, size_t count, struct paths *out)
{
    const struct run_about *about = run_about(shown->run);
    memcpy(out->position, about->bodies->position[first], count * sizeof *out->position);
    memcpy(out->velocity, about->bodies->velocity[first], count * sizeof *out->velocity);
    memcpy(out->acceleration, about->simulations[shown->number].acceleration[first],
           count * sizeof *out->acceleration);
}

/* Of the acceleration, a run has the magnitude alone. */
static void follow_run(const struct shown *shown, size_t first, size_t count, struct paths *out)
{
    const struct run_about *about = run_about(shown->run);
    const struct run_rows *rows = &shown->rows;
    const int column = column_names_find(&about->columns, COLUMN_ACCELERATION);
    for (size_t k = 0; k < count; k++) {
        for (int c = 0; c < 3; c++) {
            out->position[k][c] = (double)rows->position[first + k][c];
            out->velocity[k][c] = (double)rows->velocity[first + k][c];
            out->acceleration[k][c] = 0;
        }
        if (column >= 0)
            out->acceleration[k][0] = (double)rows->column[column][first + k];
    }
}

static size_t follow(const struct shown *shown, size_t first, struct paths *out)
{
    const size_t rest = shown->solver.count - first, count = rest < AT_ONCE ? rest : AT_ONCE;
    if (shown->run && shown->frame == 0)
        follow_start(shown, first, count, out);
    else if (shown->run)
        follow_run(shown, first, count, out);
    else
        playback_part(shown->playback, first, count, out->position, out->velocity,
                      out->acceleration);
    return count;
}

static enum status accelerations(struct solver *solver, double (*out)[3])
{
    struct paths *paths = memory_new(1, sizeof *paths);
    for (size_t i = 0, count; i < solver->count; i += count) {
        count = follow(shown_of(solver), i, paths);
        memcpy(out[i], paths->acceleration, count * sizeof *paths->acceleration);
    }
    free(paths);
    return STATUS_OK;
}

static enum status save(struct solver *solver, struct bodies *bodies)
{
    struct paths *paths = memory_new(1, sizeof *paths);
    for (size_t i = 0, count; i < solver->count; i += count) {
        count = follow(shown_of(solver), i, paths);
        memcpy(bodies->position[i], paths->position, count * sizeof *paths->position);
        memcpy(bodies->velocity[i], paths->velocity, count * sizeof *paths->velocity);
    }
    free(paths);
    return STATUS_OK;
}

/* Collective. */
static enum status potential(struct solver *solver, double *energy)
{
    const struct shown *shown = shown_of(solver);
    struct bodies now = *shown->bodies;
    struct solver *forces = NULL;
    now.position = malloc((solver->count + 1) * sizeof *now.position);
    now.velocity = malloc((solver->count + 1) * sizeof *now.velocity);
    enum status status =
        now.position && now.velocity
            ? save(solver, &now)
            : status_fail(STATUS_RUNTIME, "no memory left for the potential energy of %zu bodies",
                          solver->count);
    if (status == STATUS_OK)
        status = solver_open(shown->backend, &shown->params, &now, &forces);
    if (status == STATUS_OK)
        status = forces->ops->potential(forces, energy);
    solver_close(&forces);
    free(now.position);
    free(now.velocity);
    return status;
}

static enum status find_broken(struct solver *solver, size_t *body)
{
    (void)solver;
    *body = SOLVER_NONE;
    return STATUS_OK;
}

static void fill_rows(const struct shown *shown, size_t first, struct view *view,
                      double (*position)[3])
{
    float *size = view_values(view, COLUMN_ACCELERATION);
    struct paths *paths = memory_new(1, sizeof *paths);
    const size_t count = follow(shown, first, paths);
    for (size_t k = 0; k < count; k++) {
        const size_t i = first + k;
        const double *a = paths->acceleration[k];
        float *at = view->position + 4 * i, *out = view->velocity + 4 * i;
        for (int c = 0; c < 3; c++) {
            at[c] = (float)paths->position[k][c];
            out[c] = (float)paths->velocity[k][c];
        }
        at[3] = (float)shown->bodies->mass[i];
        out[3] = 0;
        if (size)
            size[i] = (float)sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
    }
    if (position)
        memcpy(position[first], paths->position, count * sizeof *position);
    free(paths);
}

static const char *const by_neighbours[] = {COLUMN_DISTANCE, COLUMN_DISPERSION};
enum { BY_NEIGHBOURS = sizeof by_neighbours / sizeof *by_neighbours };

/* Whether a column of neighbours must be found, because no run has it. */
static bool lacks_near(const struct shown *shown, const struct view *view)
{
    bool lacks = false;
    for (int k = 0; k < BY_NEIGHBOURS; k++)
        lacks |=
            view_values(view, by_neighbours[k]) &&
            !(shown->run && column_names_have(&run_about(shown->run)->columns, by_neighbours[k]));
    if (lacks && shown->run)
        log_info_once("the run has no distances to neighbours, which this look needs, so they are "
                      "found from its positions in single precision; a run that is recorded with "
                      "this look has them");
    return lacks;
}

static void copy_near(const struct shown *shown, struct view *view)
{
    for (int k = 0; shown->run && k < BY_NEIGHBOURS; k++) {
        float *to = view_values(view, by_neighbours[k]);
        const int column = column_names_find(&run_about(shown->run)->columns, by_neighbours[k]);
        if (to && column >= 0)
            memcpy(to, shown->rows.column[column], shown->solver.count * sizeof *to);
    }
}

static enum status view_fill(struct solver *solver, struct view *view)
{
    const struct shown *shown = shown_of(solver);
    const bool near = lacks_near(shown, view);
    double(*position)[3] = near ? malloc((solver->count + 1) * sizeof *position) : NULL;
    if (near && !position)
        return status_fail(STATUS_RUNTIME, "no memory for the neighbours of %zu bodies",
                           solver->count);
#pragma omp parallel for schedule(dynamic) num_threads(force_cpu_threads())
    for (size_t first = 0; first < solver->count; first += AT_ONCE)
        fill_rows(shown, first, view, position);
    const enum status status = ranks_view_finish(solver, shown->bodies, position, view);
    if (status == STATUS_OK)
        copy_near(shown, view);
    free(position);
    return status;
}

static enum status view_create(struct solver *solver, struct view **out)
{
    return ranks_view_create(solver, shown_of(solver)->bodies, out);
}

static const struct solver_ops ops = {
    .name = "cpu",
    .doc = "bodies of snapshots, shared by ranks, or of a run",
    .views = VIEW_HOST,
    .potential = potential,
    .save = save,
    .find_broken = find_broken,
    .accelerations = accelerations,
    .view_create = view_create,
    .view_fill = view_fill,
    .view_read = host_view_read,
    .view_destroy = ranks_view_destroy,
    .close = close_shown,
};

void shown_play(struct solver *solver, const struct playback *playback)
{
    shown_of(solver)->playback = playback;
}

void shown_run(struct solver *solver, const struct run *run, int number)
{
    struct shown *shown = shown_of(solver);
    const struct run_simulation *simulation = &run_about(run)->simulations[number];
    shown->run = run;
    shown->number = number;
    const struct choice *force = choice_find(&force_registry, simulation->force);
    if (force)
        shown->force.ops = (const void *)force;
    solver->kernel = simulation->kernel;
    solver->model = simulation->model;
    (void)snprintf(solver->device, sizeof solver->device, "%.100s, shown from a run",
                   simulation->model);
}

static enum status read_next(void *user)
{
    struct shown *shown = user;
    return run_read(shown->run, shown->number, shown->next, &shown->next_buffer, &shown->next_rows);
}

static void begin_next(struct shown *shown, uint64_t frame)
{
    if (frame >= run_count(shown->run))
        return;
    if (!shown->reader)
        shown->reader = worker_open(read_next, shown, true);
    shown->next = frame;
    worker_begin(shown->reader);
}

/* Whether the frame was read ahead; if not, or if that failed, it is read when it is shown. */
static bool take_next(struct shown *shown, uint64_t frame)
{
    const bool there =
        shown->next != NO_FRAME && worker_wait(shown->reader) == STATUS_OK && shown->next == frame;
    shown->next = NO_FRAME;
    if (!there)
        return false;
    const struct run_buffer buffer = shown->buffer;
    shown->buffer = shown->next_buffer;
    shown->next_buffer = buffer;
    shown->rows = shown->next_rows;
    return true;
}

enum status shown_frame(struct solver *solver, uint64_t frame)
{
    struct shown *shown = shown_of(solver);
    const bool in_order = frame == shown->frame + 1;
    enum status status = STATUS_OK;
    shown->frame = frame;
    if (solver->count == 0)
        return STATUS_OK;
    if (!take_next(shown, frame))
        status = run_read(shown->run, shown->number, frame, &shown->buffer, &shown->rows);
    if (status == STATUS_OK && in_order)
        begin_next(shown, frame + 1);
    return status;
}

void shown_open(struct solver **out, const struct bodies *bodies, const char *backend,
                const struct solver_params *params)
{
    struct shown *shown = memory_new(1, sizeof *shown);
    shown->solver = (struct solver){.ops = &ops, .count = bodies->count, .model = ops.name};
    shown->next = NO_FRAME;
    shown->bodies = bodies;
    shown->params = *params;
    shown->params.own = shown->params.keeps = false;
    snprintf(shown->backend, sizeof shown->backend, "%s", backend);
    shown->force.ops = params->force;
    shown->solver.force = &shown->force;
    shown->solver.kernel = "snapshots";
    snprintf(shown->solver.device, sizeof shown->solver.device, "%d ranks", ranks_count());
    *out = &shown->solver;
}
