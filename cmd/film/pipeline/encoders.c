#include "cmd/film/pipeline/encoders.h"

#include "base/clock.h"
#include "base/memory.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/queue.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

/* Pictures are allocated in blocks of at most this many bytes. */
enum { ENCODERS_MAX = 256, BLOCK = 64 << 20 };

struct segment {
    uint64_t index;
    struct queue *pictures;
    bool complete; /* read and written atomically: all its pictures have arrived */
};

/* Encoded pictures of a segment that may remain incomplete. */
struct kept {
    struct picture **pictures; /* [length]; NULL: not kept */
    size_t count;
};

struct worker {
    struct encoders *encoders;
    unsigned number;
};

struct encoders {
    struct encoders_params params;
    struct queue *segments, *spare; /* spare: pictures to draw into */
    struct picture **pictures;      /* all that were allocated */
    size_t made, used;              /* used: how many have been drawn into */
    struct segment *current;        /* that receives pictures now */
    struct worker workers[ENCODERS_MAX];
    pthread_t threads[ENCODERS_MAX];
    unsigned started;

    pthread_mutex_t lock; /* protects everything below */
    struct encoders_progress progress;
    uint64_t closed_bytes;
    uint64_t open_bytes[ENCODERS_MAX];
    struct failure failure;
};

static void fail(struct encoders *encoders, enum status status)
{
    pthread_mutex_lock(&encoders->lock);
    failure_keep(&encoders->failure, status);
    pthread_mutex_unlock(&encoders->lock);
    queue_abort(encoders->spare); /* stops the drawing */
}

static bool has_failed(struct encoders *encoders)
{
    pthread_mutex_lock(&encoders->lock);
    const bool failed = encoders->failure.status != STATUS_OK;
    pthread_mutex_unlock(&encoders->lock);
    return failed;
}

static void free_segment(struct segment *segment)
{
    queue_destroy(&segment->pictures);
    free(segment);
}

/* Number of the run's frames in a segment. */
static uint64_t segment_frames(const struct encoders_params *params, uint64_t index)
{
    if (params->length == 0)
        return params->last - params->first + 1;
    uint64_t first = index * params->length, last = first + params->length - 1;
    first = first < params->first ? params->first : first;
    last = last > params->last ? params->last : last;
    return last - first + 1;
}

static enum status write_picture(struct encoders *encoders, struct sink *sink,
                                 struct picture *picture, unsigned worker)
{
    double since = clock_seconds();
    enum status status = sink->ops->write(sink, picture);
    pthread_mutex_lock(&encoders->lock);
    encoders->progress.busy += (clock_seconds() - since) / encoders->params.count;
    encoders->progress.waiting--;
    if (status == STATUS_OK) {
        encoders->progress.done++;
        if (picture->time > encoders->progress.time)
            encoders->progress.time = picture->time;
        encoders->open_bytes[worker] = sink->bytes;
    }
    pthread_mutex_unlock(&encoders->lock);
    return status;
}

static void close_segment(struct encoders *encoders, const struct segment *segment,
                          struct sink **sink, uint64_t frames, uint64_t written, bool broken,
                          unsigned worker)
{
    const struct encoders_params *params = &encoders->params;
    const bool whole = !broken && frames == segment_frames(params, segment->index);
    const uint64_t bytes = (*sink)->bytes;
    double since = clock_seconds();
    enum status status =
        params->ops->close(params->user, segment->index, sink, frames, whole, broken);
    pthread_mutex_lock(&encoders->lock);
    encoders->progress.busy += (clock_seconds() - since) / params->count;
    encoders->closed_bytes += bytes;
    encoders->progress.safe += whole && status == STATUS_OK ? written : 0;
    encoders->open_bytes[worker] = 0;
    pthread_mutex_unlock(&encoders->lock);
    if (status != STATUS_OK)
        fail(encoders, status);
}

static void release(struct encoders *encoders, struct kept *kept)
{
    for (size_t i = 0; i < kept->count; i++)
        queue_push(encoders->spare, kept->pictures[i]);
    kept->count = 0;
}

/* Keeps an encoded picture, or makes it available for drawing. */
static void put_away(struct encoders *encoders, const struct segment *segment, struct kept *kept,
                     struct picture *picture)
{
    if (kept->pictures && !__atomic_load_n(&segment->complete, __ATOMIC_RELAXED)) {
        kept->pictures[kept->count++] = picture;
        return;
    }
    release(encoders, kept);
    queue_push(encoders->spare, picture);
}

/* Encoders may do most of their work when a segment ends; its pictures are free before that. */
static void finish_segment(struct encoders *encoders, const struct segment *segment,
                           struct sink **sink, uint64_t frames, uint64_t written, bool broken,
                           struct kept *kept, unsigned worker)
{
    const struct encoders_params *params = &encoders->params;
    if (kept->count > 0 && frames < segment_frames(params, segment->index) && !has_failed(encoders))
        params->ops->keep(params->user, segment->index, frames, kept->pictures, kept->count);
    release(encoders, kept);
    close_segment(encoders, segment, sink, frames, written, broken, worker);
}

/* Takes pictures until no more can come, even after a failure: only then is the segment free. */
static void encode_segment(struct encoders *encoders, const struct segment *segment,
                           unsigned worker)
{
    const struct encoders_params *params = &encoders->params;
    struct sink *sink = NULL;
    struct kept kept = {0};
    uint64_t before = 0, written = 0;
    enum status status = STATUS_STOPPED;
    if (params->keeps && params->ops->keep)
        kept.pictures = memory_new((size_t)params->length, sizeof(struct picture *));
    if (!has_failed(encoders)) {
        status = params->ops->open(params->user, segment->index, &before, &sink);
        if (status != STATUS_OK)
            fail(encoders, status);
    }
    void *item;
    while (queue_pop(segment->pictures, &item) == STATUS_OK) {
        if (status == STATUS_OK) {
            status = write_picture(encoders, sink, item, worker);
            written += status == STATUS_OK;
            if (status != STATUS_OK)
                fail(encoders, status);
        }
        put_away(encoders, segment, &kept, item);
    }
    if (sink)
        finish_segment(encoders, segment, &sink, before + written, written, status != STATUS_OK,
                       &kept, worker);
    release(encoders, &kept);
    free(kept.pictures);
}

/* Lowers the priority: encoders have work for every processor, but what feeds them comes first.
 * Threads started by an encoder inherit the priority. */
static void step_back(void)
{
    enum { NICER = 5 };
    if (setpriority(PRIO_PROCESS, (id_t)gettid(), NICER) != 0)
        log_debug("encoders keep their priority");
}

static void *work(void *argument)
{
    const struct worker *worker = argument;
    step_back();
    void *item;
    while (queue_pop(worker->encoders->segments, &item) == STATUS_OK) {
        encode_segment(worker->encoders, item, worker->number);
        free_segment(item);
    }
    return NULL;
}

static enum status start_threads(struct encoders *encoders)
{
    for (unsigned i = 0; i < encoders->params.count; i++) {
        encoders->workers[i] = (struct worker){encoders, i};
        const int error = pthread_create(&encoders->threads[i], NULL, work, &encoders->workers[i]);
        if (error)
            return status_fail(STATUS_RUNTIME, "cannot start a thread for encoder %u of %u: %s; %s",
                               i + 1, encoders->params.count, strerror(error),
                               limits_advice("ask for fewer encoders with --encoders"));
        encoders->started++;
    }
    return STATUS_OK;
}

unsigned encoders_default_count(unsigned threads)
{
    return 2 * machine_processors() / (threads ? threads : 1) + 1;
}

enum status encoders_open(struct encoders **out, const struct encoders_params *params)
{
    struct encoders *encoders = *out = memory_new(1, sizeof *encoders);
    encoders->params = *params;
    if (encoders->params.count > ENCODERS_MAX)
        encoders->params.count = ENCODERS_MAX;
    const uint64_t frames = params->last - params->first + 1;
    if (encoders->params.pictures > frames)
        encoders->params.pictures = (size_t)frames;
    pthread_mutex_init(&encoders->lock, NULL);
    encoders->pictures = memory_new(encoders->params.pictures, sizeof(struct picture *));
    encoders->spare = queue_create(encoders->params.pictures);
    /* Every waiting segment has at least one picture. */
    encoders->segments = queue_create(encoders->params.pictures);
    enum status status = start_threads(encoders);
    if (status != STATUS_OK) {
        failure_keep(&encoders->failure, status);
        status = encoders_finish(encoders);
        encoders_close(out);
    }
    return status;
}

/* Allocates the next pictures in one block; each is used when it is needed. */
static enum status make_pictures(struct encoders *encoders)
{
    const struct encoders_params *params = &encoders->params;
    const size_t left = params->pictures - encoders->made;
    const size_t block = BLOCK / renderer_picture_bytes(params->renderer);
    const size_t count = block >= left ? left : block > 0 ? block : 1;
    enum status status =
        renderer_pictures_create(params->renderer, count, encoders->pictures + encoders->made);
    if (status == STATUS_OK)
        encoders->made += count;
    return status;
}

enum status encoders_picture(struct encoders *encoders, struct picture **out)
{
    void *item;
    *out = NULL;
    if (queue_length(encoders->spare) == 0 && encoders->used < encoders->params.pictures) {
        enum status status = encoders->used == encoders->made ? make_pictures(encoders) : STATUS_OK;
        if (status == STATUS_OK)
            *out = encoders->pictures[encoders->used++];
        return status;
    }
    enum status status = queue_pop(encoders->spare, &item);
    if (status == STATUS_OK)
        *out = item;
    return status;
}

static enum status begin_segment(struct encoders *encoders, uint64_t index)
{
    struct segment *segment = memory_new(1, sizeof *segment);
    segment->index = index;
    segment->pictures = queue_create(encoders->params.pictures);
    enum status status = queue_push(encoders->segments, segment);
    if (status == STATUS_OK)
        encoders->current = segment;
    else
        free_segment(segment);
    return status;
}

/* A finished segment belongs to the thread that encodes it. */
static void end_segment(struct encoders *encoders)
{
    if (encoders->current)
        queue_finish(encoders->current->pictures);
    encoders->current = NULL;
}

enum status encoders_put(struct encoders *encoders, struct picture *picture)
{
    const uint64_t length = encoders->params.length;
    const uint64_t index = length ? picture->frame / length : 0;
    enum status status = STATUS_OK;
    if (has_failed(encoders))
        return STATUS_STOPPED;
    pthread_mutex_lock(&encoders->lock);
    encoders->progress.waiting++;
    pthread_mutex_unlock(&encoders->lock);
    if (!encoders->current || encoders->current->index != index) {
        if (encoders->current)
            __atomic_store_n(&encoders->current->complete, true, __ATOMIC_RELAXED);
        end_segment(encoders);
        status = begin_segment(encoders, index);
    }
    return status == STATUS_OK ? queue_push(encoders->current->pictures, picture) : status;
}

enum status encoders_finish(struct encoders *encoders)
{
    end_segment(encoders);
    if (encoders->segments)
        queue_finish(encoders->segments);
    for (unsigned i = 0; i < encoders->started; i++)
        pthread_join(encoders->threads[i], NULL);
    encoders->started = 0;
    return failure_report(&encoders->failure);
}

struct encoders_progress encoders_progress(struct encoders *encoders)
{
    pthread_mutex_lock(&encoders->lock);
    struct encoders_progress progress = encoders->progress;
    progress.bytes = encoders->closed_bytes;
    for (unsigned i = 0; i < encoders->params.count; i++)
        progress.bytes += encoders->open_bytes[i];
    pthread_mutex_unlock(&encoders->lock);
    return progress;
}

void encoders_close(struct encoders **encoders)
{
    struct encoders *self = *encoders;
    if (!self)
        return;
    for (size_t i = 0; i < self->made; i++)
        renderer_picture_destroy(self->params.renderer, &self->pictures[i]);
    free(self->pictures);
    queue_destroy(&self->segments);
    queue_destroy(&self->spare);
    pthread_mutex_destroy(&self->lock);
    free(self);
    *encoders = NULL;
}
