#include "cmd/command.h"
#include "cmd/job/diagnostics_log.h"
#include "cmd/film/film.h"
#include "cmd/job/tags.h"
#include "cmd/forecast/forecast.h"
#include "cmd/job/job.h"
#include "cmd/job/target.h"
#include "cmd/pipeline/pipeline.h"
#include "cmd/cli/progress.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/options.h"
#include "base/machine.h"
#include "cmd/cli/summary.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct run {
    const struct render_options *options;
    uint64_t memory; /* bytes of pictures that may wait */
    volatile sig_atomic_t *stop;
    struct scene *scene;
    struct target target;
    struct film film;
    struct run_report report;
};

static enum status save_scene(const struct scene *scene, const char *path)
{
    char *text = scene_print(scene);
    if (!text)
        return status_fail(STATUS_RUNTIME, "no memory left to print the scene");
    enum status status = file_write(path, text, strlen(text));
    free(text);
    return status;
}

static bool finished(enum status status)
{
    return status == STATUS_OK || status == STATUS_STOPPED;
}

/* A film in one piece: its sink is opened before the first frame and closed after the last. */
static enum status open_single(void *user, uint64_t segment, struct sink **sink)
{
    (void)segment;
    *sink = user;
    return STATUS_OK;
}

static enum status close_single(void *user, uint64_t segment, struct sink **sink, uint64_t frames,
                                bool whole, bool broken)
{
    (void)user, (void)segment, (void)sink, (void)frames, (void)whole, (void)broken;
    return STATUS_OK;
}

static const struct segment_ops single_sink = {open_single, close_single};

static const struct pipeline_events job_events = {
    .wanted = job_wants,
    .simulated = job_simulated,
    .drawing = job_drawing,
};

/* Renders into an open sink or into a job; returns what the film is worth. */
static enum status run_pipeline(struct run *run, struct sink *sink, struct job *job)
{
    struct progress *progress;
    enum status status = progress_open(&progress, run->options->quiet, run->options->progress);
    if (status != STATUS_OK)
        return status;
    struct pipeline_params params = {
        .simulations = run->film.simulations,
        .simulation_count = run->film.simulation_count,
        .renderer = run->film.renderer,
        .segments = &single_sink,
        .user = sink,
        .tick = progress_tick,
        .tick_user = progress,
        .first = run->target.first,
        .last = run->target.last,
        .encoders = 1,
        .memory = run->memory,
        .stop = run->stop,
    };
    if (job) {
        params.segments = &job_segments;
        params.events = &job_events;
        params.user = job;
        params.segment_length = job_segment_length(job);
        params.metered = job_is_metered(job);
        params.encoders = run->target.encoders;
    }
    status = pipeline_run(&params, &run->report.progress);
    /* The last frames of a film that is resumed may be there already. */
    for (int i = 0; i < run->film.simulation_count && status == STATUS_OK; i++)
        status = simulation_advance(run->film.simulations[i], run->target.last, NULL);
    struct failure failure = {0};
    failure_keep(&failure, status);
    enum status closed = progress_close(&progress, &run->report.progress,
                                        status == STATUS_OK        ? "end"
                                        : status == STATUS_STOPPED ? "stopped"
                                                                   : "failed");
    if (status != STATUS_STOPPED)
        failure_keep(&failure, closed);
    return failure_report(&failure);
}

/* The simulation of a run that was stopped is ahead of its film. */
static enum status tag_end(struct run *run, struct sink *sink, enum status status)
{
    char state[HASH_TEXT];
    if (status != STATUS_OK)
        return status;
    status = film_state_hash(&run->film, state);
    if (status == STATUS_OK)
        sink_add_tag(sink, FILM_TAG_LAST_STATE, state);
    return status;
}

/* What has been encoded is kept whenever the sink itself can still finish it. */
static enum status close_sink(struct run *run, struct sink **sink, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, status);
    bool keep = run->report.progress.done[STAGE_ENCODE] > 0 && status != STATUS_IO;
    double since = clock_seconds();
    enum status closed = (*sink)->ops->close(sink, keep, &run->report.frames, &run->report.bytes);
    run->report.close_seconds = clock_seconds() - since;
    run->report.kept = keep && closed == STATUS_OK;
    failure_keep(&failure, closed);
    return failure_report(&failure);
}

static enum job_end job_end_of(const struct run *run, enum status status)
{
    if (status == STATUS_OK)
        return JOB_DONE;
    if (status == STATUS_STOPPED)
        return JOB_STOPPED;
    if (status == STATUS_RUNTIME && run->report.progress.failed == STAGE_SIMULATE)
        for (int i = 0; i < run->film.simulation_count; i++)
            if (simulation_is_broken(run->film.simulations[i]))
                return JOB_FUTILE;
    return JOB_FAILED;
}

/* Joins what there is; a signal that comes meanwhile leaves the segments as they are. */
static enum status close_job(struct run *run, struct job **job, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, status);
    struct job_result result;
    const int before = interrupt_suspend();
    double since = clock_seconds();
    enum status closed = job_close(job, job_end_of(run, status), run->stop, &result);
    run->report.close_seconds = clock_seconds() - since;
    interrupt_resume(before);
    run->report.frames = result.frames;
    run->report.bytes = result.bytes;
    run->report.kept = result.film;
    run->report.resumable = result.resumable;
    failure_keep(&failure, closed);
    return failure_report(&failure);
}

static enum status close_log(struct diagnostics_log **log, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, status);
    failure_keep(&failure, diagnostics_log_close(log, finished(status)));
    return failure_report(&failure);
}

static enum status render_job(struct run *run)
{
    struct job *job;
    struct diagnostics_log *log;
    uint64_t start;
    enum status status = job_open(&job, &run->target, &run->film, run->options->resume,
                                  run->options->overwrite, &start);
    if (status == STATUS_OK && run->options->checkpoints)
        status = job_share(job, run->options->checkpoints, &start);
    if (status != STATUS_OK)
        return close_job(run, &job, status);
    run->stop = interrupt_catch();
    status = diagnostics_log_open(&log, &run->target, &run->film, job_is_resumed(job));
    if (status == STATUS_OK)
        status = run_pipeline(run, NULL, job);
    status = close_job(run, &job, close_log(&log, status));
    /* Diagnostics of nothing would only be in the way of the next run. */
    if (run->target.diagnostics_path && !run->report.kept && !run->report.resumable)
        unlink(run->target.diagnostics_path);
    return status;
}

static enum status render_single(struct run *run)
{
    struct sink *sink;
    struct diagnostics_log *log;
    enum status status = target_open(&run->target, &run->film, &sink);
    if (status != STATUS_OK)
        return status;
    run->stop = interrupt_catch();
    status = diagnostics_log_open(&log, &run->target, &run->film, false);
    if (status == STATUS_OK)
        status = tag_end(run, sink, run_pipeline(run, sink, NULL));
    status = close_sink(run, &sink, status);
    return close_log(&log, status);
}

static enum status render(struct run *run)
{
    enum status status = simulation_diagnose(run->film.simulations[0], &run->report.before);
    if (status != STATUS_OK)
        return status;
    snprintf(run->report.encoder, sizeof run->report.encoder, "%s", run->target.plan.description);
    double since = clock_seconds();
    status = run->target.work_folder ? render_job(run) : render_single(run);
    run->report.seconds = clock_seconds() - since;
    if (finished(status)) {
        enum status after = simulation_diagnose(run->film.simulations[0], &run->report.after);
        if (after == STATUS_OK && !run->target.work_folder && run->target.scene_path &&
            run->report.kept)
            after = save_scene(run->scene, run->target.scene_path);
        if (after != STATUS_OK)
            status = after;
    }
    return status;
}

static int finish(struct run *run, enum status status)
{
    struct run_report *report = &run->report;
    if (report->kept && finished(status))
        summary_print(&run->target, run->scene, &run->film, report);
    else if (report->kept)
        log_warning("the %llu frames rendered so far are in '%s'",
                    (unsigned long long)report->frames, run->target.params.path);
    const char *hint = report->resumable ? "; the same command with --resume goes on" : "";
    if (status != STATUS_STOPPED) {
        if (report->resumable)
            log_warning("what was made so far is in '%s'%s", run->target.work_folder, hint);
        return (int)status;
    }
    const unsigned long long frames = report->frames,
                             wanted = run->target.last - run->target.first + 1;
    if (report->kept)
        log_warning("stopped by signal %d after %llu of %llu frames; '%s' ends there%s",
                    interrupt_signal(), frames, wanted, run->target.params.path, hint);
    else if (frames > 0)
        log_warning("stopped by signal %d while %llu of %llu frames were joined; they are in "
                    "'%s'%s",
                    interrupt_signal(), frames, wanted, run->target.work_folder, hint);
    else
        log_warning("stopped by signal %d before the first frame%s", interrupt_signal(),
                    report->resumable ? hint : "; nothing was written");
    return 128 + interrupt_signal();
}

/* The run to be resumed has ended already, or was killed when only the tidying was left. */
static enum status tidy_finished(const struct run *run)
{
    const char *path = run->target.scene_path;
    enum status status = work_folder_sweep(&run->target);
    if (status == STATUS_OK && path && !file_exists(path))
        status = save_scene(run->scene, path);
    if (status == STATUS_OK)
        log_info("'%s' is complete: nothing is left to resume", run->target.params.path);
    return status;
}

static int plan(struct run *run)
{
    struct forecast forecast;
    const struct forecast_params params = {
        .target = &run->target,
        .film = &run->film,
        .memory = run->memory,
        .stop = interrupt_catch(),
    };
    summary_plan(&run->target, run->scene, &run->film);
    enum status status = forecast_make(&forecast, &params);
    if (status == STATUS_OK)
        summary_forecast(&forecast);
    return status == STATUS_STOPPED ? 128 + interrupt_signal() : (int)status;
}

static enum status plan_target(struct run *run)
{
    const struct render_options *options = run->options;
    const struct target_request request = {
        .scene = options->scene,
        .output = options->output,
        .format = options->format,
        .backend = options->backend,
        .device = options->device,
        .resume = options->resume,
        .overwrite = options->overwrite,
        .has_range = options->has_range,
        .first = options->first,
        .last = options->last,
        .encoders = options->encoders,
    };
    return target_plan(&run->target, &request, run->scene);
}

static int run_scene(struct run *run)
{
    const struct render_options *options = run->options;
    run->memory = options->memory ? options->memory : machine_memory() / 4;
    if (!options->output && !(options->save_scene || options->dry_run))
        return (int)status_fail(STATUS_USAGE,
                                "where to render to is wanted, and no -o was given; for example "
                                "-o film.mp4 or -o frames/%%06d.png");
    if (options->save_scene && !options->overwrite && file_exists(options->save_scene))
        return (int)status_fail(STATUS_USAGE,
                                "'%s' exists already; replace it with -y or choose another name "
                                "for --save-scene",
                                options->save_scene);
    if (!options->output && !options->dry_run)
        return (int)save_scene(run->scene, options->save_scene);
    enum status status =
        options->bodies_from ? STATUS_OK : film_find_bodies(run->scene, options->scene);
    if (status == STATUS_OK)
        status = plan_target(run);
    if (status == STATUS_OK && run->target.finished)
        return (int)tidy_finished(run);
    if (status == STATUS_OK)
        status = film_open(&run->film, run->scene, options->backend, options->device,
                           run->target.plan.format);
    if (status == STATUS_OK && options->save_scene && !options->dry_run)
        status = save_scene(run->scene, options->save_scene);
    if (status != STATUS_OK) {
        film_close(&run->film);
        return (int)status;
    }
    int code;
    if (options->dry_run) {
        code = plan(run);
    } else {
        code = finish(run, render(run));
    }
    film_close(&run->film);
    return code;
}

static int run_render(int argc, char **argv)
{
    struct render_options options;
    struct run run = {.options = &options};
    enum status status = render_options_parse(&options, argc, argv);
    int code = (int)status;
    if (status == STATUS_OK && !options.answered) {
        status = render_options_scene(&options, &run.scene);
        code = status == STATUS_OK ? run_scene(&run) : (int)status;
    }
    target_free(&run.target);
    scene_close(&run.scene);
    render_options_free(&options);
    return code;
}

const struct command command_render = {
    .name = "render",
    .doc = "render a scene to a film or a PNG sequence",
    .run = run_render,
};
