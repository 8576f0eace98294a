#include "cmd/view/plans.h"

#include "base/memory.h"
#include "base/text.h"
#include "scenes/scene_check.h"
#include "scenes/print.h"
#include "sim/run/run.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 8 };

struct made {
    char *identity; /* NULL: nothing is kept here */
    char *plan;     /* NULL: it failed */
    struct failure failure;
    uint64_t used;
};

struct plans {
    const struct view_source *source;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t asked;
    bool ending;
    struct made made[KEPT];
    uint64_t clock;
    char *wanted, *making; /* identities of what waits, and of what is being made */
    struct scene *scene;   /* of what waits */
    struct recorded *recorded;
    /* Pilot runs made for the last run's plans; the thread's. */
    struct run_pilots pilots;
    struct recorded *pilots_of;
    const struct recorded *prepared; /* the last run for which `prepare` asked; only compared */
};

static char *identify_plan(const char *text, const struct recorded *recorded)
{
    return text_format("%p %s", (const void *)recorded, text);
}

static struct made *find(struct plans *plans, const char *identity)
{
    for (struct made *made = plans->made; made < plans->made + KEPT; made++)
        if (made->identity && strcmp(made->identity, identity) == 0)
            return made;
    return NULL;
}

/* Another camera needs the same pilot runs, unless the bodies move otherwise. */
static void keep_pilots_of(struct plans *plans, struct recorded *recorded)
{
    if (plans->pilots_of == recorded)
        return;
    run_pilots_free(&plans->pilots);
    recorded_release(&plans->pilots_of);
    plans->pilots_of = recorded_keep(recorded);
}

static enum status make(struct plans *plans, const struct scene *scene, struct recorded *recorded,
                        char **plan)
{
    struct film film;
    keep_pilots_of(plans, recorded);
    const struct film_options how = {.scene = scene,
                                     .backend = plans->source->backend,
                                     .device = plans->source->device,
                                     .opens = FILM_PLAN,
                                     .format = PICTURE_RGBA8,
                                     .unfaded = true,
                                     .pilots = &plans->pilots,
                                     .run = recorded->run};
    const enum status status = view_open_film(&film, &how);
    if (status == STATUS_OK) {
        *plan = memory_text(film.plan);
        film_close(&film);
    }
    return status;
}

static void keep(struct plans *plans, char *identity, char *plan, enum status status)
{
    struct made *to = plans->made;
    for (struct made *made = plans->made; made < plans->made + KEPT; made++)
        if (made->used < to->used)
            to = made;
    free(to->identity);
    free(to->plan);
    *to = (struct made){.identity = identity, .plan = plan, .used = ++plans->clock};
    failure_keep(&to->failure, status);
}

static void *make_plans(void *user)
{
    struct plans *plans = user;
    pthread_mutex_lock(&plans->mutex);
    while (!plans->ending) {
        if (!plans->wanted) {
            pthread_cond_wait(&plans->asked, &plans->mutex);
            continue;
        }
        char *plan = NULL;
        struct scene *scene = plans->scene;
        struct recorded *recorded = plans->recorded;
        plans->making = plans->wanted;
        plans->wanted = NULL;
        plans->scene = NULL;
        plans->recorded = NULL;
        pthread_mutex_unlock(&plans->mutex);
        const enum status status = make(plans, scene, recorded, &plan);
        scene_close(&scene);
        recorded_release(&recorded);
        pthread_mutex_lock(&plans->mutex);
        keep(plans, plans->making, plan, status);
        plans->making = NULL;
    }
    pthread_mutex_unlock(&plans->mutex);
    return NULL;
}

/* Takes over identity and scene. */
static void ask(struct plans *plans, char *identity, struct scene *scene, struct recorded *recorded)
{
    free(plans->wanted);
    scene_close(&plans->scene);
    recorded_release(&plans->recorded);
    plans->wanted = identity;
    plans->scene = scene;
    plans->recorded = recorded_keep(recorded);
    pthread_cond_signal(&plans->asked);
}

/* Makes a plan with a fixed camera ahead: it takes other pilot runs than automatic framing does,
 * and who comes closer or follows a body would wait for them. */
static void prepare(struct plans *plans, struct recorded *recorded)
{
    const struct run *run = recorded->run;
    const struct scene *simulated = recorded->scene;
    struct scene *scene = NULL;
    if (plans->prepared == recorded || !simulated->camera.frame->automatic ||
        recorded->stage != MOTION_FULL || run_count(run) < run_about(run)->frames)
        return;
    if (scene_copy(&scene, simulated) != STATUS_OK ||
        scene_set(scene, "camera.frame", "fixed", "the page") != STATUS_OK) {
        scene_close(&scene);
        return;
    }
    char *shape = view_shape(scene);
    pthread_mutex_lock(&plans->mutex);
    if (!plans->wanted && !plans->making) {
        ask(plans, identify_plan(shape, recorded), scene, recorded);
        plans->prepared = recorded;
        scene = NULL;
    }
    pthread_mutex_unlock(&plans->mutex);
    scene_close(&scene);
    free(shape);
}

enum status plans_get(struct plans *plans, struct scene *scene, struct recorded *recorded,
                      char **out)
{
    char *shape = view_shape(scene);
    const bool simulated = strcmp(shape, recorded->shape) == 0;
    char *identity = identify_plan(shape, recorded);
    struct scene *copy = NULL;
    enum status status = STATUS_OK;
    *out = NULL;
    free(shape);
    if (simulated) {
        *out = memory_text(recorded->plan);
        prepare(plans, recorded);
        free(identity);
        return STATUS_OK;
    }
    pthread_mutex_lock(&plans->mutex);
    struct made *made = find(plans, identity);
    if (made) {
        made->used = ++plans->clock;
        *out = made->plan ? memory_text(made->plan) : NULL;
        status = failure_report(&made->failure);
    } else if (!(plans->making && strcmp(plans->making, identity) == 0) &&
               !(plans->wanted && strcmp(plans->wanted, identity) == 0)) {
        status = scene_copy(&copy, scene);
        if (status == STATUS_OK)
            ask(plans, identity, copy, recorded);
        identity = status == STATUS_OK ? NULL : identity;
    }
    pthread_mutex_unlock(&plans->mutex);
    free(identity);
    return status;
}

enum status plans_open(struct plans **out, const struct view_source *source)
{
    struct plans *plans = *out = memory_new(1, sizeof *plans);
    plans->source = source;
    pthread_mutex_init(&plans->mutex, NULL);
    pthread_cond_init(&plans->asked, NULL);
    const int error = pthread_create(&plans->thread, NULL, make_plans, plans);
    if (error == 0)
        return STATUS_OK;
    free(plans);
    *out = NULL;
    return status_fail(STATUS_RUNTIME, "cannot start the thread that plans films: %s",
                       strerror(error));
}

void plans_end(struct plans *plans)
{
    pthread_mutex_lock(&plans->mutex);
    plans->ending = true;
    pthread_cond_signal(&plans->asked);
    pthread_mutex_unlock(&plans->mutex);
}

void plans_close(struct plans **plans)
{
    struct plans *self = *plans;
    if (!self)
        return;
    plans_end(self);
    pthread_join(self->thread, NULL);
    for (int i = 0; i < KEPT; i++) {
        free(self->made[i].identity);
        free(self->made[i].plan);
    }
    free(self->wanted);
    scene_close(&self->scene);
    keep_pilots_of(self, NULL);
    recorded_release(&self->recorded);
    pthread_cond_destroy(&self->asked);
    pthread_mutex_destroy(&self->mutex);
    free(self);
    *plans = NULL;
}
