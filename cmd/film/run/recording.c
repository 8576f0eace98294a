#include "cmd/film/run/recording.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/part.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/film/manifest/manifest.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/script/brightness.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/tags.h"
#include "scenes/print.h"
#include "scenes/scene_check.h"
#include "sim/checkpoint/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* On ranks, rank 0 has all bodies and the run; the others take part in what is collective, with a
 * run in memory that stays empty. */

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
    snprintf(out->backend, sizeof out->backend, "%s", solver->ops->name);
    snprintf(out->force, sizeof out->force, "%s", solver->force->ops->name);
    snprintf(out->kernel, sizeof out->kernel, "%s", solver->kernel);
    snprintf(out->model, sizeof out->model, "%s", solver->model);
    out->acceleration = malloc((solver->count + 1) * sizeof *out->acceleration);
    return out->acceleration
               ? simulation_accelerations(simulation, out->acceleration)
               : status_fail(STATUS_RUNTIME, "no memory left for the accelerations of %zu bodies",
                             solver->count);
}

enum status recording_describe(struct run_about *out, const struct film *film, uint32_t every)
{
    struct film_sources sources;
    *out = (struct run_about){.frames = film->scene->output.frames,
                              .every = every > 0 ? every : 1,
                              .simulation_count = film->simulation_count};
    film_sources(film->scene, &sources);
    enum status status = find_columns(film, &out->columns);
    for (int i = 0; i < film->simulation_count && status == STATUS_OK; i++)
        status = describe_one(&out->simulations[i], &sources.params[i], film->simulations[i]);
    if (status == STATUS_OK)
        status = bodies_copy(&out->bodies, film->bodies);
    if (film->pilots) { /* the run's from now on */
        out->pilots = *film->pilots;
        *film->pilots = (struct run_pilots){.count = 0};
    }
    if (status == STATUS_OK) {
        out->scene = scene_print(film->scene);
        script_motion_hash(&film->script, film->scene, false, out->moves);
        return STATUS_OK;
    }
    run_about_free(out);
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
    struct view *view = recording->view[0];
    const uint64_t frame = simulation_frame(film->simulations[0]);
    const bool kept = run_keeps(run_about(recording->run), frame);
    enum status status = STATUS_OK;
    for (int i = 0; i < film->simulation_count && status == STATUS_OK && kept; i++)
        status = take_one(recording, i, &rows[i]);
    if (!kept)
        status = simulation_view_fill(film->simulations[0], view);
    moment.step = view->step;
    moment.time = view->time;
    moment.interval = view->interval;
    if (status == STATUS_OK && kept)
        status = hash_states(film, &moment);
    if (status == STATUS_OK && is_diagnosed(film, frame))
        status = diagnose(film, &moment);
    return status == STATUS_OK && ranks_lead() ? run_add(recording->run, &moment, rows) : status;
}

/* After a stop all simulations are brought to one frame. */
static enum status advance(struct recording *recording, volatile sig_atomic_t *stop)
{
    const struct film *film = recording->film;
    const uint64_t frame = simulation_frame(film->simulations[0]) + 1;
    enum status status = STATUS_OK;
    for (int i = 0; i < film->simulation_count && status == STATUS_OK; i++)
        status = simulation_advance(film->simulations[i], frame, i == 0 ? stop : NULL);
    return status == STATUS_OK ? recording_take(recording) : status;
}

enum status recording_go(struct recording *recording, uint64_t last, volatile sig_atomic_t *stop)
{
    enum status status = STATUS_OK;
    while (simulation_frame(recording->film->simulations[0]) < last && status == STATUS_OK)
        status = advance(recording, stop);
    return status;
}

/* ---- a run in a file, and the checkpoints beside it ---- */

/* So many frames, or seconds, are simulated again after a kill. */
static const uint64_t frames_most = 32;
static const double seconds_most = 30;

struct run_job {
    struct film *film;
    struct run *run;
    struct recording *recording;
    char *path, *folder; /* of the run, and of its checkpoints */
    char moves[17];
    uint64_t opened; /* the frame at which it was opened */
    uint64_t next;   /* the first frame that it does not have */
    uint64_t saved;  /* the frame of the latest checkpoint */
    double since;    /* when it was written */
};

static char *checkpoint_path(const char *folder, uint64_t frame)
{
    char name[MANIFEST_NAME_MAX];
    manifest_checkpoint_name(name, frame);
    return text_format("%s/%s", folder, name);
}

/* Removes the checkpoints before a frame. */
static void drop_before(const char *folder, uint64_t frame)
{
    while (manifest_checkpoint_file_before(folder, frame, &frame)) {
        char *path = checkpoint_path(folder, frame);
        (void)unlink(path);
        free(path);
    }
}

/* A checkpoint that was being written when the program was killed. */
static bool is_unfinished(const char *name)
{
    return strncmp(name, "checkpoint-", strlen("checkpoint-")) == 0 &&
           text_ends_with(name, ".gravreel.part");
}

static void drop_all(const char *folder)
{
    drop_before(folder, UINT64_MAX);
    if (file_exists(folder))
        part_sweep(folder, is_unfinished);
    (void)rmdir(folder);
}

/* The bodies of a checkpoint stay with the ranks that share them. */
static enum status store(const struct run_job *job, const struct checkpoint *taken, uint64_t frame)
{
    const bool shared = simulation_state_is_shared(job->film->simulations[0]);
    char *path = ranks_lead() ? checkpoint_path(job->folder, frame) : memory_text("");
    const enum status status =
        ranks_lead() || shared ? checkpoint_store(taken, path, job->moves, "", false) : STATUS_OK;
    free(path);
    return status;
}

/* The frames are on the disk before the checkpoint that relies on them. */
static enum status save(struct run_job *job)
{
    const uint64_t frame = simulation_frame(job->film->simulations[0]);
    struct checkpoint *taken = NULL;
    enum status status = STATUS_OK;
    if (ranks_begin_first()) {
        status = run_sync(job->run);
        if (status == STATUS_OK)
            status = file_make_folder(job->folder);
    }
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status =
            checkpoint_take(job->film->simulations, (size_t)job->film->simulation_count, &taken);
    if (status == STATUS_OK)
        status = store(job, taken, frame);
    if (status == STATUS_OK && ranks_lead())
        drop_before(job->folder, frame);
    checkpoint_free(&taken);
    job->saved = frame;
    job->since = clock_seconds();
    return status;
}

/* Rank 0's answer, for all. */
static enum status save_if_due(struct run_job *job)
{
    const uint64_t frame = simulation_frame(job->film->simulations[0]);
    bool due = frame - job->saved >= frames_most || clock_seconds() - job->since > seconds_most;
    const enum status status = ranks_first(&due, sizeof due);
    return status == STATUS_OK && due ? save(job) : status;
}

/* Continues from the latest checkpoint, if there is one. */
static enum status restore(struct run_job *job, bool *restored)
{
    struct {
        uint64_t there, frame;
    } found = {1, UINT64_MAX};
    enum status status = STATUS_IO;
    while (status == STATUS_IO) {
        if (ranks_lead())
            found.there = manifest_checkpoint_file_before(job->folder, found.frame, &found.frame);
        status = ranks_first(&found, sizeof found);
        if (status != STATUS_OK || !found.there)
            break;
        char *path = checkpoint_path(job->folder, found.frame);
        status = checkpoint_read(path, job->film->simulations, (size_t)job->film->simulation_count,
                                 job->moves);
        if (status == STATUS_IO)
            log_warning("%s; the run continues from an earlier checkpoint", status_text());
        free(path);
    }
    *restored = status == STATUS_OK && found.there;
    return status;
}

static enum status open_existing(struct run_job *job, const struct run_about *about, bool *restored)
{
    enum status status = restore(job, restored);
    const uint64_t at = simulation_frame(job->film->simulations[0]);
    if (ranks_begin_first() && status == STATUS_OK)
        status = run_continue(&job->run, about, job->path, *restored ? at + 1 : 0);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        log_info("the run '%s' continues from frame %llu of %llu", job->path,
                 (unsigned long long)at, (unsigned long long)about->frames);
    return status;
}

/* Whether the run of that name has all its frames. One that was killed then has checkpoints. */
static enum status check_finished(const char *path)
{
    struct run *run;
    char *folder = text_format("%s.state", path);
    enum status status = run_open(&run, path);
    if (status == STATUS_USAGE) /* no frame yet */
        status = STATUS_OK;
    if (run && run_count(run) == run_about(run)->frames) {
        drop_all(folder);
        status = status_fail(STATUS_USAGE,
                             "the run '%s' is complete, %llu frames; draw it with `gravreel render "
                             "%s`, or simulate again with -y",
                             path, (unsigned long long)run_count(run), path);
    }
    free(folder);
    run_close(&run);
    return status;
}

enum status run_job_check(const char *path, bool overwrite)
{
    if (strcmp(file_extension(path), RUN_EXTENSION) != 0)
        return status_fail(STATUS_USAGE, "a run needs a name that ends with .%s, found '%s'",
                           RUN_EXTENSION, path);
    if (overwrite || !file_exists(path))
        return STATUS_OK;
    return run_is_file(path) ? check_finished(path)
                             : status_fail(STATUS_USAGE,
                                           "'%s' exists and is not a run; name another file, or "
                                           "replace it with -y",
                                           path);
}

/* The pilot run for the exposure of any film of the scene, which this film may not have needed. */
static enum status look_ahead(const struct film *film)
{
    const struct script_source source = {.scene = film->scene,
                                         .bodies = film->bodies,
                                         .backend = film->backend,
                                         .device = film->device,
                                         .pilots = film->pilots};
    return brightness_keep(&film->script, &source);
}

static enum status create(struct run_job *job, struct run_about *about)
{
    enum status status = STATUS_OK;
    if (ranks_begin_first()) {
        drop_before(job->folder, UINT64_MAX);
        status = run_create_file(&job->run, about, job->path);
    }
    return ranks_end_first(status);
}

static enum status open_job(struct run_job *job, uint32_t every, bool overwrite)
{
    struct run_about about;
    bool exists = ranks_lead() && !overwrite && file_exists(job->path), restored = false;
    if (simulation_frame(job->film->simulations[0]) > 0)
        return status_fail(STATUS_USAGE,
                           "the film continues at frame %llu, but a run has all frames; leave out "
                           "--keep-run, or make the run first, with `gravreel simulate`",
                           (unsigned long long)simulation_frame(job->film->simulations[0]));
    enum status status = ranks_first(&exists, sizeof exists);
    if (status == STATUS_OK && !exists)
        status = look_ahead(job->film);
    if (status == STATUS_OK)
        status = recording_describe(&about, job->film, every);
    if (status != STATUS_OK)
        return status;
    status = exists ? open_existing(job, &about, &restored) : create(job, &about);
    if (exists && ranks_lead())
        run_about_free(&about);
    if (status == STATUS_OK && !ranks_lead())
        status = run_create(&job->run, &about);
    job->opened = job->saved = simulation_frame(job->film->simulations[0]);
    job->next = job->opened + 1;
    if (status == STATUS_OK)
        status = recording_open(&job->recording, job->film, job->run);
    return status == STATUS_OK && !restored ? recording_take(job->recording) : status;
}

enum status run_job_open(struct run_job **out, struct film *film, const char *path, uint32_t every,
                         bool overwrite)
{
    struct run_job *job = *out = memory_new(1, sizeof *job);
    *job = (struct run_job){.film = film,
                            .path = memory_text(path),
                            .folder = text_format("%s.state", path),
                            .since = clock_seconds()};
    script_motion_hash(&film->script, film->scene, true, job->moves);
    const enum status status = open_job(job, every, overwrite);
    if (status != STATUS_OK)
        run_job_close(out);
    return status;
}

void run_job_close(struct run_job **job)
{
    if (!*job)
        return;
    recording_close(&(*job)->recording);
    run_close(&(*job)->run);
    free((*job)->path);
    free((*job)->folder);
    free(*job);
    *job = NULL;
}

enum status run_job_pass(void *user, uint64_t frame)
{
    struct run_job *job = user;
    if (frame == job->opened) /* which the run has */
        return STATUS_OK;
    const enum status status = recording_take(job->recording);
    job->next = frame + 1;
    return status == STATUS_OK ? save_if_due(job) : status;
}

enum status run_job_finish(struct run_job *job)
{
    const uint64_t frame = simulation_frame(job->film->simulations[0]),
                   frames = job->film->scene->output.frames;
    enum status status = STATUS_OK;
    /* it may be continued, unless the film stopped between simulating a frame and passing it */
    if (job->next < frames && job->next == frame + 1 && frame > job->saved)
        return save(job);
    if (ranks_begin_first()) {
        status = run_sync(job->run);
        if (status == STATUS_OK && job->next == frames)
            drop_all(job->folder);
    }
    return ranks_end_first(status);
}

/* ---- a run without a film, and a film from a run ---- */

static enum status go(const struct run_making *how, struct film *film)
{
    struct run_job *job;
    const struct solver *solver = simulation_solver(film->simulations[0]);
    log_info("%zu bodies, %llu frames; %s, %s", film->bodies->count,
             (unsigned long long)film->scene->output.frames, solver->device, solver->kernel);
    enum status status = run_job_open(&job, film, how->path, how->every, how->overwrite);
    struct bar bar;
    bar_begin(&bar, "simulating frame");
    const uint64_t last = film->scene->output.frames - 1;
    while (status == STATUS_OK && simulation_frame(film->simulations[0]) < last) {
        bar_show(&bar, simulation_frame(film->simulations[0]), last);
        status =
            recording_go(job->recording, simulation_frame(film->simulations[0]) + 1, how->stop);
        job->next = simulation_frame(film->simulations[0]) + 1;
        if (status == STATUS_OK)
            status = save_if_due(job);
    }
    bar_end(&bar);
    if (status == STATUS_OK || (status == STATUS_STOPPED && job)) {
        const enum status finished = run_job_finish(job);
        status = finished == STATUS_OK ? status : finished;
    }
    run_job_close(&job);
    return status;
}

enum status run_job_make(const struct run_making *how, const struct scene *scene, uint64_t *frame)
{
    struct film film;
    *frame = 0;
    enum status status = film_open(&film, &(struct film_options){.scene = scene,
                                                                 .backend = how->backend,
                                                                 .device = how->device,
                                                                 .opens = FILM_SIMULATIONS,
                                                                 .whole = "recording a run",
                                                                 .records = true});
    if (status == STATUS_OK)
        status = go(how, &film);
    if (film.simulation_count > 0)
        *frame = simulation_frame(film.simulations[0]);
    film_close(&film);
    return status;
}

enum status run_job_fits(const char *path, const struct scene *scene, uint32_t every, bool *fits)
{
    struct run *run;
    *fits = false;
    enum status status = run_open(&run, path);
    if (status == STATUS_USAGE) /* no frame yet, or another format */
        return run_is_file(path) ? STATUS_OK : status;
    if (status == STATUS_OK)
        status = film_check_run(scene, run);
    if (status == STATUS_OK && every > 0 && every != run_about(run)->every)
        status = status_fail(STATUS_USAGE,
                             "the run '%s' keeps each frame of %u, but --every asks for each of "
                             "%u; ask for the same, or name another file",
                             path, run_about(run)->every, every);
    *fits = status == STATUS_OK;
    run_close(&run);
    return status;
}

/* Continues the run by its own scene, whose look decides what it keeps. */
static enum status finish(const struct run_making *how, const struct run *run)
{
    struct scene *own = NULL;
    struct run_making making = *how;
    uint64_t frame;
    making.every = run_about(run)->every;
    making.overwrite = false;
    enum status status = own_scene_parse(&own, run_about(run)->scene, how->path);
    if (status == STATUS_OK)
        status = scene_validate(own);
    if (status == STATUS_OK)
        status = run_job_make(&making, own, &frame);
    scene_close(&own);
    return status;
}

enum status run_job_take(const struct run_making *how, struct scene *scene, uint64_t last)
{
    struct run *run;
    enum status status = run_open(&run, how->path);
    if (ranks_are_together())
        status = ranks_agree(status);
    bool lacks = status == STATUS_OK && run_count(run) <= last;
    if (status == STATUS_OK)
        status = ranks_first(&lacks, sizeof lacks);
    if (status == STATUS_OK && lacks)
        status = finish(how, run);
    if (status == STATUS_OK && lacks) {
        run_close(&run);
        status = run_open(&run, how->path);
        if (ranks_are_together())
            status = ranks_agree(status);
    }
    if (status == STATUS_OK) {
        log_info("the film is drawn from the run '%s', which has its motion", how->path);
        scene->run = run;
        scene->close_run = run_close;
    } else {
        run_close(&run);
    }
    return status;
}
