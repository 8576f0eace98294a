#include "cmd/view/view_motion.h"

#include "base/machine.h"
#include "base/memory.h"
#include "cmd/film/run/recording.h"
#include "cmd/film/start/panels.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "sim/run/run.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum status view_scene(const struct view_source *source, const struct setting *settings, int count,
                       struct scene **out)
{
    struct scene_request request = *source->request;
    *out = NULL;
    if (request.setting_count + count > SETTINGS_MAX)
        return status_fail(STATUS_USAGE, "at most %d settings can be made at once", SETTINGS_MAX);
    for (int i = 0; i < count; i++)
        request.settings[request.setting_count++] = settings[i];
    const enum status status = scene_request_open(&request, out);
    return status == STATUS_OK && (*out)->run ? film_check_run(*out, (*out)->run) : status;
}

enum status view_open_film(struct film *film, const struct film_options *options)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    const bool alone = options->scene->bodies.model->reads_file;
    if (alone)
        pthread_mutex_lock(&mutex);
    const enum status status = film_open(film, options);
    if (alone)
        pthread_mutex_unlock(&mutex);
    return status;
}

char *view_shape(struct scene *scene)
{
    const struct picture_size size = scene->output.size;
    uint32_t a = size.width, b = size.height;
    while (b > 0) {
        const uint32_t rest = a % b;
        a = b;
        b = rest;
    }
    scene->output.size = (struct picture_size){size.width / a, size.height / a};
    char *text = scene_print(scene);
    scene->output.size = size;
    return text;
}

/* Bodies of the pilot: with fewer, captions of built-in scenes that ask for a merger are left
 * out. */
enum { PILOT_BODIES = 4096 };

/* The part of the machine's memory that a run may take. */
static const double MEMORY_PART = 0.4;

struct motion {
    const struct view_source *source;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    pthread_t thread;
    bool started, ending;
    volatile sig_atomic_t stop; /* ends the simulation that goes on */
    char *identity;             /* of the motion that is wanted; NULL: none yet */
    struct scene *scene;        /* that has it; NULL: the thread has taken it */
    uint64_t wanted;            /* counts the motions that were wanted */
    struct recorded *runs[MOTION_FULL + 1];
    struct motion_state state;
};

/* ---- runs ---- */

void recorded_release(struct recorded **recorded)
{
    struct recorded *self = *recorded;
    *recorded = NULL;
    if (!self || atomic_fetch_sub(&self->holders, 1) > 1)
        return;
    if (!self->given)
        run_close(&self->run);
    scene_close(&self->scene);
    free(self->plan);
    free(self->shape);
    free(self);
}

struct recorded *recorded_keep(struct recorded *recorded)
{
    if (recorded)
        atomic_fetch_add(&recorded->holders, 1);
    return recorded;
}

void recorded_adapt(const struct recorded *recorded, struct scene *scene)
{
    if (recorded->stage == MOTION_PILOT)
        scene->bodies.count = PILOT_BODIES;
}

struct recorded *motion_hold(struct motion *motion, bool whole, uint64_t *frame)
{
    struct recorded *best = NULL;
    uint64_t last = 0;
    pthread_mutex_lock(&motion->mutex);
    for (int stage = MOTION_FULL; stage > (whole ? MOTION_PILOT : MOTION_START); stage--) {
        struct recorded *one = motion->runs[stage];
        const uint64_t count = one ? run_count(one->run) : 0;
        if (count > 0 && (!best || (last < *frame && count - 1 > last))) {
            best = one;
            last = count - 1;
        }
    }
    if (best)
        atomic_fetch_add(&best->holders, 1);
    pthread_mutex_unlock(&motion->mutex);
    if (*frame > last)
        *frame = last;
    return best;
}

/* ---- the simulation ---- */

/* What decides which states the frames show. */
static char *identify(const struct scene *scene)
{
    const bool timed =
        scene->simulation.slow_count > 0 || scene->simulation.freeze_at.kind != MOMENT_END;
    char *text = scene_print_motion(scene, timed);
    film_physics_list(scene, &text);
    return text;
}

static bool goes_on(struct motion *motion, uint64_t wanted)
{
    pthread_mutex_lock(&motion->mutex);
    const bool on = !motion->ending && motion->wanted == wanted;
    pthread_mutex_unlock(&motion->mutex);
    return on;
}

/* A run of which nothing is recorded yet takes its place only if it is still wanted. */
static bool publish(struct motion *motion, uint64_t wanted, struct recorded *recorded)
{
    pthread_mutex_lock(&motion->mutex);
    const bool on = !motion->ending && motion->wanted == wanted;
    if (on) {
        atomic_fetch_add(&recorded->holders, 1);
        motion->runs[recorded->stage] = recorded;
        motion->state.bodies = run_about(recorded->run)->bodies->count;
    }
    pthread_mutex_unlock(&motion->mutex);
    return on;
}

static enum status check_memory(const struct run_about *about)
{
    const double bytes = (double)run_width(about) * sizeof(float) * (double)about->bodies->count *
                         about->simulation_count * (double)about->frames;
    if (bytes <= MEMORY_PART * (double)machine_memory())
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "%llu frames of %zu bodies would take %.1f GiB of memory; use fewer bodies "
                       "with -n or fewer frames, or record a run with `gravreel simulate` and view "
                       "that",
                       (unsigned long long)about->frames, about->bodies->count,
                       bytes / (double)(1 << 30));
}

/* Takes over the film's scene, which lasts as long as *out. */
static enum status record(struct motion *motion, const struct film *film, struct scene *scene,
                          uint64_t wanted, enum motion_stage stage, struct recorded **out)
{
    struct run_about about;
    struct recorded *recorded = memory_new(1, sizeof *recorded);
    struct recording *recording = NULL;
    atomic_init(&recorded->holders, 1);
    recorded->stage = stage;
    recorded->plan = memory_text(film->plan);
    recorded->shape = view_shape(scene);
    recorded->scene = scene;
    enum status status = recording_describe(&about, film, 1);
    const enum status fits = status == STATUS_OK ? check_memory(&about) : status;
    if (status == STATUS_OK)
        status = run_create(&recorded->run, &about);
    if (status == STATUS_OK && fits != STATUS_OK)
        status = check_memory(run_about(recorded->run)); /* its sentence again */
    if (status == STATUS_OK)
        status = recording_open(&recording, film, recorded->run);
    if (status == STATUS_OK)
        status = recording_take(recording);
    if (status == STATUS_OK && publish(motion, wanted, recorded))
        status = recording_go(recording, film->scene->output.frames - 1, &motion->stop);
    recording_close(&recording);
    *out = recorded;
    return status;
}

/* The run of the command line has all frames: only its plan is made. */
static enum status take_given(struct motion *motion, const struct film *film, struct scene *scene,
                              uint64_t wanted, struct recorded **out)
{
    struct recorded *recorded = *out = memory_new(1, sizeof *recorded);
    *recorded = (struct recorded){.stage = MOTION_FULL,
                                  .run = motion->source->request->opened,
                                  .given = true,
                                  .plan = memory_text(film->plan),
                                  .shape = view_shape(scene),
                                  .scene = scene};
    atomic_init(&recorded->holders, 1);
    publish(motion, wanted, recorded);
    return STATUS_OK;
}

static enum status simulate(struct motion *motion, const struct scene *wanted_scene,
                            uint64_t wanted, enum motion_stage stage)
{
    const struct run *given = motion->source->request->opened;
    struct scene *scene = NULL;
    struct film film;
    enum status status = scene_copy(&scene, wanted_scene);
    if (status == STATUS_OK && stage == MOTION_PILOT) {
        scene->bodies.count = PILOT_BODIES;
        status = scene_validate(scene);
    }
    const struct film_options how = {.scene = scene,
                                     .backend = motion->source->backend,
                                     .device = motion->source->device,
                                     .opens = FILM_PLAN,
                                     .format = PICTURE_RGBA8,
                                     .unfaded = true,
                                     .records = !given,
                                     .run = given};
    if (status == STATUS_OK)
        status = view_open_film(&film, &how);
    if (status != STATUS_OK) {
        scene_close(&scene);
        return status;
    }
    struct recorded *recorded;
    status = given ? take_given(motion, &film, scene, wanted, &recorded)
                   : record(motion, &film, scene, wanted, stage, &recorded);
    film_close(&film);
    recorded_release(&recorded); /* and its scene, which the film needed until here */
    return status;
}

/* Whether a pilot is worth its time. */
static bool needs_pilot(const struct motion *motion, const struct scene *scene)
{
    return !motion->source->request->opened && !scene->bodies.model->reads_file &&
           scene->bodies.count > 2 * PILOT_BODIES;
}

/* Simulates what is wanted, first with few bodies. */
static enum status make_runs(struct motion *motion, const struct scene *scene, uint64_t wanted)
{
    enum status status =
        needs_pilot(motion, scene) ? simulate(motion, scene, wanted, MOTION_PILOT) : STATUS_OK;
    if (status == STATUS_OK && goes_on(motion, wanted))
        status = simulate(motion, scene, wanted, MOTION_FULL);
    return status;
}

static void keep_failure(struct motion *motion, uint64_t wanted, enum status status)
{
    pthread_mutex_lock(&motion->mutex);
    if (motion->wanted == wanted) {
        motion->state.running = false;
        if (status != STATUS_OK && status != STATUS_STOPPED)
            snprintf(motion->state.sentence, sizeof motion->state.sentence, "%s", status_text());
    }
    pthread_mutex_unlock(&motion->mutex);
}

/* Finds what happens in the complete run. A failure only leaves its marks out. */
static void find_events(struct motion *motion, uint64_t wanted)
{
    struct encounter events;
    bool found = false;
    pthread_mutex_lock(&motion->mutex);
    struct recorded *full = recorded_keep(motion->runs[MOTION_FULL]);
    pthread_mutex_unlock(&motion->mutex);
    if (full && run_count(full->run) == run_about(full->run)->frames &&
        pilot_encounter(full->run, &motion->stop, &found, &events) == STATUS_OK && found) {
        pthread_mutex_lock(&motion->mutex);
        if (motion->wanted == wanted) {
            motion->state.events = events;
            motion->state.met = true;
        }
        pthread_mutex_unlock(&motion->mutex);
    }
    recorded_release(&full);
}

static void *work(void *user)
{
    enum { NICE = 5 }; /* pictures that are asked for go first */
    struct motion *motion = user;
    uint64_t done = 0;
    setpriority(PRIO_PROCESS, (id_t)gettid(), NICE);
    pthread_mutex_lock(&motion->mutex);
    while (!motion->ending) {
        if (motion->wanted == done) {
            pthread_cond_wait(&motion->changed, &motion->mutex);
            continue;
        }
        const uint64_t wanted = done = motion->wanted;
        struct scene *scene = motion->scene;
        motion->scene = NULL;
        motion->stop = 0;
        pthread_mutex_unlock(&motion->mutex);
        keep_failure(motion, wanted, make_runs(motion, scene, wanted));
        scene_close(&scene);
        find_events(motion, wanted);
        pthread_mutex_lock(&motion->mutex);
    }
    pthread_mutex_unlock(&motion->mutex);
    return NULL;
}

/* ---- what is wanted ---- */

/* Whether the runs serve the scene; the mutex is held. */
static bool serves(const struct motion *motion, const struct scene *scene, const char *identity)
{
    return motion->identity && strcmp(motion->identity, identity) == 0 &&
           scene->output.frames <= motion->state.frames;
}

/* Makes the scene the one that the thread simulates; the mutex is held. Takes over both. */
static enum status want(struct motion *motion, char *identity, struct scene *scene)
{
    int error = 0;
    for (int stage = 0; stage <= MOTION_FULL; stage++)
        recorded_release(&motion->runs[stage]);
    free(motion->identity);
    scene_close(&motion->scene);
    motion->identity = identity;
    motion->scene = scene;
    motion->state = (struct motion_state){.frames = scene->output.frames, .running = true};
    motion->wanted++;
    motion->stop = 1;
    if (!motion->started)
        error = pthread_create(&motion->thread, NULL, work, motion);
    motion->started = motion->started || error == 0;
    pthread_cond_signal(&motion->changed);
    return error == 0 ? STATUS_OK
                      : status_fail(STATUS_RUNTIME, "cannot start the thread that simulates: %s",
                                    strerror(error));
}

enum status motion_follow(struct motion *motion, const struct scene *scene)
{
    char *identity = identify(scene);
    struct scene *copy = NULL;
    enum status status = STATUS_OK;
    pthread_mutex_lock(&motion->mutex);
    const bool other = !serves(motion, scene, identity);
    if (other)
        status = scene_copy(&copy, scene);
    if (other && status == STATUS_OK) {
        status = want(motion, identity, copy);
        identity = NULL;
    }
    pthread_mutex_unlock(&motion->mutex);
    free(identity);
    return status;
}

void motion_state(struct motion *motion, struct motion_state *out)
{
    pthread_mutex_lock(&motion->mutex);
    *out = motion->state;
    for (int stage = 0; stage <= MOTION_FULL; stage++) {
        const uint64_t count = motion->runs[stage] ? run_count(motion->runs[stage]->run) : 0;
        if (count > 0 && count >= out->count) {
            out->stage = (enum motion_stage)stage;
            out->count = count;
        }
    }
    pthread_mutex_unlock(&motion->mutex);
}

/* ---- open and close ---- */

void motion_open(struct motion **out, const struct view_source *source)
{
    struct motion *motion = *out = memory_new(1, sizeof *motion);
    motion->source = source;
    pthread_mutex_init(&motion->mutex, NULL);
    pthread_cond_init(&motion->changed, NULL);
}

void motion_end(struct motion *motion)
{
    pthread_mutex_lock(&motion->mutex);
    motion->ending = true;
    motion->stop = 1;
    pthread_cond_signal(&motion->changed);
    pthread_mutex_unlock(&motion->mutex);
}

void motion_close(struct motion **motion)
{
    struct motion *self = *motion;
    if (!self)
        return;
    motion_end(self);
    if (self->started)
        pthread_join(self->thread, NULL);
    for (int stage = 0; stage <= MOTION_FULL; stage++)
        recorded_release(&self->runs[stage]);
    pthread_cond_destroy(&self->changed);
    pthread_mutex_destroy(&self->mutex);
    free(self->identity);
    scene_close(&self->scene);
    free(self);
    *motion = NULL;
}
