#include "cmd/film/forecast/trial.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/machine.h"
#include "base/stop.h"
#include "render/picture/png_pdf.h"
#include "render/sinks.h"
#include "render/video/codecs.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Chooses the format of the film's target, so that encoder and container are the same. */
static void choose_format(struct trial *trial)
{
    const struct target *target = trial->target;
    const struct sink_params *params = &target->params;
    const char *format = *params->format ? params->format : file_extension(params->path);
    if (target->work_folder && target->plan.container)
        format = target->plan.container->name;
    else if (!*params->format && strcmp(params->path, "-") == 0)
        format = "mkv";
    snprintf(trial->format, sizeof trial->format, "%s", format);
    const struct sink_ops *ops;
    const struct sink_params chosen = {.path = "", .format = trial->format};
    trial->sequence = sink_choose(&chosen, &ops) == STATUS_OK && ops->sequence;
}

enum status trial_open(struct trial *out, const struct target *target, struct film *film,
                       volatile sig_atomic_t *stop)
{
    *out = (struct trial){.target = target, .film = film, .stop = stop};
    pthread_mutex_init(&out->lock, NULL);
    choose_format(out);
    return temporary_open(&out->temporary);
}

void trial_close(struct trial *trial)
{
    if (!trial->target)
        return;
    temporary_close(&trial->temporary);
    pthread_mutex_destroy(&trial->lock);
    *trial = (struct trial){0};
}

enum { PATH_SIZE = 320 };

static void segment_path(const struct trial *trial, uint64_t segment, char *path)
{
    if (trial->sequence)
        snprintf(path, PATH_SIZE, "%s/%%08d.%s", trial->temporary.folder, trial->format);
    else
        snprintf(path, PATH_SIZE, "%s/%llu.%s", trial->temporary.folder,
                 (unsigned long long)segment, trial->format);
}

static enum status open_segment(void *user, uint64_t segment, uint64_t *frames, struct sink **sink)
{
    (void)frames;
    const struct trial *trial = user;
    struct sink_params params = trial->target->params;
    char path[PATH_SIZE];
    segment_path(trial, segment, path);
    params.path = path;
    params.format = trial->format;
    params.first_frame = 0;
    if (trial->sequence && params.output.threads < machine_processors())
        params.output.threads = machine_processors();
    return sink_open(&params, sink);
}

static void remove_segment(const struct trial *trial, uint64_t segment, uint64_t frames)
{
    char path[PATH_SIZE], name[PATH_SIZE + 32];
    segment_path(trial, segment, path);
    if (!trial->sequence)
        unlink(path);
    for (uint64_t f = 0; trial->sequence && f < frames; f++)
        if (png_name(path, f, name, sizeof name) == STATUS_OK)
            unlink(name);
}

static enum status close_segment(void *user, uint64_t segment, struct sink **sink, uint64_t frames,
                                 bool whole, bool broken)
{
    struct trial *trial = user;
    uint64_t bytes = 0;
    const uint64_t memory = machine_memory_now();
    enum status status = (*sink)->ops->close(sink, whole && !broken, NULL, &bytes);
    remove_segment(trial, segment, frames);
    pthread_mutex_lock(&trial->lock);
    trial->bytes += bytes;
    trial->segments++;
    trial->memory = memory;
    pthread_mutex_unlock(&trial->lock);
    return status;
}

static const struct segment_ops segment_ops = {.open = open_segment, .close = close_segment};

enum status trial_clip(struct trial *trial, uint64_t first, uint64_t count, struct clip *clip)
{
    struct film *film = trial->film;
    const uint64_t length = trial->target->encoders > 1
                                ? (count + trial->target->encoders - 1) / trial->target->encoders
                                : 0;
    const struct pipeline_params params = {
        .simulations = film->simulations,
        .simulation_count = film->simulation_count,
        .renderer = film->renderer,
        .metered = trial->metered,
        .segments = &segment_ops,
        .user = trial,
        .first = first,
        .last = first + count - 1,
        .segment_length = length,
        .encoders = trial->target->encoders,
        .memory = (uint64_t)256 << 20,
        .stop = trial->stop,
    };
    trial->bytes = trial->segments = 0;
    const clock_t worked = clock();
    const double since = clock_seconds();
    enum status status = pipeline_run(&params, &clip->progress);
    clip->seconds = clock_seconds() - since;
    clip->processor_seconds = (double)(clock() - worked) / CLOCKS_PER_SEC;
    clip->frames = clip->progress.done[STAGE_ENCODE];
    clip->bytes = trial->bytes;
    clip->segments = trial->segments;
    clip->memory = trial->memory;
    trial->metered |= status == STATUS_OK;
    return status;
}

/* The sink's bytes grow with the first packet; after it the encoder outputs one packet per picture.
 * Writes a few more pictures, because threads hold some. */
static enum status fill_encoder(struct trial *trial, struct sink *sink, struct picture *picture,
                                uint64_t frames, double seconds)
{
    enum { AFTER = 12 };
    const double until = clock_seconds() + seconds;
    uint64_t left = frames;
    uint64_t header = 0;
    enum status status = STATUS_OK;
    for (bool given = false; left > 0 && status == STATUS_OK; left--) {
        status = sink->ops->write(sink, picture);
        picture->frame++;
        header = header ? header : sink->bytes;
        if (!given && sink->bytes > header && left > AFTER) {
            given = true;
            left = AFTER;
        }
        if (stop_asked(trial->stop))
            return STATUS_STOPPED;
        if (clock_seconds() > until)
            break;
    }
    return status;
}

static enum status use_picture(struct trial *trial, uint64_t frames, double seconds,
                               uint64_t *bytes)
{
    struct renderer *renderer = trial->film->renderer;
    struct picture *picture;
    struct sink *sink = NULL;
    enum status status = renderer_picture_create(renderer, &picture);
    if (status != STATUS_OK)
        return status;
    memset(picture->data, 0, picture->layout.size);
    picture->frame = 0;
    const uint64_t before = machine_memory_now();
    status = open_segment(trial, 0, NULL, &sink);
    if (status == STATUS_OK)
        status = fill_encoder(trial, sink, picture, frames, seconds);
    const uint64_t after = machine_memory_now();
    *bytes = after > before ? after - before : 0;
    if (sink)
        sink->ops->close(&sink, false, NULL, NULL);
    remove_segment(trial, 0, frames);
    renderer_picture_destroy(renderer, &picture);
    return status;
}

enum status trial_encoder(struct trial *trial, uint64_t frames, double seconds, uint64_t *bytes)
{
    *bytes = 0;
    if (!trial->target->plan.codec || frames == 0)
        return STATUS_OK;
    enum status status = renderer_bind(trial->film->renderer);
    if (status != STATUS_OK)
        return status;
    status = use_picture(trial, frames, seconds, bytes);
    renderer_unbind(trial->film->renderer);
    return status;
}
