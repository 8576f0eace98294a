#include "cmd/pipeline.h"

#include "base/clock.h"
#include "base/queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

/* Views: one being written, one waiting, one being drawn, one whose picture is under way. Pictures:
 * two under way on the GPU, two waiting, one at the encoder. */
enum { VIEWS = 4, PICTURES = 5 };

struct pipeline {
    const struct pipeline_params *params;
    struct queue *views, *free_views, *pictures, *free_pictures;

    pthread_mutex_t lock; /* protects everything below */
    pthread_cond_t ended;
    int running;
    struct pipeline_progress progress;
    enum status status;
    char sentence[STATUS_TEXT_MAX];
};

const char *stage_name(enum stage stage)
{
    static const char *const names[] = {"simulation", "drawing", "encoder"};
    return names[stage];
}

enum stage pipeline_bottleneck(const struct pipeline_progress *progress)
{
    enum stage slowest = STAGE_SIMULATE;
    for (int s = 1; s < STAGE_COUNT; s++)
        if (progress->busy[s] > progress->busy[slowest])
            slowest = (enum stage)s;
    return slowest;
}

static void keep_first_failure(struct pipeline *pipeline, enum status status)
{
    pthread_mutex_lock(&pipeline->lock);
    if (pipeline->status == STATUS_OK && status != STATUS_OK) {
        pipeline->status = status;
        memcpy(pipeline->sentence, status_text(), sizeof pipeline->sentence);
    }
    pthread_mutex_unlock(&pipeline->lock);
}

static void note_work(struct pipeline *pipeline, enum stage stage, double since, uint64_t frames)
{
    double now = clock_seconds();
    pthread_mutex_lock(&pipeline->lock);
    pipeline->progress.busy[stage] += now - since;
    pipeline->progress.done[stage] += frames;
    pthread_mutex_unlock(&pipeline->lock);
}

static void leave(struct pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    pipeline->running--;
    pthread_cond_signal(&pipeline->ended);
    pthread_mutex_unlock(&pipeline->lock);
}

static enum status simulate_frame(struct pipeline *pipeline, uint64_t frame)
{
    const struct pipeline_params *params = pipeline->params;
    double since = clock_seconds();
    enum status status = simulation_advance(params->simulation, frame, params->stop);
    note_work(pipeline, STAGE_SIMULATE, since, 0);
    void *view;
    if (status == STATUS_OK)
        status = queue_pop(pipeline->free_views, &view);
    if (status != STATUS_OK)
        return status;
    since = clock_seconds();
    status = simulation_view_fill(params->simulation, view);
    ((struct view *)view)->frame = frame;
    note_work(pipeline, STAGE_SIMULATE, since, 1);
    return status == STATUS_OK ? queue_push(pipeline->views, view) : status;
}

static void *simulate(void *argument)
{
    struct pipeline *pipeline = argument;
    const struct pipeline_params *params = pipeline->params;
    /* Frame 0 always comes first: the exposure is set from it, whatever part is delivered. */
    enum status status = simulate_frame(pipeline, 0);
    for (uint64_t f = params->first ? params->first : 1; status == STATUS_OK && f <= params->last;
         f++)
        status = *params->stop ? STATUS_STOPPED : simulate_frame(pipeline, f);
    if (status != STATUS_STOPPED)
        keep_first_failure(pipeline, status);
    queue_finish(pipeline->views);
    leave(pipeline);
    return NULL;
}

/* A picture under way on the GPU and the view that it is drawn from. */
struct flight {
    void *view, *picture;
};

static enum status land(struct pipeline *pipeline, struct flight *flight)
{
    if (!flight->picture)
        return STATUS_OK;
    double since = clock_seconds();
    enum status status = renderer_wait(pipeline->params->renderer);
    note_work(pipeline, STAGE_DRAW, since, 1);
    if (status == STATUS_OK)
        status = queue_push(pipeline->pictures, flight->picture);
    if (status == STATUS_OK)
        status = queue_push(pipeline->free_views, flight->view);
    flight->picture = NULL;
    return status;
}

static enum status draw_frame(struct pipeline *pipeline, struct view *view,
                              struct flight *under_way)
{
    struct flight next = {.view = view};
    enum status status = queue_pop(pipeline->free_pictures, &next.picture);
    if (status != STATUS_OK)
        return status;
    double since = clock_seconds();
    status = renderer_submit(pipeline->params->renderer, view, next.picture);
    note_work(pipeline, STAGE_DRAW, since, 0);
    if (status == STATUS_OK)
        status = land(pipeline, under_way);
    *under_way = next;
    return status;
}

static enum status draw_all(struct pipeline *pipeline)
{
    const struct pipeline_params *params = pipeline->params;
    struct flight under_way = {0};
    enum status status = STATUS_OK;
    bool calibrated = false;
    void *item;
    while (status == STATUS_OK && queue_pop(pipeline->views, &item) == STATUS_OK) {
        struct view *view = item;
        if (!calibrated)
            status = renderer_calibrate(params->renderer, view);
        calibrated = true;
        if (status != STATUS_OK)
            break;
        status = view->frame < params->first ? queue_push(pipeline->free_views, view)
                                             : draw_frame(pipeline, view, &under_way);
    }
    return status == STATUS_OK ? land(pipeline, &under_way) : status;
}

static void *draw(void *argument)
{
    struct pipeline *pipeline = argument;
    enum status status = renderer_bind(pipeline->params->renderer);
    if (status == STATUS_OK) {
        status = draw_all(pipeline);
        renderer_unbind(pipeline->params->renderer);
    }
    if (status != STATUS_OK) {
        if (status != STATUS_STOPPED)
            keep_first_failure(pipeline, status);
        queue_abort(pipeline->views);
        queue_abort(pipeline->free_views);
    }
    queue_finish(pipeline->pictures);
    leave(pipeline);
    return NULL;
}

static void *encode(void *argument)
{
    struct pipeline *pipeline = argument;
    struct sink *sink = pipeline->params->sink;
    enum status status = STATUS_OK;
    void *item;
    while (status == STATUS_OK && queue_pop(pipeline->pictures, &item) == STATUS_OK) {
        struct picture *picture = item;
        double since = clock_seconds();
        status = sink->ops->write(sink, picture);
        note_work(pipeline, STAGE_ENCODE, since, status == STATUS_OK);
        pthread_mutex_lock(&pipeline->lock);
        pipeline->progress.time = picture->time;
        pipeline->progress.bytes = sink->bytes;
        pthread_mutex_unlock(&pipeline->lock);
        if (status == STATUS_OK)
            status = queue_push(pipeline->free_pictures, picture);
    }
    if (status != STATUS_OK) {
        keep_first_failure(pipeline, status);
        struct queue *const all[] = {pipeline->views, pipeline->free_views, pipeline->pictures,
                                     pipeline->free_pictures};
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            queue_abort(all[i]);
    }
    leave(pipeline);
    return NULL;
}

static void watch(struct pipeline *pipeline, double start)
{
    const struct pipeline_params *params = pipeline->params;
    pthread_mutex_lock(&pipeline->lock);
    while (pipeline->running > 0) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += 200 * 1000 * 1000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        int woken = pthread_cond_timedwait(&pipeline->ended, &pipeline->lock, &until);
        if (woken != ETIMEDOUT || !params->tick)
            continue;
        struct pipeline_progress progress = pipeline->progress;
        pthread_mutex_unlock(&pipeline->lock);
        progress.elapsed = clock_seconds() - start;
        params->tick(params->user, &progress);
        pthread_mutex_lock(&pipeline->lock);
    }
    pthread_mutex_unlock(&pipeline->lock);
}

static enum status create_pools(struct pipeline *pipeline, struct view **views,
                                struct picture **pictures)
{
    const struct pipeline_params *params = pipeline->params;
    enum status status = queue_create(&pipeline->views, VIEWS);
    if (status == STATUS_OK)
        status = queue_create(&pipeline->free_views, VIEWS);
    if (status == STATUS_OK)
        status = queue_create(&pipeline->pictures, PICTURES);
    if (status == STATUS_OK)
        status = queue_create(&pipeline->free_pictures, PICTURES);
    for (int i = 0; status == STATUS_OK && i < VIEWS; i++) {
        status = simulation_view_create(params->simulation, &views[i]);
        if (status == STATUS_OK)
            status = queue_push(pipeline->free_views, views[i]);
    }
    for (int i = 0; status == STATUS_OK && i < PICTURES; i++) {
        status = renderer_picture_create(params->renderer, &pictures[i]);
        if (status == STATUS_OK)
            status = queue_push(pipeline->free_pictures, pictures[i]);
    }
    return status;
}

static enum status run_threads(struct pipeline *pipeline)
{
    void *(*const bodies[STAGE_COUNT])(void *) = {simulate, draw, encode};
    pthread_t threads[STAGE_COUNT];
    double start = clock_seconds();
    int started = 0;
    pipeline->running = STAGE_COUNT;
    while (started < STAGE_COUNT &&
           pthread_create(&threads[started], NULL, bodies[started], pipeline) == 0)
        started++;
    enum status status = STATUS_OK;
    if (started < STAGE_COUNT) {
        status =
            status_fail(STATUS_RUNTIME, "the system gives no more threads; close other programs");
        pthread_mutex_lock(&pipeline->lock);
        pipeline->running -= STAGE_COUNT - started;
        pthread_mutex_unlock(&pipeline->lock);
        queue_abort(pipeline->views);
        queue_abort(pipeline->free_views);
        queue_abort(pipeline->free_pictures);
    }
    watch(pipeline, start);
    for (int s = 0; s < started; s++)
        pthread_join(threads[s], NULL);
    pipeline->progress.elapsed = clock_seconds() - start;
    return status;
}

enum status pipeline_run(const struct pipeline_params *params, struct pipeline_progress *progress)
{
    struct pipeline pipeline = {.params = params};
    struct view *views[VIEWS] = {0};
    struct picture *pictures[PICTURES] = {0};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pipeline.ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&pipeline.lock, NULL);
    pipeline.progress.wanted = params->last - params->first + 1;

    enum status status = create_pools(&pipeline, views, pictures);
    if (status == STATUS_OK)
        status = run_threads(&pipeline);
    if (status == STATUS_OK && pipeline.status != STATUS_OK)
        status = status_fail(pipeline.status, "%s", pipeline.sentence);
    if (status == STATUS_OK && pipeline.progress.done[STAGE_ENCODE] < pipeline.progress.wanted)
        status = STATUS_STOPPED;
    *progress = pipeline.progress;

    for (int i = 0; i < PICTURES; i++)
        renderer_picture_destroy(params->renderer, &pictures[i]);
    for (int i = 0; i < VIEWS; i++)
        simulation_view_destroy(params->simulation, &views[i]);
    struct queue **const all[] = {&pipeline.views, &pipeline.free_views, &pipeline.pictures,
                                  &pipeline.free_pictures};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        queue_destroy(all[i]);
    pthread_cond_destroy(&pipeline.ended);
    pthread_mutex_destroy(&pipeline.lock);
    return status;
}
