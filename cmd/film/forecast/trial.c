#include "cmd/film/forecast/trial.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/functions/fn.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/queue.h"
#include "render/picture/png_pdf.h"
#include "cmd/film/start/panels.h"
#include "base/status.h"
#include "render/sinks.h"
#include "render/video/codecs.h"
#include "sim/gravity/force.h"
#include "sim/integrators/integrator.h"

#include <stdio.h>
#include <stdlib.h>
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
    if (ranks_are_together() && ranks_own() > 0)
        return STATUS_OK; /* rank 0 encodes */
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
        .segments = ranks_are_together() && ranks_own() > 0 ? NULL : &segment_ops,
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

/* ==== reaching a later frame ==== */

struct fast_forward {
    struct film *film;
    struct simulation *simulation;
    struct simulation_state state;
};

static const double rough_error = 1e-2; /* of a tree's forces */

/* For all pairs. With all sources each pair serves both of its bodies, so half of the sources would
 * cost as much as all. */
static uint32_t choose_subset(const struct fast_forward_params *params)
{
    const double all = params->frame_seconds / 2 * (double)params->frames;
    uint32_t subset = all <= params->seconds ? 1 : 4;
    while (subset > 1 && subset < 16 && 2 * all / subset > params->seconds)
        subset *= 2;
    return subset;
}

static enum status open_simulation(struct fast_forward *fast_forward,
                                   const struct fast_forward_params *request)
{
    const struct film *film = fast_forward->film;
    struct film_sources sources;
    film_sources(film->scene, &sources);
    struct simulation_params params = sources.params[0];
    const uint32_t steps = (params.steps_per_frame + 1) / 2;
    params.dt *= (double)params.steps_per_frame / steps;
    params.steps_per_frame = steps;
    params.integrator = &integrator_kdk;
    const bool tree = simulation_solver(film->simulations[0])->force->ops == &force_tree;
    params.force = tree ? &force_tree : &force_fast;
    params.force_error = rough_error;
    params.damping = 1;
    params.adaptive = params.double_steps = params.long_steps = 0;
    params.subset = tree ? 1 : choose_subset(request);
    params.softening *= fn_cbrt(params.subset);
    enum status status = simulation_open(&fast_forward->simulation, &params, film->backend,
                                         film->device, film->bodies);
    if (status == STATUS_OK) {
        struct frame_clock clock = film->script.clock;
        clock.dt = params.dt;
        clock.steps_per_frame = steps;
        simulation_set_clock(fast_forward->simulation, &clock);
    }
    return status == STATUS_OK ? simulation_state_create(simulation_saved(fast_forward->simulation),
                                                         &fast_forward->state)
                               : status;
}

enum status fast_forward_open(struct fast_forward **out, struct film *film,
                              const struct fast_forward_params *params)
{
    struct fast_forward *fast_forward = *out = memory_new(1, sizeof *fast_forward);
    fast_forward->film = film;
    enum status status = open_simulation(fast_forward, params);
    if (status != STATUS_OK)
        fast_forward_close(out);
    return status;
}

void fast_forward_close(struct fast_forward **fast_forward)
{
    if (!*fast_forward)
        return;
    simulation_close(&(*fast_forward)->simulation);
    simulation_state_free(&(*fast_forward)->state);
    free(*fast_forward);
    *fast_forward = NULL;
}

/* Completes a frame once begun; earlier frames decide whether there is time for the rest. */
static enum status run_ahead(struct fast_forward *fast_forward, uint64_t frame, double seconds,
                             volatile sig_atomic_t *stop)
{
    const uint64_t begin = simulation_frame(fast_forward->simulation);
    const double since = clock_seconds();
    enum status status = STATUS_OK;
    for (uint64_t f = begin; f < frame && status == STATUS_OK; f++) {
        const double spent = clock_seconds() - since;
        if (f > begin && spent / (double)(f - begin) * (double)(frame - begin) > seconds)
            break;
        status = simulation_advance(fast_forward->simulation, f + 1, stop);
    }
    return status;
}

enum status fast_forward_go(struct fast_forward *fast_forward, uint64_t frame, double seconds,
                            volatile sig_atomic_t *stop, bool *there)
{
    struct simulation_state *state = &fast_forward->state;
    *there = false;
    enum status status = run_ahead(fast_forward, frame, seconds, stop);
    if (status != STATUS_OK || simulation_frame(fast_forward->simulation) < frame)
        return status;
    status = simulation_get_state(fast_forward->simulation, state);
    state->step = frame_clock_steps_before(&fast_forward->film->script.clock, frame);
    state->turn = 0;
    for (int i = 0; i < fast_forward->film->simulation_count && status == STATUS_OK; i++)
        status = simulation_set_state(fast_forward->film->simulations[i], state);
    *there = status == STATUS_OK;
    return status;
}
