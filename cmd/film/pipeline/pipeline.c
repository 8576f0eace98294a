#include "cmd/film/pipeline/pipeline.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/queue.h"
#include "base/ranks/ranks.h"
#include "base/status.h"
#include "sim/views.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

/* Pictures: two in progress on the GPU, two waiting, one at the encoder. */
enum { PICTURES_LEAST = 5, PICTURES_MOST = 1 << 16 };

struct pipeline {
    const struct pipeline_params *params;
    struct queue *views, *free_views;
    struct encoders *encoders; /* NULL on ranks from 1 on */
    bool together;             /* all ranks run it, each stage on its own lane */

    pthread_mutex_t lock; /* protects everything below */
    pthread_cond_t ended;
    int running;
    struct pipeline_progress progress;
    struct failure failure;
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

/* A stop is not a failure. */
static void end_stage(struct pipeline *pipeline, enum stage stage, enum status status)
{
    pthread_mutex_lock(&pipeline->lock);
    if (status != STATUS_STOPPED && failure_keep(&pipeline->failure, status))
        pipeline->progress.failed = stage;
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

static void end_thread(struct pipeline *pipeline)
{
    pthread_mutex_lock(&pipeline->lock);
    pipeline->running--;
    pthread_cond_signal(&pipeline->ended);
    pthread_mutex_unlock(&pipeline->lock);
}

static bool is_wanted(const struct pipeline_params *params, uint64_t frame)
{
    return frame >= params->first && frame <= params->last &&
           (!params->events || !params->events->wanted ||
            params->events->wanted(params->user, frame));
}

static bool begins_segment(const struct pipeline_params *params, uint64_t frame)
{
    return frame == params->first ||
           (params->segment_length && frame % params->segment_length == 0);
}

/* After a stop all simulations are brought to one frame: the others follow the first. */
static enum status advance_all(const struct pipeline_params *params, uint64_t frame)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < params->simulation_count && status == STATUS_OK; i++)
        status = simulation_advance(params->simulations[i], frame, i == 0 ? params->stop : NULL);
    return status;
}

enum status pipeline_advance(const struct pipeline_params *params, uint64_t frame)
{
    uint64_t at = simulation_frame(params->simulations[0]);
    if (!params->passed)
        return advance_all(params, frame);
    enum status status = at == 0 ? params->passed(params->passed_user, 0) : STATUS_OK;
    while (at < frame && status == STATUS_OK) {
        status = advance_all(params, ++at);
        if (status == STATUS_OK)
            status = params->passed(params->passed_user, at);
    }
    return status;
}

static enum status simulate_frame(struct pipeline *pipeline, uint64_t frame)
{
    const struct pipeline_params *params = pipeline->params;
    const struct pipeline_watcher *watcher = params->watcher;
    double since = clock_seconds();
    enum status status = pipeline_advance(params, frame);
    if (status == STATUS_OK && begins_segment(params, frame) && params->events &&
        params->events->simulated)
        status = params->events->simulated(params->user, frame);
    if (status == STATUS_OK && watcher && watcher->simulated && is_wanted(params, frame))
        status = watcher->simulated(watcher->user, frame);
    note_work(pipeline, STAGE_SIMULATE, since, 0);
    return status;
}

/* Waits for a free view. On ranks, all learn whether a rank has none because its drawing has ended;
 * then all stop at this frame. */
static enum status take_free(struct pipeline *pipeline, void **item)
{
    ranks_rest(true);
    enum status status = queue_pop(pipeline->free_views, item);
    ranks_rest(false);
    if (!pipeline->together)
        return status;
    if (status != STATUS_OK)
        ranks_ask_end();
    status = ranks_agree(STATUS_OK);
    return status == STATUS_OK && ranks_end_is_asked() ? STATUS_STOPPED : status;
}

/* The frame's views go on only if all ranks have them, because all draw the same frames. */
static enum status hand_over(struct pipeline *pipeline, uint64_t frame)
{
    const struct pipeline_params *params = pipeline->params;
    void *item;
    enum status status = take_free(pipeline, &item);
    if (status != STATUS_OK)
        return status;
    struct view *view = item;
    double since = clock_seconds();
    for (int i = 0; i < params->simulation_count && status == STATUS_OK; i++, view = view->next) {
        status = simulation_view_fill(params->simulations[i], view);
        view->frame = frame;
    }
    if (pipeline->together)
        status = ranks_agree(status);
    note_work(pipeline, STAGE_SIMULATE, since, is_wanted(params, frame));
    if (status == STATUS_OK)
        status = queue_push(params->renderer ? pipeline->views : pipeline->free_views, item);
    /* where drawing has ended, the next frame finds out together with the other ranks */
    return pipeline->together && status == STATUS_STOPPED ? STATUS_OK : status;
}

/* Frame 0 comes first even if it is not delivered, because it sets the exposure. Frames that only
 * an adapting exposure needs are passed on too. */
static enum status simulate_all(struct pipeline *pipeline, uint64_t *next)
{
    const struct pipeline_params *params = pipeline->params;
    uint64_t frame = simulation_frame(params->simulations[0]);
    bool sees_all = params->renderer && renderer_meters_every_frame(params->renderer);
    enum status status = ranks_first(&sees_all, sizeof sees_all);
    frame = *next = frame > params->from ? frame : params->from;
    for (; status == STATUS_OK && frame <= params->last; frame++) {
        *next = frame;
        const bool meters = frame == 0 && !params->metered;
        const bool shown = meters || sees_all || is_wanted(params, frame);
        if (!shown && !begins_segment(params, frame))
            continue;
        ranks_decide(shown ? "draws frame" : "passes frame", frame);
        status = ranks_stop(params->stop) ? STATUS_STOPPED : simulate_frame(pipeline, frame);
        if (status == STATUS_OK && shown)
            status = hand_over(pipeline, frame);
        if (status == STATUS_OK)
            *next = frame + 1;
    }
    return status;
}

static void *simulate(void *argument)
{
    struct pipeline *pipeline = argument;
    const struct pipeline_params *params = pipeline->params;
    uint64_t next = 0;
    if (params->threads > 0)
        solver_use_threads(params->threads);
    if (pipeline->together)
        ranks_enter(LANE_SIMULATE);
    enum status status = simulate_all(pipeline, &next);
    if (pipeline->together) {
        status = ranks_scope(status);
        ranks_leave();
    }
    pthread_mutex_lock(&pipeline->lock);
    pipeline->progress.next = next;
    pthread_mutex_unlock(&pipeline->lock);
    end_stage(pipeline, STAGE_SIMULATE, status);
    queue_finish(pipeline->views);
    end_thread(pipeline);
    return NULL;
}

/* Finishes the picture that was in progress on the GPU, if there was one. */
static enum status land(struct pipeline *pipeline, struct picture *picture)
{
    if (!picture)
        return STATUS_OK;
    const struct pipeline_watcher *watcher = pipeline->params->watcher;
    double since = clock_seconds();
    enum status status = renderer_wait(pipeline->params->renderer);
    if (status == STATUS_OK && watcher && watcher->drawn)
        status = watcher->drawn(watcher->user, picture);
    note_work(pipeline, STAGE_DRAW, since, 1);
    return status == STATUS_OK ? encoders_put(pipeline->encoders, picture) : status;
}

static enum status submit(struct pipeline *pipeline, const struct view *view,
                          struct picture *picture)
{
    const struct pipeline_watcher *watcher = pipeline->params->watcher;
    struct renderer *renderer = pipeline->params->renderer;
    if (!watcher || !watcher->drawing)
        return renderer_submit(renderer, view, picture);
    struct view shown = *view;
    enum status status = watcher->drawing(watcher->user, renderer, &shown);
    if (status == STATUS_OK)
        status = renderer_submit(renderer, &shown, picture);
    picture->frame = view->frame;
    picture->time = view->time;
    return status;
}

static enum status draw_frame(struct pipeline *pipeline, struct view *view,
                              struct picture **under_way)
{
    struct picture *before = *under_way;
    ranks_rest(true);
    enum status status = encoders_picture(pipeline->encoders, under_way);
    ranks_rest(false);
    if (status != STATUS_OK)
        return status;
    double since = clock_seconds();
    status = submit(pipeline, view, *under_way);
    note_work(pipeline, STAGE_DRAW, since, 0);
    if (status == STATUS_OK)
        status = land(pipeline, before);
    if (status == STATUS_OK)
        status = renderer_uploaded(pipeline->params->renderer);
    return status == STATUS_OK ? queue_push(pipeline->free_views, view) : status;
}

/* Draws the light of a frame whose picture rank 0 makes. */
static enum status lend(struct pipeline *pipeline, const struct view *view)
{
    const double since = clock_seconds();
    const enum status status = renderer_submit(pipeline->params->renderer, view, NULL);
    note_work(pipeline, STAGE_DRAW, since, 1);
    return status;
}

static enum status take_view(struct pipeline *pipeline, struct view *view, bool meters,
                             struct picture **under_way)
{
    const struct pipeline_params *params = pipeline->params;
    enum status status = STATUS_OK;
    if (meters)
        status = renderer_meter(params->renderer, view);
    if (status == STATUS_OK && begins_segment(params, view->frame) && params->events &&
        params->events->drawing)
        status = params->events->drawing(params->user, view->frame);
    if (status != STATUS_OK)
        return status;
    const bool wanted = is_wanted(params, view->frame);
    if (wanted && pipeline->encoders)
        return draw_frame(pipeline, view, under_way);
    status = wanted ? lend(pipeline, view) : renderer_observe(params->renderer, view);
    if (status == STATUS_OK)
        status = renderer_uploaded(params->renderer);
    return status == STATUS_OK ? queue_push(pipeline->free_views, view) : status;
}

static enum status draw_all(struct pipeline *pipeline)
{
    struct picture *under_way = NULL;
    enum status status = STATUS_OK;
    bool metered = pipeline->params->metered;
    void *item;
    while (status == STATUS_OK) {
        ranks_rest(true);
        const bool there = queue_pop(pipeline->views, &item) == STATUS_OK;
        ranks_rest(false);
        if (!there)
            break;
        status = take_view(pipeline, item, !metered, &under_way);
        metered = true;
    }
    return status == STATUS_OK ? land(pipeline, under_way) : status;
}

static enum status bind_and_draw(struct pipeline *pipeline)
{
    enum status status = renderer_bind(pipeline->params->renderer);
    if (status == STATUS_OK) {
        status = draw_all(pipeline);
        renderer_unbind(pipeline->params->renderer);
    }
    if (status != STATUS_OK) {
        queue_abort(pipeline->views);
        queue_abort(pipeline->free_views);
    }
    return status;
}

static void *draw(void *argument)
{
    struct pipeline *pipeline = argument;
    if (pipeline->together)
        ranks_enter(LANE_DRAW);
    enum status status = pipeline->params->renderer ? bind_and_draw(pipeline) : STATUS_OK;
    if (pipeline->together) {
        status = ranks_scope(status);
        ranks_leave();
    }
    if (status != STATUS_OK) {
        end_stage(pipeline, STAGE_DRAW, status);
        queue_abort(pipeline->views);
        queue_abort(pipeline->free_views);
    }
    if (pipeline->encoders)
        end_stage(pipeline, STAGE_ENCODE, encoders_finish(pipeline->encoders));
    end_thread(pipeline);
    return NULL;
}

static struct pipeline_progress progress_now(struct pipeline *pipeline, double start)
{
    const struct encoders_progress encoded =
        pipeline->encoders ? encoders_progress(pipeline->encoders) : (struct encoders_progress){0};
    pthread_mutex_lock(&pipeline->lock);
    struct pipeline_progress progress = pipeline->progress;
    pthread_mutex_unlock(&pipeline->lock);
    progress.done[STAGE_ENCODE] = encoded.done;
    progress.busy[STAGE_ENCODE] = encoded.busy;
    progress.time = encoded.time;
    progress.bytes = encoded.bytes;
    progress.safe = encoded.safe;
    progress.pictures = encoded.waiting;
    progress.views = queue_length(pipeline->views);
    progress.elapsed = clock_seconds() - start;
    return progress;
}

static void watch(struct pipeline *pipeline, double start)
{
    const struct pipeline_params *params = pipeline->params;
    ranks_rest(true);
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
        pthread_mutex_unlock(&pipeline->lock);
        const struct pipeline_progress progress = progress_now(pipeline, start);
        params->tick(params->tick_user, &progress);
        pthread_mutex_lock(&pipeline->lock);
    }
    pthread_mutex_unlock(&pipeline->lock);
    ranks_rest(false);
}

uint64_t pipeline_pictures(unsigned encoders, uint64_t segment_length, bool keeps)
{
    /* While the first segment in progress is encoded, the pictures of the others must fit. */
    const uint64_t others = encoders > 1 ? encoders * segment_length : keeps ? segment_length : 0;
    return others < PICTURES_MOST ? PICTURES_LEAST + others : PICTURES_MOST;
}

static enum status create_encoders(struct pipeline *pipeline)
{
    const struct pipeline_params *params = pipeline->params;
    const uint64_t room = params->memory / renderer_picture_bytes(params->renderer);
    const bool keeps = params->segment_length > 0 && params->segments->keep;
    const uint64_t useful = pipeline_pictures(params->encoders, params->segment_length, keeps);
    const struct encoders_params wanted = {
        .renderer = params->renderer,
        .ops = params->segments,
        .user = params->user,
        .first = params->first,
        .last = params->last,
        .length = params->segment_length,
        .count = params->encoders,
        .keeps = keeps && room >= params->segment_length + PICTURES_LEAST,
        .pictures = (size_t)(room < PICTURES_LEAST ? PICTURES_LEAST
                             : room < useful       ? room
                                                   : useful),
    };
    return encoders_open(&pipeline->encoders, &wanted);
}

static enum status create_pools(struct pipeline *pipeline, struct view **views)
{
    enum status status = STATUS_OK;
    const struct simulation *first = pipeline->params->simulations[0];
    const int count = views_in_flight(simulation_solver(first)->count);
    pipeline->views = queue_create(VIEWS_IN_FLIGHT);
    pipeline->free_views = queue_create(VIEWS_IN_FLIGHT);
    for (int i = 0; status == STATUS_OK && i < count; i++) {
        status = views_create(pipeline->params->simulations, pipeline->params->simulation_count,
                              &views[i]);
        if (status == STATUS_OK)
            status = queue_push(pipeline->free_views, views[i]);
    }
    return status == STATUS_OK && pipeline->params->segments ? create_encoders(pipeline) : status;
}

/* The other ranks learn that this one has no thread for a stage. */
static void tell_lane(enum ranks_lane lane, enum status status)
{
    ranks_leave();
    ranks_enter(lane);
    (void)ranks_scope(status);
    ranks_leave();
    ranks_enter(LANE_MAIN);
}

static enum status run_threads(struct pipeline *pipeline, double start)
{
    void *(*const bodies[])(void *) = {draw, simulate};
    static const enum stage stages[] = {STAGE_DRAW, STAGE_SIMULATE};
    static const enum ranks_lane lanes[] = {LANE_DRAW, LANE_SIMULATE};
    enum { THREADS = sizeof bodies / sizeof bodies[0] };
    pthread_t threads[THREADS];
    int begun = 0;
    pipeline->running = THREADS;
    int error = 0;
    while (begun < THREADS &&
           (error = pthread_create(&threads[begun], NULL, bodies[begun], pipeline)) == 0)
        begun++;
    enum status status = STATUS_OK;
    if (error) {
        status = status_fail(STATUS_RUNTIME, "cannot start a thread for the %s: %s; %s",
                             stage_name(stages[begun]), strerror(error),
                             limits_advice("close other programs"));
        pthread_mutex_lock(&pipeline->lock);
        pipeline->running -= THREADS - begun;
        pthread_mutex_unlock(&pipeline->lock);
        queue_abort(pipeline->views);
        queue_abort(pipeline->free_views);
        if (begun == 0 && pipeline->encoders)
            encoders_finish(pipeline->encoders);
        for (int s = begun; s < THREADS && pipeline->together; s++)
            tell_lane(lanes[s], status);
    }
    watch(pipeline, start);
    for (int s = 0; s < begun; s++)
        pthread_join(threads[s], NULL);
    return status;
}

static uint64_t count_wanted(const struct pipeline_params *params)
{
    uint64_t count = 0;
    for (uint64_t frame = params->first; frame <= params->last; frame++)
        count += is_wanted(params, frame);
    return count;
}

/* All ranks end with the first failure, and with rank 0's progress. */
static enum status agree_on_end(enum status status, struct pipeline_progress *progress)
{
    struct failure first = {0};
    failure_keep(&first, ranks_agree(status));
    failure_keep(&first, ranks_first(progress, sizeof *progress));
    return failure_report(&first);
}

enum status pipeline_run(const struct pipeline_params *params, struct pipeline_progress *progress)
{
    struct pipeline pipeline = {.params = params, .together = ranks_are_together()};
    struct view *views[VIEWS_IN_FLIGHT] = {0};
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&pipeline.ended, &monotonic);
    pthread_condattr_destroy(&monotonic);
    pthread_mutex_init(&pipeline.lock, NULL);
    pipeline.progress.wanted = count_wanted(params);
    pipeline.progress.failed = STAGE_COUNT;

    const double start = clock_seconds();
    enum status status = create_pools(&pipeline, views);
    if (pipeline.together)
        status = ranks_agree(status);
    if (status == STATUS_OK) {
        status = run_threads(&pipeline, start);
        pipeline.progress = progress_now(&pipeline, start);
        pipeline.progress.device_memory = simulation_device_memory(params->simulations[0]);
    }
    *progress = pipeline.progress;
    if (status == STATUS_OK)
        status = failure_report(&pipeline.failure);
    if (status == STATUS_OK && pipeline.encoders && progress->done[STAGE_ENCODE] < progress->wanted)
        status = STATUS_STOPPED;
    if (pipeline.together)
        status = agree_on_end(status, progress);

    encoders_close(&pipeline.encoders);
    for (int i = 0; i < VIEWS_IN_FLIGHT; i++)
        views_destroy(params->simulations, &views[i]);
    queue_destroy(&pipeline.views);
    queue_destroy(&pipeline.free_views);
    pthread_cond_destroy(&pipeline.ended);
    pthread_mutex_destroy(&pipeline.lock);
    return status;
}
