#include "cmd/baseline/run.h"

#include "base/machine.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/film/film.h"
#include "cmd/job/job.h"
#include "cmd/job/single.h"
#include "cmd/job/target.h"
#include "cmd/record/luma.h"
#include "cmd/record/platform.h"
#include "cmd/record/readback.h"
#include "cmd/record/recorder.h"
#include "render/sinks.h"
#include "scenes/print.h"

#include <stdlib.h>
#include <string.h>

/* A scene being made. */
struct run {
    const struct run_params *params;
    struct record_hooks hooks;
    struct scene *scene; /* the film's, where a hook changes it; else NULL */
    char *path;
    struct target target;
    struct film film;
    struct recorder *recorder;
};

enum status run_path(const char *folder, const char *format, char **path)
{
    const char *name = *format ? format : "mp4";
    *path = NULL;
    if (strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789") != strlen(name) || strlen(name) > 8)
        return status_fail(STATUS_USAGE, "'%s' is no format of films", name);
    *path = strcmp(name, "png") == 0 ? text_format("%s/frames/%%06d.png", folder)
                                     : text_format("%s/film.%s", folder, name);
    return STATUS_OK;
}

/* ---- opening ---- */

static enum status plan(struct run *run, const struct scene *scene)
{
    const struct run_params *params = run->params;
    const struct target_request request = {.scene = "",
                                           .output = run->path,
                                           .format = params->format,
                                           .backend = params->backend,
                                           .device = params->device,
                                           .overwrite = true};
    enum status status = target_plan(&run->target, &request, scene);
    if (status == STATUS_OK && run->hooks.sink) {
        run->hooks.sink(run->hooks.user, &run->target.params);
        status = sink_make_plan(&run->target.params, &run->target.plan);
    }
    return status == STATUS_OK ? recorder_check(&run->target) : status;
}

/* A hook changes a copy: the record has the scene that was asked for. */
static enum status choose_scene(struct run *run)
{
    if (!run->hooks.scene)
        return STATUS_OK;
    char *text = scene_print(run->params->scene);
    enum status status = scene_parse(&run->scene, text, "the scene's copy");
    free(text);
    if (status == STATUS_OK)
        run->hooks.scene(run->hooks.user, run->scene);
    else
        run->scene = NULL;
    return status;
}

static enum status open_run(struct run *run)
{
    const struct run_params *params = run->params;
    enum status status = run_path(params->folder, params->format, &run->path);
    if (status == STATUS_OK)
        status = choose_scene(run);
    const struct scene *scene = run->scene ? run->scene : params->scene;
    if (status == STATUS_OK)
        status = plan(run, scene);
    if (status == STATUS_OK)
        status =
            film_open(&run->film, scene, params->backend, params->device, run->target.plan.format);
    if (status != STATUS_OK)
        return status;
    return recorder_open(&run->recorder,
                         &(struct recorder_params){.film = &run->film,
                                                   .scene = params->scene,
                                                   .target = &run->target,
                                                   .diagnostics = params->diagnostics,
                                                   .expected = params->expected,
                                                   .hooks = &run->hooks});
}

/* ---- the run ---- */

static struct pipeline_params pipeline_of(struct run *run)
{
    static volatile sig_atomic_t never;
    return (struct pipeline_params){
        .simulations = run->film.simulations,
        .simulation_count = run->film.simulation_count,
        .renderer = run->film.renderer,
        .first = run->target.first,
        .last = run->target.last,
        .memory = machine_memory() / 8,
        .stop = run->params->stop ? run->params->stop : &never,
    };
}

/* One segment: the same bytes as a job makes, without its files. */
static enum status run_single(struct run *run, uint64_t *bytes)
{
    struct sink *sink;
    struct pipeline_progress progress;
    struct target_result result;
    enum status status = single_open(&sink, &run->target, &run->film);
    if (status != STATUS_OK)
        return status;
    struct pipeline_params params = pipeline_of(run);
    single_set_pipeline(sink, &params);
    recorder_set_pipeline(run->recorder, &params);
    status = pipeline_run(&params, &progress);
    status = single_close(&sink, &run->film, status, progress.done[STAGE_ENCODE], &result);
    *bytes = result.bytes;
    return status;
}

static enum status run_job(struct run *run, uint64_t *bytes)
{
    struct job *job;
    struct pipeline_progress progress = {.failed = STAGE_COUNT};
    struct target_result result = {0};
    static volatile sig_atomic_t never;
    const struct job_options options = {.overwrite = true};
    enum status status = job_open(&job, &run->target, &run->film, &options);
    if (status == STATUS_OK) {
        struct pipeline_params params = pipeline_of(run);
        job_set_pipeline(job, &params);
        recorder_set_pipeline(run->recorder, &params);
        status = pipeline_run(&params, &progress);
    }
    status = job_close(&job, status, progress.failed,
                       run->params->stop ? run->params->stop : &never, &result);
    *bytes = result.bytes;
    return status;
}

static bool has_one_segment(const struct run *run)
{
    const uint64_t length = run->params->scene->output.segment;
    return !run->target.work_folder || length == 0 || run->target.last - run->target.first < length;
}

static void close_run(struct run *run)
{
    recorder_close(&run->recorder);
    film_close(&run->film);
    target_free(&run->target);
    scene_close(&run->scene);
    free(run->path);
}

enum status run_film(const struct run_params *params, struct record *record)
{
    struct run run = {.params = params};
    uint64_t bytes = 0;
    *record = (struct record){0};
    if (params->hooks)
        run.hooks = *params->hooks;
    enum status status = open_run(&run);
    if (status == STATUS_OK)
        status = has_one_segment(&run) ? run_single(&run, &bytes) : run_job(&run, &bytes);
    if (status == STATUS_OK)
        status = recorder_finish(run.recorder, bytes, record);
    close_run(&run);
    return status;
}

/* ---- pictures ---- */

static enum status encode(struct run *run, struct picture *const *pictures, uint32_t count,
                          uint64_t *bytes)
{
    struct sink *sink;
    enum status status = sink_open(&run->target.params, &sink);
    if (status != STATUS_OK)
        return status;
    struct failure failure = {0};
    for (uint32_t i = 0; i < count && failure.status == STATUS_OK; i++) {
        struct picture numbered = *pictures[i];
        numbered.frame = i;
        failure_keep(&failure, sink->ops->write(sink, &numbered));
    }
    failure_keep(&failure, sink->ops->close(&sink, failure.status == STATUS_OK, NULL, bytes));
    return failure_report(&failure);
}

static enum status read_back(struct run *run, struct picture *const *pictures, uint32_t count,
                             uint64_t bytes, struct record *record)
{
    struct kept_pictures kept = {.layout = pictures[0]->layout,
                                 .plane = memory_new(count, sizeof *kept.plane)};
    uint64_t compared;
    for (uint32_t i = 0; i < count; i++) {
        luma_measure(pictures[i], &record->frames[i]);
        kept.plane[i] = malloc(luma_plane_bytes(&pictures[i]->layout));
        if (kept.plane[i])
            luma_plane(pictures[i], kept.plane[i]);
    }
    enum status status = run->target.sink->sequence ? readback_sequence(run->path, bytes, record)
                                                    : readback_film(run->path, record);
    if (status == STATUS_OK)
        status = readback_pictures(run->path, &kept, record, &compared);
    for (uint32_t i = 0; i < count; i++)
        free(kept.plane[i]);
    free(kept.plane);
    return status;
}

enum status run_pictures(const struct run_params *params, struct picture *const *pictures,
                         uint32_t count, struct record *record)
{
    struct run run = {.params = params};
    uint64_t bytes = 0;
    *record = (struct record){0};
    if (params->hooks)
        run.hooks = *params->hooks;
    enum status status = run_path(params->folder, params->format, &run.path);
    if (status == STATUS_OK)
        status = plan(&run, params->scene);
    if (status == STATUS_OK)
        status = encode(&run, pictures, count, &bytes);
    if (status == STATUS_OK && run.hooks.file)
        status = run.hooks.file(run.hooks.user, run.path);
    if (status == STATUS_OK)
        status = record_create(record, 0, count);
    if (status == STATUS_OK)
        status = read_back(&run, pictures, count, bytes, record);
    if (status != STATUS_OK)
        record_free(record);
    close_run(&run);
    return status;
}
