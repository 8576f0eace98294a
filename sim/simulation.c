#include "sim/simulation.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/status.h"
#include "base/text.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/gravity/force.h"
#include "sim/gravity/tree/neighbours.h"
#include "sim/integrators/integrator.h"
#include "sim/playback/playback.h"
#include "sim/ranks/shown.h"
#include "sim/run/run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { OBSERVERS = 2 };

/* A source of a view column. */
struct view_source {
    struct column_ask ask;
    size_t column;   /* index of the bodies' column */
    float *constant; /* the same values for all views; NULL: filled for each view */
};

struct simulation {
    struct solver *solver;
    struct integration *integration;
    struct bodies *bodies; /* masses, components; the rest is memory for diagnostics, which shared
                            * bodies have only while they are needed */
    struct frame_clock clock;
    uint64_t frame;
    uint64_t begun; /* number of equal steps before the present frame */
    struct simulation_observer observers[OBSERVERS];
    struct playback *playback;     /* NULL: the integrator moves the bodies, or the run does */
    const struct run *run;         /* NULL: the bodies are not those of a run */
    int of_run;                    /* the run's simulation */
    struct energy_history *energy; /* NULL: none is kept */
    struct view_trail *trail;      /* NULL: none is kept */
    struct view *traced;           /* the frame to be added to the trail */
    uint32_t *starts;              /* the first body of each component; NULL: not needed */
    uint32_t *drawn;               /* numbers of the drawn bodies; NULL: all, or not needed */
    struct playback_state played;  /* playback state at the present time */
    bool absences;                 /* whether some of its bodies come and go */
    struct view_source sources[VIEW_COLUMNS_MAX]; /* for columns that the solver does not fill */
    int source_count;
    /* [VIEW_FOLLOWED_MAX + others] numbers among all bodies, of which the first followed_count and
     * the others are used; NULL: none */
    uint64_t *watched;
    size_t watched_count;
    int followed_count;
};

bool simulation_is_shared(const struct simulation *simulation)
{
    return simulation->bodies->shared != DIVIDE_NOT;
}

static enum status check_params(const struct simulation_params *params)
{
    if (params->steps_per_frame == 0)
        return status_fail(STATUS_USAGE, "simulation.steps_per_frame is 0, but must be at least 1");
    return integrator_check(params);
}

/* Loads the bodies of the present frame from the snapshots into the solver. */
static enum status show_played(struct simulation *simulation)
{
    struct solver *solver = simulation->solver;
    struct playback_state *state = &simulation->played;
    enum status status = playback_at(simulation->playback, simulation_time(simulation), state);
    return status == STATUS_OK && !simulation_is_shared(simulation)
               ? solver->ops->load(solver, state->position, state->velocity, state->acceleration)
               : status;
}

/* The frame of the run that is shown. A film that is longer than the run, and then stands still,
 * shows the run's last frame. */
static uint64_t run_frame_at(const struct simulation *simulation, uint64_t frame)
{
    const uint64_t last = run_about(simulation->run)->frames - 1;
    return simulation->clock.freezes && frame > last ? last : frame;
}

static uint64_t frame_of_run(const struct simulation *simulation)
{
    return run_frame_at(simulation, simulation->frame);
}

enum status simulation_check_run(const struct simulation *simulation, uint64_t first, uint64_t last)
{
    const struct run *run = simulation->run;
    const unsigned long long count = run ? run_count(run) : 0;
    char *other = NULL;
    if (!run || run_frame_at(simulation, last) < count)
        return STATUS_OK;
    if (first < count)
        other = text_format(", or draw what there is with `--frames %llu..%llu`",
                            (unsigned long long)first, count - 1);
    status_fail(STATUS_USAGE,
                "the run '%s' has only %llu of %llu frames; continue it with the `gravreel "
                "simulate` that began it%s",
                run_path(run), count, (unsigned long long)run_about(run)->frames,
                other ? other : "");
    free(other);
    return STATUS_USAGE;
}

static const struct run_moment *moment_of_run(const struct simulation *simulation)
{
    return run_moment(simulation->run, frame_of_run(simulation));
}

/* Loads the bodies of the present frame from the run. */
static enum status show_frame(struct simulation *simulation)
{
    const uint64_t frame = frame_of_run(simulation), count = run_count(simulation->run);
    if (frame >= count)
        return status_fail(STATUS_USAGE,
                           "frame %llu is not in the run, which ends with frame %lld; record a "
                           "longer one, or ask for fewer frames",
                           (unsigned long long)frame, (long long)count - 1);
    simulation->integration->steps = run_moment(simulation->run, frame)->step;
    return shown_frame(simulation->solver, frame);
}

static enum status begin(struct simulation *simulation, const struct simulation_params *params,
                         const struct bodies *bodies)
{
    if (params->run) {
        simulation->run = params->run;
        simulation->of_run = params->of_run;
        shown_run(simulation->solver, params->run, params->of_run);
        return show_frame(simulation);
    }
    if (!params->played)
        return simulation->solver->ops->accelerate(simulation->solver);
    for (size_t i = 0; i < bodies->count; i++) /* see playback_gather */
        simulation->absences |= bodies->mass[i] == 0;
    enum status status = whole_any(bodies, &simulation->absences);
    if (status == STATUS_OK)
        status = playback_open(&simulation->playback, params->played, bodies);
    if (status == STATUS_OK && simulation_is_shared(simulation))
        shown_play(simulation->solver, simulation->playback);
    return status == STATUS_OK ? show_played(simulation) : status;
}

/* Copies masses, ids, components and columns, of played bodies only the columns' names. The rest
 * would take much memory for shared bodies. */
static enum status copy_masses(struct bodies **out, const struct bodies *bodies, bool played)
{
    enum status status = bodies_create(out, 0, bodies->component_count);
    if (status != STATUS_OK)
        return status;
    memcpy((*out)->components, bodies->components,
           bodies->component_count * sizeof *bodies->components);
    free((*out)->position);
    free((*out)->velocity);
    (*out)->position = (*out)->velocity = NULL;
    (*out)->count = bodies->count;
    (*out)->shared = bodies->shared;
    if (!body_column_resize(&(*out)->mass, bodies->count, sizeof *bodies->mass))
        return status_fail(STATUS_RUNTIME, "no memory for the masses of %zu bodies", bodies->count);
    memcpy((*out)->mass, bodies->mass, bodies->count * sizeof *bodies->mass);
    if (bodies->id && !played && (status = bodies_add_ids(*out, bodies->count + 1)) == STATUS_OK)
        memcpy((*out)->id, bodies->id, bodies->count * sizeof *bodies->id);
    if (status != STATUS_OK)
        return status;
    return body_columns_copy(&(*out)->columns, &bodies->columns, played ? 0 : bodies->count);
}

enum status simulation_open(struct simulation **out, const struct simulation_params *params,
                            const char *backend, int device, const struct bodies *bodies)
{
    *out = NULL;
    enum status status = check_params(params);
    if (status != STATUS_OK)
        return status;
    struct simulation *simulation = memory_new(1, sizeof *simulation);
    simulation->clock =
        (struct frame_clock){.dt = params->dt, .steps_per_frame = params->steps_per_frame};
    double least, most;
    softening_range(bodies, params->softening, &least, &most);

    struct solver_params solver = {
        .softening = params->softening,
        .softening_kernel = params->softening_kernel,
        .force = params->force,
        .force_error = params->force_error,
        .subset = params->subset,
        .keeps = integrator_keeps(params),
        .own = params->alone || params->played,
        .device = device,
    };
    status = bodies->shared ? copy_masses(&simulation->bodies, bodies, params->played)
                            : bodies_copy(&simulation->bodies, bodies);
    if (status == STATUS_OK && (params->run || (bodies->shared && params->played)))
        shown_open(&simulation->solver, simulation->bodies, backend, &solver);
    else if (status == STATUS_OK)
        status = solver_open(backend, &solver, bodies, &simulation->solver);
    if (status == STATUS_OK)
        simulation->integration =
            integration_open(params, simulation->solver, simulation->bodies, least);
    if (status == STATUS_OK)
        status = begin(simulation, params, bodies);
    if (status != STATUS_OK) {
        simulation_close(&simulation);
        return status;
    }
    *out = simulation;
    return STATUS_OK;
}

void simulation_close(struct simulation **simulation)
{
    if (!*simulation)
        return;
    if ((*simulation)->traced)
        (*simulation)->solver->ops->view_destroy((*simulation)->solver, &(*simulation)->traced);
    trail_destroy(&(*simulation)->trail);
    integration_close(&(*simulation)->integration);
    solver_close(&(*simulation)->solver);
    bodies_destroy(&(*simulation)->bodies);
    energy_history_destroy(&(*simulation)->energy);
    playback_close(&(*simulation)->playback);
    free((*simulation)->drawn);
    free((*simulation)->starts);
    free((*simulation)->watched);
    for (int k = 0; k < (*simulation)->source_count; k++)
        free((*simulation)->sources[k].constant);
    free(*simulation);
    *simulation = NULL;
}

static enum status check_finite(struct simulation *simulation)
{
    struct solver *solver = simulation->solver;
    size_t body = 0;
    enum status status = solver->ops->find_broken(solver, &body);
    if (status != STATUS_OK || body == SOLVER_NONE)
        return status;
    const struct integration *integration = simulation->integration;
    const double eta = integration->adaptive.eta, value = eta > 0 ? eta : integration->dt;
    return status_fail(STATUS_RUNTIME,
                       "body %zu is no longer finite after step %llu; use a simulation.%s smaller "
                       "than %g, such as %g, or a larger simulation.softening",
                       body + 1, (unsigned long long)integration->steps,
                       eta > 0 ? "adaptive" : "dt", value, value / 4);
}

bool simulation_is_broken(struct simulation *simulation)
{
    struct solver *solver = simulation->solver;
    size_t body = SOLVER_NONE;
    return solver->ops->find_broken(solver, &body) == STATUS_OK && body != SOLVER_NONE;
}

static double frame_duration(const struct simulation *simulation)
{
    if (simulation->run)
        return simulation->frame == frame_of_run(simulation) ? moment_of_run(simulation)->interval
                                                             : 0;
    return frame_clock_duration(&simulation->clock, simulation->frame);
}

static struct frame_span span_of(const struct simulation *simulation, uint64_t frame,
                                 uint64_t begun)
{
    const struct frame_clock *clock = &simulation->clock;
    return (struct frame_span){.number = frame,
                               .moving = frame_clock_shown(clock, frame),
                               .first = begun,
                               .steps = frame_clock_steps(clock, frame),
                               .dt = frame_clock_step(clock, frame),
                               .duration = frame_clock_duration(clock, frame)};
}

static bool sees(const struct simulation_observer *observer, uint64_t frame)
{
    return observer->every > 0 && frame % observer->every == 0;
}

/* Whether the present frame is needed: by the caller, the trail, the energies or an observer. */
static bool is_needed(const struct simulation *simulation, uint64_t last)
{
    const uint64_t frame = simulation->frame;
    bool needed = frame == last || simulation->trail ||
                  (simulation->energy && energy_history_due(simulation->energy, frame));
    for (int i = 0; i < OBSERVERS; i++)
        needed |= sees(&simulation->observers[i], frame);
    return needed;
}

/* Advances one frame, and loads its bodies only if the frame is needed. */
static enum status advance_played(struct simulation *simulation, uint64_t last,
                                  volatile sig_atomic_t *stop)
{
    if (ranks_stop(stop))
        return STATUS_STOPPED;
    simulation->begun += frame_clock_steps(&simulation->clock, simulation->frame);
    simulation->integration->steps = simulation->begun;
    simulation->frame++;
    return is_needed(simulation, last) ? show_played(simulation) : STATUS_OK;
}

/* The same through the frames of a run. */
static enum status advance_shown(struct simulation *simulation, uint64_t last,
                                 volatile sig_atomic_t *stop)
{
    if (ranks_stop(stop))
        return STATUS_STOPPED;
    simulation->frame++;
    return is_needed(simulation, last) ? show_frame(simulation) : STATUS_OK;
}

/* Advances with the integrator. */
static enum status advance_moved(struct simulation *simulation, volatile sig_atomic_t *stop)
{
    struct integration *integration = simulation->integration;
    const struct frame_span frame = span_of(simulation, simulation->frame, simulation->begun);
    enum status status = STATUS_OK;
    if (frame.steps == 0)
        status = ranks_stop(stop) ? STATUS_STOPPED : STATUS_OK;
    else
        status = integration->pacing->advance(integration, &frame, stop);
    if (status != STATUS_OK)
        return status;
    simulation->begun += frame.steps;
    simulation->frame++;
    return check_finite(simulation);
}

static enum status observe(struct simulation *simulation)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < OBSERVERS && status == STATUS_OK; i++) {
        const struct simulation_observer *observer = &simulation->observers[i];
        if (sees(observer, simulation->frame))
            status = observer->see(observer->user, simulation);
    }
    return status;
}

static enum status record(struct simulation *simulation)
{
    if (!simulation->energy || !energy_history_due(simulation->energy, simulation->frame))
        return STATUS_OK;
    struct diagnostics now;
    enum status status = simulation_diagnose(simulation, &now);
    if (status == STATUS_OK)
        energy_history_add(simulation->energy,
                           &(struct energy_point){.time = simulation_time(simulation),
                                                  .kinetic = now.kinetic,
                                                  .potential = now.potential});
    return status;
}

static enum status trace(struct simulation *simulation)
{
    struct solver *solver = simulation->solver;
    if (!simulation->trail)
        return STATUS_OK;
    simulation->traced->time = simulation_time(simulation);
    enum status status = solver->ops->view_fill(solver, simulation->traced);
    if (status == STATUS_OK)
        trail_add(simulation->trail, simulation->traced,
                  simulation->absences ? simulation->played.absent : NULL);
    return status;
}

enum status simulation_advance(struct simulation *simulation, uint64_t frame,
                               volatile sig_atomic_t *stop)
{
    while (simulation->frame < frame) {
        enum status status = simulation->playback ? advance_played(simulation, frame, stop)
                             : simulation->run    ? advance_shown(simulation, frame, stop)
                                                  : advance_moved(simulation, stop);
        if (status == STATUS_OK)
            status = record(simulation);
        if (status == STATUS_OK)
            status = trace(simulation);
        if (status == STATUS_OK)
            status = observe(simulation);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

/* The frames whose paths are drawn in this one. */
static enum status trace_again(struct simulation *simulation, uint64_t frame)
{
    struct view_trail *trail = simulation->trail;
    enum status status = STATUS_OK;
    if (!trail)
        return STATUS_OK;
    trail->frames = 0;
    simulation->frame = frame >= trail->room ? frame + 1 - trail->room : 0;
    for (; simulation->frame < frame && status == STATUS_OK; simulation->frame++) {
        status = show_frame(simulation);
        if (status == STATUS_OK)
            status = trace(simulation);
    }
    return status;
}

/* Points that are due before a frame and not yet kept. */
static enum status record_before(struct simulation *simulation, uint64_t frame)
{
    struct energy_history *history = simulation->energy;
    enum status status = STATUS_OK;
    if (!history)
        return STATUS_OK;
    while (history->count < energy_history_until(history, frame) && status == STATUS_OK) {
        simulation->frame = history->count * history->every;
        if (simulation->frame > history->last)
            simulation->frame = history->last;
        status = show_frame(simulation);
        if (status == STATUS_OK)
            status = record(simulation);
    }
    return status;
}

enum status simulation_show(struct simulation *simulation, uint64_t frame)
{
    const uint64_t before = simulation->frame;
    if (frame == before + 1)
        return simulation_advance(simulation, frame, NULL);
    enum status status = record_before(simulation, frame);
    if (status == STATUS_OK)
        status = trace_again(simulation, frame);
    simulation->frame = frame;
    if (status == STATUS_OK)
        status = show_frame(simulation);
    if (status == STATUS_OK)
        status = trace(simulation);
    if (status != STATUS_OK)
        simulation->frame = before;
    return status;
}

void simulation_set_clock(struct simulation *simulation, const struct frame_clock *clock)
{
    simulation->clock = *clock;
}

void simulation_observe(struct simulation *simulation, const struct simulation_observer *observer)
{
    int place = 0;
    for (int i = OBSERVERS - 1; i >= 0; i--)
        if (!simulation->observers[i].see)
            place = i;
    for (int i = 0; i < OBSERVERS; i++)
        if (simulation->observers[i].see && simulation->observers[i].user == observer->user)
            place = i;
    simulation->observers[place] = *observer;
}

enum status simulation_record_energy(struct simulation *simulation, uint64_t frames)
{
    energy_history_destroy(&simulation->energy);
    simulation->energy = energy_history_create(frames);
    return record(simulation);
}

const struct energy_history *simulation_energy_history(const struct simulation *simulation)
{
    return simulation->energy;
}

enum status simulation_restore_energy(struct simulation *simulation,
                                      const struct energy_point *points, size_t count)
{
    return energy_history_restore(simulation->energy, points, count);
}

/* Creates the view for the trail: the bodies alone, without the additional columns of views. */
static enum status create_traced(struct simulation *simulation)
{
    struct solver *solver = simulation->solver;
    const struct column_names columns = solver->columns;
    const bool samples = solver->samples;
    solver->columns = (struct column_names){.count = 0};
    solver->samples = solver->ops->views != VIEW_HOST;
    enum status status = solver->ops->view_create(solver, &simulation->traced);
    solver->columns = columns;
    solver->samples = samples;
    return status;
}

enum status simulation_keep_trail(struct simulation *simulation, uint64_t frames)
{
    enum status status = trail_check(whole_size(bodies_whole(simulation->bodies)), frames + 1);
    if (status == STATUS_OK)
        status = trail_create(&simulation->trail, simulation->bodies->count, frames + 1);
    if (status == STATUS_OK)
        status = create_traced(simulation);
    return status == STATUS_OK ? trace(simulation) : status;
}

const struct view_trail *simulation_trail(const struct simulation *simulation)
{
    return simulation->trail;
}

void simulation_sample_views(struct simulation *simulation)
{
    simulation->solver->samples = true;
}

static void watch(struct simulation *simulation, size_t others)
{
    const size_t count = VIEW_FOLLOWED_MAX + others;
    const size_t before = simulation->watched ? simulation->watched_count : 0;
    if (before < count) {
        simulation->watched = memory_grow(simulation->watched, count, sizeof *simulation->watched);
        memset(simulation->watched + before, 0, (count - before) * sizeof *simulation->watched);
        simulation->watched_count = count;
    }
    simulation->solver->watched = simulation->watched;
    simulation->solver->watched_count = simulation->watched_count;
}

void simulation_follow(struct simulation *simulation, const size_t *number, int count)
{
    watch(simulation, 0);
    for (int k = 0; k < count; k++)
        simulation->watched[k] = number[k];
    simulation->followed_count = count;
}

void simulation_watch(struct simulation *simulation, const uint64_t *numbers, size_t count)
{
    watch(simulation, count);
    if (count > 0)
        memcpy(simulation->watched + VIEW_FOLLOWED_MAX, numbers, count * sizeof *numbers);
}

static void warn_if_absent(const struct view *view, size_t k)
{
    if (view->followed[k][7] != 0)
        log_message_once(LOG_WARNING,
                         "the snapshots around frame %llu lack a body that a camera follows; where "
                         "they lack it, the camera stays at the place where it is first found",
                         (unsigned long long)view->frame);
}

/* The rows of the watched bodies. On a device the solver has filled in all but absences. */
static enum status fill_watched(const struct simulation *simulation, struct view *view)
{
    enum { WIDTH = 8, PLACE = 4 };
    const struct bodies *bodies = simulation->bodies;
    const size_t numbers = WIDTH * simulation->watched_count;
    const size_t followed = (size_t)simulation->followed_count;
    if (followed == 0 && simulation->watched_count <= VIEW_FOLLOWED_MAX)
        return STATUS_OK;
    for (size_t k = 0; k < simulation->watched_count; k++) {
        const bool used = k < followed || k >= VIEW_FOLLOWED_MAX;
        const size_t i = used ? whole_find(bodies, simulation->watched[k]) : bodies->count;
        float *row = view->watched[k];
        if (i == bodies->count) {
            memset(row, 0, WIDTH * sizeof *row);
            continue;
        }
        if (view->memory == VIEW_HOST) {
            memcpy(row, view->position + PLACE * i, PLACE * sizeof *row);
            memcpy(row + PLACE, view->velocity + PLACE * i, PLACE * sizeof *row);
        }
        row[WIDTH - 1] = simulation->absences && simulation->played.absent[i];
    }
    enum status status = STATUS_OK;
    if (bodies->shared != DIVIDE_NOT) {
        double *sums = memory_new(numbers, sizeof *sums); /* one rank has each body */
        for (size_t n = 0; n < numbers; n++)
            sums[n] = (double)view->watched[n / WIDTH][n % WIDTH];
        status = whole_sum(bodies, sums, numbers);
        for (size_t n = 0; n < numbers; n++)
            view->watched[n / WIDTH][n % WIDTH] = (float)sums[n];
        free(sums);
    }
    memcpy(view->followed, view->watched, followed * sizeof *view->followed);
    for (size_t k = 0; k < followed; k++)
        warn_if_absent(view, k);
    return status;
}

static size_t list_drawn(const struct bodies *bodies, uint32_t *list)
{
    size_t count = 0;
    for (size_t i = bodies_drawn(bodies, 0); i < bodies->count; i = bodies_drawn(bodies, i + 1))
        list[count++] = (uint32_t)i;
    return count;
}

static bool draws_any(const struct bodies *bodies)
{
    size_t c = 0;
    while (c < bodies->component_count &&
           (!bodies->components[c].draw || component_whole(&bodies->components[c]) == 0))
        c++;
    return c < bodies->component_count;
}

/* Asks the solver for neighbours among the drawn bodies. */
static enum status ask_neighbours(struct simulation *simulation, unsigned k)
{
    const size_t all = simulation->bodies->count;
    if (k < 1 || k > NEIGHBOURS_MOST)
        return status_fail(STATUS_USAGE, "neighbour %u is asked for; choose one from 1 to %d", k,
                           NEIGHBOURS_MOST);
    simulation->drawn = malloc((all + 1) * sizeof *simulation->drawn);
    if (!simulation->drawn)
        return status_fail(STATUS_RUNTIME, "no memory for the numbers of %zu bodies, %zu bytes",
                           all, all * sizeof *simulation->drawn);
    const size_t drawn = list_drawn(simulation->bodies, simulation->drawn);
    if (drawn == all) {
        free(simulation->drawn);
        simulation->drawn = NULL;
    }
    simulation->solver->near = (struct solver_near){k, drawn, simulation->drawn, NULL, 0};
    return STATUS_OK;
}

/* Asks the solver for the columns that it fills. If no body is drawn, there are no neighbour
 * columns. */
static enum status ask_solver(struct simulation *simulation, const char *name, unsigned neighbour)
{
    static const struct {
        const char *name, *needs;
        bool by_neighbours;
    } made[] = {{COLUMN_ACCELERATION, NULL, false},
                {COLUMN_DISTANCE, NULL, true},
                {COLUMN_DISPERSION, COLUMN_DISTANCE, true}};
    struct solver *solver = simulation->solver;
    size_t m = 0;
    while (m < sizeof made / sizeof *made && strcmp(made[m].name, name) != 0)
        m++;
    if (m == sizeof made / sizeof *made)
        return status_fail(STATUS_USAGE, "no column of views is called '%s'", name);
    if (made[m].by_neighbours && solver->near.k == 0) {
        const enum status status = ask_neighbours(simulation, neighbour);
        if (status != STATUS_OK)
            return status;
    }
    if (made[m].by_neighbours && !draws_any(simulation->bodies))
        return STATUS_OK;
    if (made[m].needs)
        column_names_add(&solver->columns, made[m].needs);
    column_names_add(&solver->columns, name);
    return STATUS_OK;
}

static float number_as(const struct column_ask *ask, double number)
{
    return ask->as ? ask->as(ask->by, number) : (float)number;
}

static void fill_column(const struct column_ask *ask, const double *from, size_t count, float *to)
{
    for (size_t i = 0; i < count; i++)
        to[i] = number_as(ask, from ? from[i] : NAN);
}

static enum status ask_bodies(struct simulation *simulation, const struct column_ask *ask)
{
    const struct bodies *bodies = simulation->bodies;
    const struct body_column *column = body_columns_find(&bodies->columns, ask->of);
    if (!column && !ask->optional)
        return status_fail(STATUS_USAGE, "the bodies have no column '%s'", ask->of);
    struct view_source *source = &simulation->sources[simulation->source_count++];
    *source = (struct view_source){.ask = *ask,
                                   .column = column ? (size_t)(column - bodies->columns.list) : 0};
    if (simulation->playback && column)
        return STATUS_OK;
    source->constant = malloc(bodies->count * sizeof *source->constant);
    if (!source->constant)
        return status_fail(STATUS_RUNTIME, "no memory left for the column '%s' of %zu bodies",
                           ask->of, bodies->count);
    fill_column(ask, column ? column->value : NULL, bodies->count, source->constant);
    return STATUS_OK;
}

enum status simulation_ask_columns(struct simulation *simulation, const struct column_ask *asks,
                                   int count, unsigned neighbour)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < count && status == STATUS_OK; k++)
        status = asks[k].of ? ask_bodies(simulation, &asks[k])
                            : ask_solver(simulation, asks[k].name, neighbour);
    return status;
}

void simulation_order_views(struct simulation *simulation)
{
    const struct bodies *bodies = simulation->bodies;
    struct solver_near *near = &simulation->solver->near;
    simulation->starts = memory_new(bodies->component_count, sizeof *simulation->starts);
    for (size_t c = 0; c < bodies->component_count; c++)
        simulation->starts[c] = (uint32_t)bodies->components[c].first;
    near->starts = simulation->starts;
    near->parts = (unsigned)bodies->component_count;
}

bool simulation_orders_views(const struct simulation *simulation)
{
    return solver_orders_views(simulation->solver);
}

bool simulation_has_absences(const struct simulation *simulation)
{
    return simulation->absences;
}

/* Adds a column in host memory, which the simulation owns. */
static enum status add_column(struct simulation *simulation, struct view *view, const char *name,
                              float *constant)
{
    const size_t count = simulation->bodies->count;
    float *value = constant ? constant : malloc(count * sizeof *value);
    view->columns[view->column_count++] = (struct view_column){
        .name = name, .memory = VIEW_HOST, .constant = constant != NULL, .value = value};
    return value ? STATUS_OK
                 : status_fail(STATUS_RUNTIME, "no memory for the column '%s' of %zu bodies", name,
                               count);
}

enum status simulation_view_create(struct simulation *simulation, struct view **out)
{
    enum status status = simulation->solver->ops->view_create(simulation->solver, out);
    for (int k = 0; k < simulation->source_count && status == STATUS_OK; k++)
        status = add_column(simulation, *out, simulation->sources[k].ask.name,
                            simulation->sources[k].constant);
    if (status == STATUS_OK && simulation->absences)
        status = add_column(simulation, *out, COLUMN_ABSENT, NULL);
    if (status == STATUS_OK && simulation->trail)
        status = trail_create(&(*out)->trail, simulation->trail->bodies, simulation->trail->room);
    if (status != STATUS_OK) {
        simulation_view_destroy(simulation, out);
        return status;
    }
    (*out)->watched_count = simulation->watched_count;
    if (!(*out)->watched && simulation->watched_count > 0)
        (*out)->watched = memory_new(simulation->watched_count, sizeof *(*out)->watched);
    return status;
}

static void fill_columns(const struct simulation *simulation, struct view *view)
{
    const size_t count = simulation->bodies->count;
    const struct playback_state *played = &simulation->played;
    for (int k = 0; k < simulation->source_count; k++) {
        const struct view_source *source = &simulation->sources[k];
        if (!source->constant)
            fill_column(&source->ask, played->column[source->column], count,
                        view_values(view, source->ask.name));
    }
    float *absent = view_values(view, COLUMN_ABSENT);
    for (size_t i = 0; i < count && absent; i++)
        absent[i] = played->absent[i];
}

enum status simulation_view_fill(struct simulation *simulation, struct view *view)
{
    view->time = simulation_time(simulation);
    view->interval = frame_duration(simulation);
    view->step = simulation->integration->steps;
    view->frame = simulation->frame;
    view->energy = simulation->energy ? simulation->energy->points : NULL;
    view->energy_count = simulation->energy ? simulation->energy->count : 0;
    if (simulation->run && simulation->energy) /* it may have been at a later frame */
        view->energy_count = energy_history_until(simulation->energy, simulation->frame);
    fill_columns(simulation, view);
    if (view->trail)
        trail_copy(view->trail, simulation->trail);
    const enum status status = simulation->solver->ops->view_fill(simulation->solver, view);
    return status == STATUS_OK ? fill_watched(simulation, view) : status;
}

/* ---- what needs all bodies ---- */

/* Memory for positions and velocities of a share, until simulation_bodies_end. */
static enum status begin_room(struct simulation *simulation)
{
    struct bodies *bodies = simulation->bodies;
    if (!simulation_is_shared(simulation) || bodies->position)
        return STATUS_OK;
    bodies->position = malloc((bodies->count + 1) * sizeof *bodies->position);
    bodies->velocity = malloc((bodies->count + 1) * sizeof *bodies->velocity);
    return bodies->position && bodies->velocity
               ? STATUS_OK
               : status_fail(STATUS_RUNTIME, "no memory left for the state of %zu bodies",
                             bodies->count);
}

enum status simulation_bodies(struct simulation *simulation, const struct bodies **out)
{
    const enum status status = begin_room(simulation);
    *out = simulation->bodies;
    return status == STATUS_OK
               ? simulation->solver->ops->save(simulation->solver, simulation->bodies)
               : status;
}

void simulation_bodies_end(struct simulation *simulation)
{
    if (!simulation_is_shared(simulation))
        return;
    free(simulation->bodies->position);
    free(simulation->bodies->velocity);
    simulation->bodies->position = simulation->bodies->velocity = NULL;
}

enum status simulation_diagnose(struct simulation *simulation, struct diagnostics *out)
{
    struct solver *solver = simulation->solver;
    const struct bodies *bodies;
    double potential = 0;
    *out = (struct diagnostics){0};
    if (simulation->run && simulation->of_run == 0 && moment_of_run(simulation)->diagnosed) {
        _Static_assert(sizeof *out == RUN_DIAGNOSED * sizeof(double), "a run has all diagnostics");
        memcpy(out, moment_of_run(simulation)->diagnosis, sizeof *out);
        return STATUS_OK;
    }
    enum status status = solver->ops->potential(solver, &potential);
    if (status == STATUS_OK)
        status = simulation_bodies(simulation, &bodies);
    if (status == STATUS_OK)
        status = diagnostics_whole(bodies, potential, out);
    simulation_bodies_end(simulation);
    return status;
}

static enum status half_mass(struct simulation *simulation, bool all, double *radius)
{
    const struct bodies *bodies;
    enum status status = simulation_bodies(simulation, &bodies);
    if (status == STATUS_OK)
        status = (all ? diagnostics_half_mass_all : diagnostics_half_mass)(bodies, radius);
    simulation_bodies_end(simulation);
    return status;
}

enum status simulation_half_mass(struct simulation *simulation, double *radius)
{
    return half_mass(simulation, false, radius);
}

enum status simulation_half_mass_all(struct simulation *simulation, double *radius)
{
    return half_mass(simulation, true, radius);
}

static enum status pass_accelerations(struct simulation *simulation, pieces_take take, void *user)
{
    struct solver *solver = simulation->solver;
    double(*rows)[3] = malloc((solver->count + 1) * sizeof *rows);
    enum status status =
        rows ? solver->ops->accelerations(solver, rows)
             : status_fail(STATUS_RUNTIME, "no memory left for the accelerations of %zu bodies",
                           solver->count);
    if (status == STATUS_OK)
        status = pieces_pass(simulation->bodies, rows[0], 3, take, user);
    free(rows);
    return status;
}

enum status simulation_pass(struct simulation *simulation, enum simulation_rows rows,
                            pieces_take take, void *user)
{
    const struct bodies *bodies = simulation->bodies;
    if (rows == ROWS_MASS)
        return pieces_pass(bodies, bodies->mass, 1, take, user);
    if (rows == ROWS_ACCELERATION)
        return pass_accelerations(simulation, take, user);
    enum status status = simulation_bodies(simulation, &bodies);
    if (status == STATUS_OK)
        status = pieces_pass(bodies, *(rows == ROWS_POSITION ? bodies->position : bodies->velocity),
                             3, take, user);
    simulation_bodies_end(simulation);
    return status;
}

/* The bodies of a state, from its next one on. */
struct cursor {
    const struct simulation_state *state;
    enum simulation_rows kind;
    size_t next;
};

static double *place_at(const struct cursor *cursor)
{
    return simulation_state_rows(cursor->state, cursor->kind) +
           cursor->next * simulation_row_width(cursor->kind);
}

static enum status store(void *user, const double *rows, size_t count)
{
    struct cursor *cursor = user;
    memcpy(place_at(cursor), rows, count * simulation_row_width(cursor->kind) * sizeof *rows);
    cursor->next += count;
    return STATUS_OK;
}

static enum status fetch(void *user, double *rows, size_t count)
{
    struct cursor *cursor = user;
    const struct simulation_state *state = cursor->state;
    const size_t numbers = count * simulation_row_width(cursor->kind), first = cursor->next;
    cursor->next += count;
    if (!state->give) {
        memcpy(rows, place_at(&(struct cursor){state, cursor->kind, first}),
               numbers * sizeof *rows);
        return STATUS_OK;
    }
    const enum status status = state->give(state->giver, cursor->kind, first, count, rows);
    return status == STATUS_OK ? simulation_state_check_finite(numbers, rows) : status;
}

/* A state's masses beside those of the bodies. */
struct masses {
    struct cursor cursor;
    bool differ;
};

static enum status compare_masses(void *user, const double *rows, size_t count)
{
    struct masses *masses = user;
    double *saved = memory_new(count + 1, sizeof *saved);
    const enum status status = fetch(&masses->cursor, saved, count);
    masses->differ |= memcmp(rows, saved, count * sizeof *rows) != 0;
    free(saved);
    return status;
}

static enum status check_masses(struct simulation *simulation, const struct simulation_state *state)
{
    struct masses masses = {{state, ROWS_MASS, 0}, false};
    enum status status = simulation_pass(simulation, ROWS_MASS, compare_masses, &masses);
    if (status == STATUS_OK)
        status = whole_any(simulation->bodies, &masses.differ);
    return status == STATUS_OK && masses.differ ? simulation_state_other_masses() : status;
}

/* This share's bodies of a state. The caller frees them. */
static enum status deal_rows(const struct bodies *bodies, const struct simulation_state *state,
                             enum simulation_rows kind, double **out)
{
    struct cursor cursor = {state, kind, 0};
    const size_t width = simulation_row_width(kind);
    *out = malloc((bodies->count + 1) * width * sizeof **out);
    return *out ? pieces_deal(bodies, *out, width, fetch, &cursor)
                : status_fail(STATUS_RUNTIME, "no memory left for the state of %zu bodies",
                              bodies->count);
}

/* Loads bodies into the solver. */
static enum status load(struct simulation *simulation, const struct simulation_state *state)
{
    const struct solver_ops *ops = simulation->solver->ops;
    double *rows[ROWS] = {NULL};
    enum status status = STATUS_OK;
    for (unsigned k = ROWS_POSITION; k < ROWS && status == STATUS_OK; k++)
        status = deal_rows(simulation->bodies, state, (enum simulation_rows)k, &rows[k]);
    if (status == STATUS_OK)
        status = ops->load(simulation->solver, (const double(*)[3])rows[ROWS_POSITION],
                           (const double(*)[3])rows[ROWS_VELOCITY],
                           (const double(*)[3])rows[ROWS_ACCELERATION]);
    for (unsigned k = 0; k < ROWS; k++)
        free(rows[k]);
    return status;
}

/* ---- trails of all bodies ---- */

enum { TRAIL_WIDTH = 8 };

/* The rows of a trail of all bodies, from the next one on. */
struct trail_cursor {
    struct view_trail *trail;
    size_t next;
};

static enum status take_trail(void *user, const double *rows, size_t count)
{
    struct trail_cursor *cursor = user;
    float *to = cursor->trail->rows[cursor->next];
    for (size_t i = 0; i < TRAIL_WIDTH * count; i++)
        to[i] = (float)rows[i];
    cursor->next += count;
    return STATUS_OK;
}

static enum status give_trail(void *user, double *rows, size_t count)
{
    struct trail_cursor *cursor = user;
    const float *from = cursor->trail->rows[cursor->next];
    for (size_t i = 0; i < TRAIL_WIDTH * count; i++)
        rows[i] = (double)from[i];
    cursor->next += count;
    return STATUS_OK;
}

static double *trail_room(const struct view_trail *trail)
{
    return memory_new(TRAIL_WIDTH * trail->bodies + 1, sizeof(double));
}

enum status simulation_new_trail(const struct simulation *simulation, struct view_trail **out)
{
    return trail_create(out, whole_size(bodies_whole(simulation->bodies)), simulation->trail->room);
}

enum status simulation_save_trail(struct simulation *simulation, struct view_trail **out)
{
    const struct view_trail *trail = simulation->trail;
    enum status status = simulation_new_trail(simulation, out);
    if (status != STATUS_OK)
        return status;
    struct trail_cursor cursor = {*out, 0};
    double *rows = trail_room(trail);
    (*out)->frames = trail->frames;
    memcpy((*out)->time, trail->time, trail->frames * sizeof *trail->time);
    for (size_t f = 0; f < trail->frames && status == STATUS_OK; f++) {
        const float *from = trail->rows[f * trail->bodies];
        for (size_t i = 0; i < TRAIL_WIDTH * trail->bodies; i++)
            rows[i] = (double)from[i];
        status = pieces_pass(simulation->bodies, rows, TRAIL_WIDTH, take_trail, &cursor);
    }
    free(rows);
    return status;
}

enum status simulation_restore_trail(struct simulation *simulation, const struct view_trail *saved)
{
    struct view_trail *trail = simulation->trail;
    const size_t bodies = whole_size(bodies_whole(simulation->bodies));
    if (saved->bodies != bodies || saved->frames > trail->room)
        return status_fail(STATUS_USAGE,
                           "found a saved trail of %zu bodies over %zu frames, but the film keeps "
                           "%zu bodies over at most %zu; the file belongs to another film",
                           saved->bodies, saved->frames, bodies, trail->room);
    struct view_trail all = *saved; /* only read */
    struct trail_cursor cursor = {&all, 0};
    double *rows = trail_room(trail);
    enum status status = STATUS_OK;
    trail->frames = saved->frames;
    memcpy(trail->time, saved->time, saved->frames * sizeof *trail->time);
    for (size_t f = 0; f < trail->frames && status == STATUS_OK; f++) {
        float *to = trail->rows[f * trail->bodies];
        status = pieces_deal(simulation->bodies, rows, TRAIL_WIDTH, give_trail, &cursor);
        for (size_t i = 0; i < TRAIL_WIDTH * trail->bodies; i++)
            to[i] = (float)rows[i];
    }
    free(rows);
    return status;
}

enum status simulation_view_read(struct simulation *simulation, enum view_memory memory,
                                 const float *from, size_t count, float *to)
{
    if (memory != VIEW_HOST)
        return simulation->solver->ops->view_read(simulation->solver, from, count, to);
    memcpy(to, from, count * sizeof *to);
    return STATUS_OK;
}

/* The solver frees its own columns, the first ones. */
void simulation_view_destroy(struct simulation *simulation, struct view **view)
{
    const int own = simulation->solver->columns.count;
    for (struct view *v = *view; v && v->column_count > own; v->column_count--)
        if (!v->columns[v->column_count - 1].constant)
            free(v->columns[v->column_count - 1].value);
    if (*view)
        trail_destroy(&(*view)->trail);
    if (*view && (*view)->memory == VIEW_HOST)
        free((*view)->watched);
    simulation->solver->ops->view_destroy(simulation->solver, view);
}

enum status simulation_accelerations(struct simulation *simulation, double (*out)[3])
{
    return simulation->solver->ops->accelerations(simulation->solver, out);
}

const struct body_columns *simulation_columns(const struct simulation *simulation)
{
    return &simulation->bodies->columns;
}

enum status simulation_save(struct simulation *simulation, struct bodies *bodies)
{
    return simulation->solver->ops->save(simulation->solver, bodies);
}

enum status simulation_present(struct simulation *simulation, struct bodies **out)
{
    const struct bodies *bodies;
    *out = NULL;
    enum status status = simulation_bodies(simulation, &bodies);
    if (status == STATUS_OK)
        status = bodies_copy(out, bodies);
    if (status != STATUS_OK || !simulation->playback)
        return status;
    const struct playback_state *played = &simulation->played;
    for (size_t k = 0; k < bodies->columns.count; k++)
        memcpy((*out)->columns.list[k].value, played->column[k],
               bodies->count * sizeof *played->column[k]);
    bodies_drop(*out, played->absent);
    return STATUS_OK;
}

size_t simulation_saved(const struct simulation *simulation)
{
    return simulation->playback || simulation->run ? 0
                                                   : whole_size(bodies_whole(simulation->bodies));
}

enum status simulation_get_state(struct simulation *simulation, struct simulation_state *state)
{
    const bool copies = simulation_saved(simulation) > 0 && state->mass;
    enum status status = STATUS_OK;
    for (unsigned k = 0; k < ROWS && status == STATUS_OK && copies; k++) {
        struct cursor cursor = {state, (enum simulation_rows)k, 0};
        status = simulation_pass(simulation, cursor.kind, store, &cursor);
    }
    if (status == STATUS_OK)
        status = integration_save(simulation->integration, &state->integrator);
    state->frame = simulation->frame;
    state->step = simulation->integration->steps;
    state->turn = simulation->solver->turn;
    return status;
}

enum status simulation_set_state(struct simulation *simulation,
                                 const struct simulation_state *state)
{
    struct bodies saved = *simulation->bodies;
    if (simulation->run) /* whatever made the state */
        return simulation_show(simulation, state->frame);
    saved.count = simulation_saved(simulation);
    enum status status = simulation_state_check(state, &saved);
    if (status == STATUS_OK && simulation_is_shared(simulation) && saved.count > 0)
        status = check_masses(simulation, state);
    if (status != STATUS_OK)
        return status;
    struct integration *integration = simulation->integration;
    const uint64_t begun = frame_clock_steps_before(&simulation->clock, state->frame);
    const struct frame_span frame = span_of(simulation, state->frame, begun);
    status = integration->pacing->load(integration, &frame, state->step, &state->integrator);
    if (status == STATUS_OK && saved.count > 0)
        status = load(simulation, state);
    if (status != STATUS_OK)
        return status;
    simulation->solver->turn = state->turn;
    simulation->frame = state->frame;
    simulation->begun = begun;
    if (simulation->trail)
        simulation->trail->frames = 0;
    return simulation->playback ? show_played(simulation) : STATUS_OK;
}

bool simulation_state_is_shared(const struct simulation *simulation)
{
    return simulation_is_shared(simulation) && !simulation->playback && !simulation->run;
}

const struct solver *simulation_solver(const struct simulation *simulation)
{
    return simulation->solver;
}

/* Used only for reports, so a failure counts as 0. */
uint64_t simulation_device_memory(struct simulation *simulation)
{
    struct solver *solver = simulation->solver;
    uint64_t bytes = 0;
    return solver->ops->memory && solver->ops->memory(solver, &bytes) == STATUS_OK ? bytes : 0;
}

double simulation_time(const struct simulation *simulation)
{
    if (simulation->run)
        return moment_of_run(simulation)->time;
    const struct frame_clock *clock = &simulation->clock;
    const struct integration *integration = simulation->integration;
    const uint64_t frame = frame_clock_shown(clock, simulation->frame);
    const bool by_steps = !integration->pacing->passed;
    const double part = by_steps ? 0 : integration->pacing->passed(integration);
    if (clock->slow_count > 0)
        return frame_clock_time(clock, frame) +
               (by_steps ? (double)(integration->steps - simulation->begun) *
                               frame_clock_step(clock, frame)
                         : part * frame_duration(simulation));
    return by_steps ? (double)integration->steps * clock->dt
                    : ((double)frame + part) * (clock->dt * (double)clock->steps_per_frame);
}

const struct playback *simulation_playback(const struct simulation *simulation)
{
    return simulation->playback;
}

const struct run *simulation_run(const struct simulation *simulation, int *number)
{
    *number = simulation->of_run;
    return simulation->run;
}

const uint64_t *simulation_rungs(const struct simulation *simulation)
{
    return integration_rungs(simulation->integration);
}

uint64_t simulation_frame(const struct simulation *simulation)
{
    return simulation->frame;
}

uint64_t simulation_step(const struct simulation *simulation)
{
    return simulation->integration->steps;
}
