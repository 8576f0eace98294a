#include "render/sink/png.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/queue.h"
#include "render/picture/png_file.h"
#include "render/picture/png_name.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEY_MAX = 79 };

struct png_job {
    struct picture picture; /* owns its pixels */
    uint64_t number;        /* of the picture within this run */
};

struct png_sink {
    struct sink base;
    uint64_t first_frame;
    char *path;
    struct png_settings settings;

    struct queue *work, *idle; /* pictures circulate in a ring of `job_count` */
    struct png_job *jobs;
    uint32_t job_count;
    pthread_t *workers;
    uint32_t worker_count;

    pthread_mutex_t lock; /* protects everything below */
    struct failure failure;
    uint64_t done, bytes;
    uint8_t *written; /* a bit per picture, so that a run can be undone */
    size_t written_size;
};

static void take_result(struct png_sink *png, enum status status, uint64_t number, uint64_t bytes)
{
    pthread_mutex_lock(&png->lock);
    failure_keep(&png->failure, status);
    if (status == STATUS_OK) {
        png->written[number / 8] |= (uint8_t)(1u << number % 8);
        png->done++;
        png->bytes += bytes;
    }
    pthread_mutex_unlock(&png->lock);
}

/* The first failure so far, else how much is done. */
static enum status look_up(struct png_sink *png, uint64_t *done, uint64_t *bytes)
{
    pthread_mutex_lock(&png->lock);
    enum status status = failure_report(&png->failure);
    *done = png->done;
    *bytes = png->bytes;
    pthread_mutex_unlock(&png->lock);
    return status;
}

static void *work(void *argument)
{
    struct png_sink *png = argument;
    void *item;
    while (queue_pop(png->work, &item) == STATUS_OK) {
        struct png_job *job = item;
        uint64_t done, bytes;
        if (look_up(png, &done, &bytes) == STATUS_OK) {
            char name[PATH_MAX];
            enum status status =
                png_name(png->path, png->first_frame + job->number, name, sizeof name);
            if (status == STATUS_OK)
                status = png_file_write(name, &job->picture, &png->settings, done, &bytes);
            take_result(png, status, job->number, bytes);
        }
        queue_push(png->idle, job);
    }
    return NULL;
}

static enum status png_plan(const struct sink_params *params, struct sink_plan *plan)
{
    char name[PATH_MAX];
    if (params->png_bits != 8 && params->png_bits != 16)
        return status_fail(STATUS_USAGE,
                           "a PNG with %u bits per channel is not possible; use 8 or 16",
                           params->png_bits);
    if (params->png_level > 9)
        return status_fail(STATUS_USAGE, "PNG compression level %u is out of range; use 0 to 9",
                           params->png_level);
    for (size_t i = 0; i < params->tags.count; i++) {
        size_t length = strlen(params->tags.list[i].name);
        if (length == 0 || length > KEY_MAX)
            return status_fail(STATUS_USAGE,
                               "the key '%s' of a PNG text must have 1 to %d characters",
                               params->tags.list[i].name, KEY_MAX);
    }
    *plan = (struct sink_plan){.format = picture_format_rgba(params->png_bits, params->alpha)};
    png_file_libraries(plan->libraries, sizeof plan->libraries);
    snprintf(plan->description, sizeof plan->description, "PNG %u bits level %u, %u thread%s%s",
             params->png_bits, params->png_level, params->threads, params->threads == 1 ? "" : "s",
             params->alpha == ALPHA_STRAIGHT        ? ", straight alpha"
             : params->alpha == ALPHA_PREMULTIPLIED ? ", premultiplied alpha"
                                                    : "");
    return png_name(params->path, params->first_frame, name, sizeof name);
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

static enum status make_jobs(struct png_sink *png, const struct sink_params *params)
{
    uint32_t count = params->threads + 1;
    png->jobs = memory_new(count, sizeof *png->jobs);
    png->workers = memory_new(params->threads, sizeof *png->workers);
    png->work = queue_create(count);
    png->idle = queue_create(count);
    for (; png->job_count < count; png->job_count++) {
        struct picture *picture = &png->jobs[png->job_count].picture;
        picture_layout(&picture->layout, png->base.format, params->width, params->height);
        picture->data = malloc(picture->layout.size);
        if (!picture->data)
            return status_fail(STATUS_RUNTIME,
                               "not enough memory for %u pictures of %zu bytes; use fewer "
                               "output.threads",
                               count, picture->layout.size);
        queue_push(png->idle, &png->jobs[png->job_count]);
    }
    return STATUS_OK;
}

static enum status start_workers(struct png_sink *png, uint32_t threads)
{
    for (; png->worker_count < threads; png->worker_count++) {
        int error = pthread_create(&png->workers[png->worker_count], NULL, work, png);
        if (error)
            return status_fail(STATUS_RUNTIME,
                               "cannot start thread %u of %u for PNG files: %s; use fewer "
                               "output.threads",
                               png->worker_count + 1, threads, strerror(error));
    }
    return STATUS_OK;
}

static void join(struct png_sink *png)
{
    if (png->work)
        queue_finish(png->work);
    for (uint32_t i = 0; i < png->worker_count; i++)
        pthread_join(png->workers[i], NULL);
    png->worker_count = 0;
}

static void release(struct png_sink *png)
{
    join(png);
    queue_destroy(&png->work);
    queue_destroy(&png->idle);
    for (uint32_t i = 0; i < png->job_count; i++)
        free(png->jobs[i].picture.data);
    tags_free(&png->settings.tags);
    free(png->jobs);
    free(png->workers);
    free(png->path);
    free(png->written);
    pthread_mutex_destroy(&png->lock);
    free(png);
}

static enum status png_open(const struct sink_params *params, struct sink **out)
{
    *out = NULL;
    struct sink_plan plan;
    enum status status = png_plan(params, &plan);
    if (status == STATUS_OK)
        status = make_folder(params);
    if (status != STATUS_OK)
        return status;
    struct png_sink *png = memory_new(1, sizeof *png);
    pthread_mutex_init(&png->lock, NULL);
    sink_start(&png->base, &sink_png, params, &plan);
    png->first_frame = params->first_frame;
    png->settings.level = (int)params->png_level;
    png->path = memory_text(params->path);
    for (size_t i = 0; i < params->tags.count; i++)
        tags_add(&png->settings.tags, params->tags.list[i].name, params->tags.list[i].value);
    status = make_jobs(png, params);
    if (status == STATUS_OK)
        status = start_workers(png, params->threads);
    if (status != STATUS_OK) {
        release(png);
        return status;
    }
    *out = &png->base;
    return STATUS_OK;
}

static void make_room(struct png_sink *png, uint64_t number)
{
    pthread_mutex_lock(&png->lock);
    if (number / 8 >= png->written_size) {
        size_t size = png->written_size ? 2 * png->written_size : 64;
        png->written = memory_grow(png->written, size, 1);
        memset(png->written + png->written_size, 0, size - png->written_size);
        png->written_size = size;
    }
    pthread_mutex_unlock(&png->lock);
}

static enum status png_write(struct sink *sink, const struct picture *picture)
{
    struct png_sink *png = (struct png_sink *)sink;
    enum status status = sink_check_picture(sink, picture);
    uint64_t done;
    if (status == STATUS_OK)
        status = look_up(png, &done, &sink->bytes);
    if (status != STATUS_OK)
        return status;
    void *item;
    make_room(png, sink->frames);
    status = queue_pop(png->idle, &item);
    if (status != STATUS_OK)
        return status;
    struct png_job *job = item;
    const struct picture_layout *from = &picture->layout, *to = &job->picture.layout;
    for (uint32_t y = 0; y < to->height; y++)
        memcpy(job->picture.data + (size_t)y * to->plane[0].stride,
               picture->data + from->plane[0].offset + (size_t)y * from->plane[0].stride,
               to->plane[0].bytes);
    job->number = sink->frames;
    sink->frames++;
    return queue_push(png->work, job);
}

static void remove_written(struct png_sink *png)
{
    for (uint64_t number = 0; number < png->base.frames; number++) {
        char name[PATH_MAX];
        bool ours = png->written[number / 8] >> number % 8 & 1;
        if (ours && png_name(png->path, png->first_frame + number, name, sizeof name) == STATUS_OK)
            unlink(name);
    }
}

static enum status png_close(struct sink **sink, bool keep, uint64_t *frames, uint64_t *bytes)
{
    struct png_sink *png = (struct png_sink *)*sink;
    join(png);
    enum status status = keep ? failure_report(&png->failure) : STATUS_OK;
    if (!keep)
        remove_written(png);
    if (frames)
        *frames = keep ? png->done : 0;
    if (bytes)
        *bytes = keep ? png->bytes : 0;
    release(png);
    *sink = NULL;
    return status;
}

const struct sink_ops sink_png = {
    .name = "png",
    .doc = "a PNG file per picture, 8 or 16 bits per channel",
    .binary = true,
    .sequence = true,
    .plan = png_plan,
    .open = png_open,
    .write = png_write,
    .close = png_close,
};
