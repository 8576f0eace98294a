/* A sink with one file per picture, in a format of picture_file.h, written by several threads. It
 * remembers which files it has written, so that a run can be undone. */
#include "base/file.h"
#include "base/memory.h"
#include "base/queue.h"
#include "render/picture/png_file.h"
#include "render/sink/sink.h"
#include "render/video/picture_file.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct job {
    struct picture picture; /* owns its pixels */
    uint64_t number;        /* number of the picture within this run */
};

struct sequence {
    struct sink base;
    const struct picture_file *file;
    struct sink_params params; /* owns its path and tags */

    struct queue *work, *idle; /* pictures circulate in a ring of `job_count` */
    struct job *jobs;
    uint32_t job_count;
    pthread_t *workers;
    uint32_t worker_count;

    pthread_mutex_t lock; /* protects everything below */
    struct failure failure;
    uint64_t done, bytes;
    uint8_t *written; /* one bit per picture, so that a run can be undone */
    size_t written_size;
};

static void take_result(struct sequence *sequence, enum status status, uint64_t number,
                        uint64_t bytes)
{
    pthread_mutex_lock(&sequence->lock);
    failure_keep(&sequence->failure, status);
    if (status == STATUS_OK) {
        sequence->written[number / 8] |= (uint8_t)(1u << number % 8);
        sequence->done++;
        sequence->bytes += bytes;
    }
    pthread_mutex_unlock(&sequence->lock);
}

/* Returns the first failure so far; otherwise, the progress. */
static enum status poll_progress(struct sequence *sequence, uint64_t *done, uint64_t *bytes)
{
    pthread_mutex_lock(&sequence->lock);
    enum status status = failure_report(&sequence->failure);
    *done = sequence->done;
    *bytes = sequence->bytes;
    pthread_mutex_unlock(&sequence->lock);
    return status;
}

static void *work(void *argument)
{
    struct sequence *sequence = argument;
    void *item;
    while (queue_pop(sequence->work, &item) == STATUS_OK) {
        struct job *job = item;
        uint64_t done, bytes;
        if (poll_progress(sequence, &done, &bytes) == STATUS_OK) {
            char name[PATH_MAX];
            enum status status =
                png_name(sequence->params.path, sequence->params.first_frame + job->number, name,
                         sizeof name);
            if (status == STATUS_OK)
                status =
                    sequence->file->write(name, &job->picture, &sequence->params, done, &bytes);
            take_result(sequence, status, job->number, bytes);
        }
        queue_push(sequence->idle, job);
    }
    return NULL;
}

static enum status make_folder(const struct sink_params *params)
{
    char name[PATH_MAX];
    enum status status = png_name(params->path, params->first_frame, name, sizeof name);
    if (status != STATUS_OK)
        return status;
    char *folder = file_folder(name);
    status = file_make_folder(folder);
    if (status == STATUS_OK && access(folder, W_OK | X_OK) != 0)
        status =
            status_fail(STATUS_IO, "cannot write into folder '%s': %s", folder, strerror(errno));
    free(folder);
    return status;
}

static enum status make_jobs(struct sequence *sequence, const struct sink_params *params)
{
    uint32_t count = params->threads + 1;
    sequence->jobs = memory_new(count, sizeof *sequence->jobs);
    sequence->workers = memory_new(params->threads, sizeof *sequence->workers);
    sequence->work = queue_create(count);
    sequence->idle = queue_create(count);
    for (; sequence->job_count < count; sequence->job_count++) {
        struct picture *picture = &sequence->jobs[sequence->job_count].picture;
        picture_layout(&picture->layout, sequence->base.format, params->width, params->height);
        picture->data = malloc(picture->layout.size);
        if (!picture->data)
            return status_fail(STATUS_RUNTIME,
                               "not enough memory for %u pictures of %zu bytes; use fewer "
                               "output.threads",
                               count, picture->layout.size);
        queue_push(sequence->idle, &sequence->jobs[sequence->job_count]);
    }
    return STATUS_OK;
}

static enum status start_workers(struct sequence *sequence, uint32_t threads)
{
    for (; sequence->worker_count < threads; sequence->worker_count++) {
        int error =
            pthread_create(&sequence->workers[sequence->worker_count], NULL, work, sequence);
        if (error)
            return status_fail(STATUS_RUNTIME, "cannot start thread %u of %u for %s files: %s; %s",
                               sequence->worker_count + 1, threads, sequence->file->kind,
                               strerror(error), limits_advice("use fewer output.threads"));
    }
    return STATUS_OK;
}

static void join(struct sequence *sequence)
{
    if (sequence->work)
        queue_finish(sequence->work);
    for (uint32_t i = 0; i < sequence->worker_count; i++)
        pthread_join(sequence->workers[i], NULL);
    sequence->worker_count = 0;
}

static void release(struct sequence *sequence)
{
    join(sequence);
    queue_destroy(&sequence->work);
    queue_destroy(&sequence->idle);
    for (uint32_t i = 0; i < sequence->job_count; i++)
        free(sequence->jobs[i].picture.data);
    tags_free(&sequence->params.tags);
    free(sequence->jobs);
    free(sequence->workers);
    free((char *)sequence->params.path);
    free(sequence->written);
    pthread_mutex_destroy(&sequence->lock);
    free(sequence);
}

static enum status sequence_plan(const struct sink_params *params, struct sink_plan *plan)
{
    char name[PATH_MAX], threads[32];
    *plan = (struct sink_plan){.pictures = choice_find(&picture_file_registry, params->format)};
    enum status status = plan->pictures->plan(params, plan);
    if (status != STATUS_OK)
        return status;
    snprintf(threads, sizeof threads, ", %u thread%s", params->threads,
             params->threads == 1 ? "" : "s");
    strncat(plan->description, threads, sizeof plan->description - strlen(plan->description) - 1);
    return png_name(params->path, params->first_frame, name, sizeof name);
}

static enum status sequence_open(const struct sink_params *params, struct sink **out)
{
    struct sink_plan plan;
    *out = NULL;
    enum status status = sequence_plan(params, &plan);
    if (status == STATUS_OK)
        status = make_folder(params);
    if (status != STATUS_OK)
        return status;
    struct sequence *sequence = memory_new(1, sizeof *sequence);
    pthread_mutex_init(&sequence->lock, NULL);
    sink_start(&sequence->base, &sink_pictures, params, &plan);
    sequence->file = plan.pictures;
    sequence->params = *params;
    sequence->params.path = memory_text(params->path);
    sequence->params.tags = (struct tags){0};
    tags_copy(&sequence->params.tags, &params->tags);
    status = make_jobs(sequence, params);
    if (status == STATUS_OK)
        status = start_workers(sequence, params->threads);
    if (status != STATUS_OK) {
        release(sequence);
        return status;
    }
    *out = &sequence->base;
    return STATUS_OK;
}

static void make_room(struct sequence *sequence, uint64_t number)
{
    pthread_mutex_lock(&sequence->lock);
    if (number / 8 >= sequence->written_size) {
        size_t size = sequence->written_size ? 2 * sequence->written_size : 64;
        sequence->written = memory_grow(sequence->written, size, 1);
        memset(sequence->written + sequence->written_size, 0, size - sequence->written_size);
        sequence->written_size = size;
    }
    pthread_mutex_unlock(&sequence->lock);
}

static enum status sequence_write(struct sink *sink, const struct picture *picture)
{
    struct sequence *sequence = (struct sequence *)sink;
    enum status status = sink_check_picture(sink, picture);
    uint64_t done;
    if (status == STATUS_OK)
        status = poll_progress(sequence, &done, &sink->bytes);
    if (status != STATUS_OK)
        return status;
    void *item;
    make_room(sequence, sink->frames);
    status = queue_pop(sequence->idle, &item);
    if (status != STATUS_OK)
        return status;
    struct job *job = item;
    const struct picture_layout *from = &picture->layout, *to = &job->picture.layout;
    for (uint32_t y = 0; y < to->height; y++)
        memcpy(job->picture.data + (size_t)y * to->plane[0].stride,
               picture->data + from->plane[0].offset + (size_t)y * from->plane[0].stride,
               to->plane[0].bytes);
    job->number = sink->frames;
    sink->frames++;
    return queue_push(sequence->work, job);
}

static void remove_written(struct sequence *sequence)
{
    for (uint64_t number = 0; number < sequence->base.frames; number++) {
        char name[PATH_MAX];
        bool ours = sequence->written[number / 8] >> number % 8 & 1;
        if (ours && png_name(sequence->params.path, sequence->params.first_frame + number, name,
                             sizeof name) == STATUS_OK)
            unlink(name);
    }
}

static enum status sequence_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct sequence *sequence = (struct sequence *)*sink;
    join(sequence);
    enum status status = keep ? failure_report(&sequence->failure) : STATUS_OK;
    if (!keep)
        remove_written(sequence);
    if (frames)
        *frames = keep ? sequence->done : 0;
    if (bytes)
        *bytes = keep ? sequence->bytes : 0;
    release(sequence);
    *sink = NULL;
    return status;
}

const struct sink_ops sink_pictures = {
    .name = "pictures",
    .doc = "a file per picture, scene-linear light as EXR, display values otherwise",
    .formats = &picture_file_registry,
    .binary = true,
    .sequence = true,
    .plan = sequence_plan,
    .open = sequence_open,
    .write = sequence_write,
    .close = sequence_close,
};
