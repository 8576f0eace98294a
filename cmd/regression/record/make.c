#include "cmd/regression/record/make.h"

#include "base/machine.h"
#include "cmd/film/job/job.h"
#include "cmd/regression/record/recorder.h"
#include "cmd/film/film.h"
#include "scenes/print.h"
#include "scenes/scene.h"

#include <stdlib.h>

struct making {
    const struct record_request *request;
    struct scene *changed; /* copy for a hook to change; NULL: use the scene asked for */
    struct target target;
    struct film film;
    struct recorder *recorder;
    volatile sig_atomic_t *stop;
    struct target_result result;
};

/* Copies the scene for a hook to change. */
static enum status choose_scene(struct making *making)
{
    const struct record_request *request = making->request;
    const struct record_hooks *hooks = request->hooks;
    if (!hooks || !hooks->scene)
        return STATUS_OK;
    char *text = scene_print(request->scene);
    enum status status = scene_parse(&making->changed, text, request->name);
    free(text);
    if (status != STATUS_OK)
        return status;
    making->changed->bodies.components_optional = request->scene->bodies.components_optional;
    making->changed->bodies.softening = request->scene->bodies.softening;
    hooks->scene(hooks->user, making->changed);
    return STATUS_OK;
}

static const struct scene *scene_of(const struct making *making)
{
    return making->changed ? making->changed : making->request->scene;
}

static enum status plan(struct making *making)
{
    const struct record_request *request = making->request;
    const struct target_request wanted = {
        .scene = request->name,
        .output = request->output,
        .format = request->format ? request->format : "",
        .backend = request->backend,
        .device = request->device,
        .overwrite = true,
        .has_range = request->has_range,
        .first = request->first,
        .last = request->last,
        .encoders = request->encoders,
        .change = request->hooks ? request->hooks->sink : NULL,
        .user = request->hooks ? request->hooks->user : NULL,
    };
    struct target *target = &making->target;
    enum status status = target_plan(target, &wanted, scene_of(making));
    if (status == STATUS_OK)
        status = recorder_check(target);
    free(target->scene_path);
    free(target->diagnostics_path);
    target->scene_path = target->diagnostics_path = NULL;
    return status;
}

static enum status open_film(struct making *making)
{
    const struct record_request *request = making->request;
    const struct recorder_params params = {
        .film = &making->film,
        .scene = request->scene,
        .target = &making->target,
        .diagnostics = request->diagnostics,
        .expected = request->expected,
        .hooks = request->hooks,
    };
    enum status status =
        film_open(&making->film, &(struct film_options){.scene = scene_of(making),
                                                        .backend = request->backend,
                                                        .device = request->device,
                                                        .format = making->target.plan.format,
                                                        .whole = "this command"});
    return status == STATUS_OK ? recorder_open(&making->recorder, &params) : status;
}

static struct pipeline_params pipeline_of(struct making *making)
{
    return (struct pipeline_params){
        .simulations = making->film.simulations,
        .simulation_count = making->film.simulation_count,
        .renderer = making->film.renderer,
        .first = making->target.first,
        .last = making->target.last,
        .memory = machine_memory() / 4,
        .threads = making->request->threads,
        .stop = making->stop,
    };
}

static enum status run_job(struct making *making)
{
    struct job *job;
    struct pipeline_progress progress = {.failed = STAGE_COUNT};
    struct failure failure = {0};
    const struct job_options options = {.overwrite = true, .as_found = true};
    enum status status = job_open(&job, &making->target, &making->film, &options);
    if (status == STATUS_OK) {
        struct pipeline_params params = pipeline_of(making);
        job_set_pipeline(job, &params);
        recorder_set_pipeline(making->recorder, &params);
        status = pipeline_run(&params, &progress);
    }
    failure_keep(&failure, status);
    failure_keep(&failure, job_close(&job, status, &progress, making->stop, &making->result));
    return failure_report(&failure);
}

static enum status run_single(struct making *making)
{
    struct sink *sink;
    struct pipeline_progress progress;
    enum status status = single_open(&sink, &making->target, &making->film);
    if (status != STATUS_OK)
        return status;
    struct pipeline_params params = pipeline_of(making);
    single_set_pipeline(sink, &params);
    recorder_set_pipeline(making->recorder, &params);
    status = pipeline_run(&params, &progress);
    return single_close(&sink, &making->film, status, progress.done[STAGE_ENCODE], &making->result);
}

static bool needs_segments(const struct making *making)
{
    const struct target *target = &making->target;
    const uint64_t length = scene_segment_length(scene_of(making));
    return target->work_folder && target->first / length != target->last / length;
}

static enum status make(struct making *making, struct record *out)
{
    enum status status = choose_scene(making);
    if (status == STATUS_OK)
        status = plan(making);
    if (status == STATUS_OK)
        status = open_film(making);
    if (status == STATUS_OK)
        status = needs_segments(making) ? run_job(making) : run_single(making);
    return status == STATUS_OK ? recorder_finish(making->recorder, making->result.bytes, out)
                               : status;
}

enum status record_film(const struct record_request *request, struct record *out)
{
    volatile sig_atomic_t never = 0;
    struct making making = {.request = request, .stop = request->stop ? request->stop : &never};
    *out = (struct record){0};
    const unsigned before = request->threads ? solver_use_threads(request->threads) : 0;
    enum status status = make(&making, out);
    if (before)
        solver_use_threads(before);
    recorder_close(&making.recorder);
    film_close(&making.film);
    target_free(&making.target);
    scene_close(&making.changed);
    return status;
}
