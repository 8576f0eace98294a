/* gravreel render: checks the request, then makes a forecast (--dry-run) or the film, then a
 * report. */
#include "cmd/render.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"
#include "base/machine.h"
#include "base/memory.h"
#include "base/ranks/ranks.h"
#include "base/output.h"
#include "base/queue.h"
#include "base/status.h"
#include "base/part.h"
#include "base/text.h"
#include "cmd/cli/progress.h"
#include "cmd/cli/help/help_page.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/options.h"
#include "cmd/command.h"
#include "cmd/film/advice.h"
#include "cmd/film/expect.h"
#include "cmd/film/forecast/forecast.h"
#include "cmd/film/job/diagnostics_log.h"
#include "cmd/film/job/finish.h"
#include "cmd/film/job/target.h"
#include "cmd/film/job/job.h"
#include "cmd/film/job/plan_file.h"
#include "cmd/film/film.h"
#include "cmd/film/pipeline/pipeline.h"
#include "cmd/film/points/points.h"
#include "cmd/film/run/recording.h"
#include "cmd/film/scene/own_scene.h"
#include "cmd/film/snapshots/beside.h"
#include "cmd/film/snapshots/frames.h"
#include "cmd/film/snapshots/snapshots.h"
#include "cmd/regression/record/readback.h"
#include "cmd/regression/record/record.h"
#include "cmd/film/start/panels.h"
#include "cmd/film/turn/turn.h"
#include "cmd/regression/record/recorder.h"
#include "cmd/render_checks.h"
#include "render/video/codecs.h"
#include "scenes/print.h"

#include <argp.h>
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
    struct recorder *recorder; /* NULL: no manifest was requested */
    struct progress *progress; /* while the pipeline runs */
    struct run_job *keeps;     /* the run that is written beside the film; NULL: none */
    char *folder;              /* has to be created for the output; NULL: none */
    bool kept;                 /* that run exists, and the film is drawn from it */
    bool told;                 /* whether the effect of a requested stop has been reported */
    struct run_report report;
};

static enum status save_scene(const struct scene *scene, const char *path)
{
    char *text = scene_print(scene);
    enum status status = file_write(path, text, strlen(text));
    free(text);
    return status;
}

/* ---- the target ---- */

static enum status plan_target(struct run *run)
{
    const struct render_options *options = run->options;
    const struct target_request request = {
        .scene = options->request.scene,
        .output = options->output,
        .format = options->format,
        .backend = options->backend,
        .device = options->device,
        .resume = options->resume,
        .overwrite = options->overwrite,
        .as_begun = options->as_begun,
        .has_range = options->has_range,
        .first = options->first,
        .last = options->last,
        .encoders = options->encoders,
        .metadata = options->metadata,
    };
    return target_plan(&run->target, &request, run->scene);
}

/* Outputs that take the bodies of a film instead of its pictures. */
static const struct view_output {
    const struct sink_ops *sink;
    const char *name; /* for messages */
    enum status (*check)(const struct scene *scene);
    enum status (*make)(const struct film *film, struct sink *sink,
                        const struct pipeline_params *params, struct pipeline_progress *progress);
} view_outputs[] = {
    {&sink_html, "a page that can be turned", turn_check, turn_make},
    {&sink_usda, "a file of points", points_check, points_make},
};

/* NULL: the output takes pictures. */
static const struct view_output *view_output_of(const struct run *run)
{
    for (size_t i = 0; i < sizeof view_outputs / sizeof *view_outputs; i++)
        if (run->target.sink == view_outputs[i].sink)
            return &view_outputs[i];
    return NULL;
}

/* Handles a run that has ended already, or was killed with only the clean-up left. */
static int tidy_finished(struct run *run)
{
    const char *path = run->target.scene_path;
    enum status status =
        film_open(&run->film, &(struct film_options){.scene = run->scene,
                                                     .backend = run->options->backend,
                                                     .device = run->options->device,
                                                     .format = run->target.plan.format});
    if (status == STATUS_OK)
        status = finished_check(&run->target, &run->film, interrupt_catch());
    if (status == STATUS_OK && !run->options->dry_run && ranks_lead())
        status = work_folder_sweep(run->target.work_folder);
    if (status == STATUS_OK && path && ranks_lead() && !file_exists(path) && !run->options->dry_run)
        status = save_scene(run->scene, path);
    if (status == STATUS_OK)
        log_info("'%s' is complete: nothing is left to resume", run->target.params.path);
    if (status == STATUS_OK && run->options->dry_run && render_options_want_json(run->options)) {
        struct facts *json = facts_open();
        dry_run_complete(json, &run->target);
        facts_print(&json);
    }
    film_close(&run->film);
    return interrupt_exit_code(status, NULL);
}

/* ---- --dry-run ---- */

static int forecast_film(struct run *run)
{
    struct forecast forecast;
    const struct forecast_params params = {
        .target = &run->target,
        .film = &run->film,
        .memory = run->memory,
        .stop = interrupt_catch(),
    };
    struct facts *json = render_options_want_json(run->options) ? facts_open() : NULL;
    dry_run_plan(json, &run->target, run->scene, &run->film);
    enum status status = STATUS_OK;
    if (view_output_of(run))
        log_info("%s takes about as long as `gravreel simulate`, which is not predicted",
                 view_output_of(run)->name);
    else
        status = forecast_make(&forecast, &params);
    if (status == STATUS_OK && !view_output_of(run))
        dry_run_forecast(json, &forecast);
    if (status == STATUS_OK)
        facts_print(&json);
    facts_free(&json);
    return interrupt_exit_code(status, NULL);
}

/* ---- the manifest ---- */

static enum status open_recorder(struct run *run)
{
    const struct recorder_params params = {
        .film = &run->film,
        .scene = run->scene,
        .target = &run->target,
        .diagnostics = true,
    };
    return run->options->manifest ? recorder_open(&run->recorder, &params) : STATUS_OK;
}

/* Writes the manifest of a film that is complete. */
static enum status write_manifest(struct run *run)
{
    struct record record;
    if (!run->recorder || !ranks_lead())
        return STATUS_OK;
    enum status status = recorder_finish(run->recorder, run->report.result.bytes, &record);
    if (status == STATUS_OK && record.container.format && !run->target.sink->sequence)
        status = boxes_read(run->target.params.path, &record);
    if (status == STATUS_OK) {
        record_set_commit(&record, version_commit);
        status = record_write(&record, run->options->manifest);
    }
    record_free(&record);
    return status;
}

/* ---- the film ---- */

/* Says once, as soon as a stop is requested, what it does and what a second signal would do. */
static void tell_stop(struct run *run, const struct pipeline_progress *now)
{
    const unsigned long long lost = now->done[STAGE_DRAW] - now->safe;
    if (run->told || !stop_asked(run->stop))
        return;
    run->told = true;
    if (run->target.work_folder)
        log_info("stopping after the frames in progress, which are kept; Ctrl-C again stops at "
                 "once and loses %llu frame%s",
                 lost, lost == 1 ? "" : "s");
    else
        log_info("stopping after the frames in progress; Ctrl-C again stops at once and leaves "
                 "'%s' unfinished",
                 run->target.params.path);
}

/* The same if the frames in progress were finished before there was time to say so. */
static void tell_stopped(struct run *run)
{
    if (run->target.plan.container && run->target.work_folder)
        log_info("%s; Ctrl-C again stops at once, and loses nothing but that film",
                 run->told ? "joining the film so far" : "stopped; joining the film so far");
    run->told = true;
}

static void tick(void *user, const struct pipeline_progress *now)
{
    struct run *run = user;
    tell_stop(run, now);
    progress_tick(run->progress, now);
}

static enum status open_progress(struct run *run)
{
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = progress_open(&run->progress, run->options->quiet, run->options->progress);
    return ranks_end_first(status);
}

/* Gives the film's bodies to an output that takes no pictures. */
static enum status run_views(struct run *run, struct sink *sink)
{
    enum status status = open_progress(run);
    if (status != STATUS_OK)
        return status;
    const struct pipeline_params params = {
        .simulations = run->film.simulations,
        .simulation_count = run->film.simulation_count,
        .renderer = run->film.renderer,
        .first = run->target.first,
        .last = run->target.last,
        .tick = ranks_lead() ? tick : NULL,
        .tick_user = run,
        .stop = run->stop,
    };
    status = view_output_of(run)->make(&run->film, sink, &params, &run->report.progress);
    if (ranks_lead())
        progress_hide(run->progress);
    if (status == STATUS_STOPPED && ranks_lead())
        tell_stopped(run);
    return status;
}

/* Renders into a job or, without one, into a sink. */
static enum status run_pipeline(struct run *run, struct job *job, struct sink *sink)
{
    enum status status = open_progress(run);
    if (status != STATUS_OK)
        return status;
    struct pipeline_params params = {
        .simulations = run->film.simulations,
        .simulation_count = run->film.simulation_count,
        .renderer = run->film.renderer,
        .tick = ranks_lead() ? tick : NULL,
        .tick_user = run,
        .first = run->target.first,
        .last = run->target.last,
        .memory = run->memory,
        .stop = run->stop,
    };
    if (job)
        job_set_pipeline(job, &params);
    else
        single_set_pipeline(sink, &params);
    if (run->recorder)
        recorder_set_pipeline(run->recorder, &params);
    if (run->keeps) {
        params.passed = run_job_pass;
        params.passed_user = run->keeps;
    }
    status = pipeline_run(&params, &run->report.progress);
    if (ranks_lead())
        progress_hide(run->progress);
    if (status == STATUS_STOPPED && ranks_lead())
        tell_stopped(run);
    /* the last frames of a resumed film may have been rendered before */
    params.stop = NULL;
    if (status == STATUS_OK)
        status = pipeline_advance(&params, run->target.last);
    return status;
}

/* Ends the progress once the film is final, since only then is its size known. */
static enum status end_progress(struct run *run, enum status status)
{
    struct failure failure = {0};
    struct pipeline_progress *last = &run->report.progress;
    failure_keep(&failure, status);
    if (!ranks_lead())
        return failure_report(&failure);
    if (run->report.result.kept)
        last->bytes = run->report.result.bytes;
    enum status closed = progress_close(&run->progress, last,
                                        status == STATUS_OK        ? "end"
                                        : status == STATUS_STOPPED ? "stopped"
                                                                   : "failed");
    if (status != STATUS_STOPPED)
        failure_keep(&failure, closed);
    return failure_report(&failure);
}

static enum status close_log(struct diagnostics_log **log, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, status);
    failure_keep(&failure, diagnostics_log_close(log, render_went_well(status)));
    return failure_report(&failure);
}

/* Joins the segments; a signal during this leaves them unchanged. */
static enum status close_job(struct run *run, struct job **job, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, status);
    const int before = interrupt_suspend();
    const double since = clock_seconds();
    failure_keep(&failure,
                 job_close(job, status, &run->report.progress, run->stop, &run->report.result));
    run->report.close_seconds = clock_seconds() - since;
    interrupt_resume(before);
    return failure_report(&failure);
}

/* Opens the snapshots next to the film, from the frame where the run continues. */
static enum status open_series(struct run *run, struct beside **out, bool resumed)
{
    const struct render_options *options = run->options;
    const struct film *film = &run->film;
    struct beside_params params = {
        .scene = run->scene,
        .simulation = film->simulations[0],
        .end = frame_clock_time(&film->script.clock, run->target.last),
        .resumed = resumed,
        .overwrite = options->overwrite,
    };
    *out = NULL;
    if (!options->save_snapshots)
        return STATUS_OK;
    if (film->apart)
        return status_fail(
            STATUS_USAGE, "--save-snapshots is for one scene, and look.panels shows several; write "
                          "each with `gravreel simulate SCENE --every T -o PATTERN`");
    enum status status =
        snapshot_names_plan(&params.names, "--save-snapshots", options->save_snapshots);
    if (status == STATUS_OK)
        status = snapshot_every_parse(options->every, &params.every);
    return status == STATUS_OK ? beside_open(out, &params) : status;
}

/* Each frame of how many is kept; 0: not given. */
static enum status keeping_every(const struct render_options *options, unsigned *every)
{
    enum { MOST = 10000 };
    *every = 0;
    return options->every && !options->save_snapshots
               ? count_parse("--every", options->every, MOST, every)
               : STATUS_OK;
}

/* Whether a run is recorded beside the film. */
static bool keeps(const struct run *run)
{
    return run->options->keep_run && !run->kept;
}

/* Opens the run that is kept beside the film. */
static enum status open_keeping(struct run *run)
{
    unsigned every = 0;
    const struct render_options *options = run->options;
    enum status status = keeping_every(options, &every);
    return status == STATUS_OK && keeps(run)
               ? run_job_open(&run->keeps, &run->film, options->keep_run, every, options->overwrite)
               : status;
}

/* The frames so far are kept even if the film has failed. */
static enum status close_keeping(struct run *run, enum status status)
{
    struct failure failure = {0};
    failure_keep(&failure, status);
    if (run->keeps && render_went_well(status))
        failure_keep(&failure, run_job_finish(run->keeps));
    run_job_close(&run->keeps);
    return failure_report(&failure);
}

static enum status render_job(struct run *run)
{
    struct job *job;
    struct diagnostics_log *log;
    struct beside *series = NULL;
    const struct job_options options = {.resume = run->options->resume,
                                        .overwrite = run->options->overwrite,
                                        .checkpoints = run->options->checkpoints};
    enum status status = job_open(&job, &run->target, &run->film, &options);
    run->stop = interrupt_catch();
    if (status != STATUS_OK)
        return close_job(run, &job, status);
    status =
        diagnostics_log_open(&log, run->target.diagnostics_path, &run->film, job_is_resumed(job));
    if (status == STATUS_OK)
        status = open_series(run, &series, job_is_resumed(job) || run->target.aside.output);
    if (status == STATUS_OK)
        status = open_keeping(run);
    if (status == STATUS_OK)
        status = run_pipeline(run, job, NULL);
    beside_close(&series);
    status = close_keeping(run, status);
    status = close_job(run, &job, close_log(&log, status));
    /* an empty diagnostics file would only obstruct the next run */
    if (ranks_lead() && run->target.diagnostics_path && !run->report.result.kept &&
        !run->report.result.resumable)
        unlink(run->target.diagnostics_path);
    return status;
}

static enum status render_single(struct run *run)
{
    struct sink *sink;
    struct diagnostics_log *log;
    struct beside *series = NULL;
    struct target_result *result = &run->report.result;
    enum status status = single_open(&sink, &run->target, &run->film);
    if (status != STATUS_OK)
        return status;
    run->stop = interrupt_catch();
    status = diagnostics_log_open(&log, run->target.diagnostics_path, &run->film, false);
    if (status == STATUS_OK)
        status = open_series(run, &series, false);
    if (status == STATUS_OK)
        status = open_keeping(run);
    if (status == STATUS_OK)
        status = view_output_of(run) ? run_views(run, sink) : run_pipeline(run, NULL, sink);
    beside_close(&series);
    status = close_keeping(run, status);
    const double since = clock_seconds();
    status =
        single_close(&sink, &run->film, status, run->report.progress.done[STAGE_ENCODE], result);
    run->report.close_seconds = clock_seconds() - since;
    return close_log(&log, status);
}

/* The energy of snapshots, whose forces are unknown, is not reported, and takes as long as a step.
 */
static bool needs_energy(const struct scene *scene)
{
    return !film_played(scene) || expect_is_given(&scene->expect);
}

static enum status render(struct run *run)
{
    struct run_report *report = &run->report;
    const bool judged = needs_energy(run->scene);
    enum status status =
        judged ? simulation_diagnose(run->film.simulations[0], &report->before) : STATUS_OK;
    if (status != STATUS_OK)
        return status;
    const bool single = !run->target.work_folder;
    if (single && run->options->checkpoints)
        log_warning("no checkpoint is stored in '%s' or read from it: a run that discards or "
                    "streams its pictures cannot be continued; name a file with -o",
                    run->options->checkpoints);
    const double since = clock_seconds();
    const struct load load = load_now();
    status = end_progress(run, single ? render_single(run) : render_job(run));
    report->seconds = clock_seconds() - since;
    report->load = load_since(load);
    if (!render_went_well(status))
        return status;
    enum status after =
        judged ? simulation_diagnose(run->film.simulations[0], &report->after) : STATUS_OK;
    if (after == STATUS_OK && ranks_lead() && single && run->target.scene_path &&
        report->result.kept)
        after = save_scene(run->scene, run->target.scene_path);
    if (after == STATUS_OK && status == STATUS_OK)
        after = write_manifest(run);
    return after == STATUS_OK ? status : after;
}

/* ---- the whole ---- */

static int render_and_report(struct run *run)
{
    const enum status status = render(run);
    const struct render_run ended = {.target = &run->target,
                                     .scene = run->scene,
                                     .film = &run->film,
                                     .report = &run->report,
                                     .summary = run->options->summary,
                                     .manifest = run->recorder,
                                     .frames = run->options->frames_pattern};
    return render_report(&ended, status);
}

/* The folder of the output if it has to be created, which the caller frees; otherwise NULL. */
static char *find_folder(const struct render_options *options)
{
    char *folder =
        options->output && !file_is_special(options->output) ? file_folder(options->output) : NULL;
    if (folder && file_exists(folder)) {
        free(folder);
        folder = NULL;
    }
    if (folder && options->dry_run)
        log_info("the folder '%s' does not exist; a run creates it", folder);
    return folder;
}

/* Creates it, with a message, because its name may be mistyped. */
static enum status create_folder(const struct run *run)
{
    if (!run->folder || run->options->dry_run)
        return STATUS_OK;
    const enum status status = file_make_folder(run->folder);
    if (status == STATUS_OK)
        log_info("created the folder '%s'", run->folder);
    return status;
}

/* Whether snapshots are saved in a format in which ranks cannot save their shares. */
static bool saves_whole(const struct render_options *options)
{
    struct snapshot_names names;
    return options->save_snapshots &&
           (snapshot_names_plan(&names, "--save-snapshots", options->save_snapshots) != STATUS_OK ||
            !snapshot_names_share(&names));
}

/* Whether the output is played in a loop by itself and cannot be joined with other ranges. */
static bool is_loop(const struct run *run)
{
    return run->target.sink->formats == &loop_registry;
}

static struct loop_range loop_of(const struct run *run)
{
    const struct target *target = &run->target;
    if (!run->scene->output.loop || !is_loop(run))
        return (struct loop_range){0};
    return (struct loop_range){target->first, target->last + 1 - target->first};
}

/* Leaves the film's plan to other runs of the scene. *other: one was faster, and *plan is its. */
static enum status publish_plan(const struct run *run, char **plan, bool *other)
{
    const char *folder = run->options->checkpoints;
    const bool given = *plan;
    free(*plan);
    *plan = memory_text(run->film.plan);
    enum status status = file_make_folder(folder);
    if (status == STATUS_OK)
        status = plan_publish(folder, run->scene, plan);
    *other = status == STATUS_OK && strcmp(*plan, run->film.plan) != 0;
    return *other && given ? status_fail(STATUS_USAGE,
                                         "the runs that share '%s' draw the scene by another plan "
                                         "than this one; give this one a folder of its own",
                                         folder)
                           : status;
}

/* Publishes the plan for the runs that share a folder. If another run was first, opens the film
 * again by that run's plan. */
static enum status share_plan(struct run *run, struct film_options *how, char **plan)
{
    bool other = false;
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = publish_plan(run, plan, &other);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = ranks_first(&other, sizeof other);
    if (status != STATUS_OK || !other)
        return status;
    film_close(&run->film);
    how->plan = *plan;
    return film_open(&run->film, how);
}

/* Opens the film by its plan or, if it has none yet, makes one. */
static enum status open_film(struct run *run)
{
    const struct render_options *options = run->options;
    const char *folder = run->target.work_folder;
    const bool resumes = options->resume && !run->target.aside.output;
    char *plan = NULL;
    struct film_options how = {
        .scene = run->scene,
        .backend = options->backend,
        .device = options->device,
        .format = run->target.plan.format,
        .unfaded = options->dry_run,
        .draw_device = options->has_draw_device ? &options->draw_device : NULL,
        .whole = keeps(run)             ? "--keep-run"
                 : view_output_of(run)  ? view_output_of(run)->name
                 : saves_whole(options) ? "--save-snapshots"
                                        : NULL,
        .records = keeps(run) && !options->dry_run,
        .loop = loop_of(run),
    };
    enum status status =
        plan_find(&(struct plan_places){.given = options->plan,
                                        .work_folder = resumes ? folder : NULL,
                                        .checkpoints = folder ? options->checkpoints : NULL},
                  run->scene, &plan);
    how.plan = plan;
    if (status == STATUS_OK)
        status = film_open(&run->film, &how);
    if (status == STATUS_OK && options->checkpoints && folder && !options->dry_run)
        status = share_plan(run, &how, &plan);
    free(plan);
    return status;
}

/* Whether a run from which the film is drawn has all of the film's frames. */
static enum status check_runs(const struct run *run)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < run->film.simulation_count && status == STATUS_OK; i++)
        status =
            simulation_check_run(run->film.simulations[i], run->target.first, run->target.last);
    return status;
}

/* Whether the run can be recorded, or is there already: *kept. A run of another motion is replaced
 * with -y. */
static enum status check_keeping(const struct render_options *options, struct run *run)
{
    unsigned every = 0;
    const char *path = options->keep_run;
    if (run->scene->run || film_played(run->scene))
        return status_fail(STATUS_USAGE,
                           "--keep-run keeps a simulation, but the scene takes its motion from %s; "
                           "leave it out",
                           run->scene->run ? "a run" : "snapshots");
    if (run->target.finished)
        return STATUS_OK;
    enum status status = keeping_every(options, &every);
    if (status != STATUS_OK || !run_is_file(path))
        return status == STATUS_OK ? run_job_check(path, options->overwrite) : status;
    status = run_job_fits(path, run->scene, every, &run->kept);
    if (status == STATUS_OK)
        return STATUS_OK;
    if (!options->overwrite)
        return status_prefix(status, "--keep-run '%s' exists (-y replaces it)", path);
    log_info("the run '%s' is replaced: %s", path, status_text());
    return STATUS_OK;
}

/* Draws the film from the run that was kept before. */
static enum status take_kept(struct run *run)
{
    const struct render_options *options = run->options;
    enum status status = ranks_first(&run->kept, sizeof run->kept);
    return status == STATUS_OK && run->kept
               ? run_job_take(&(struct run_making){.path = options->keep_run,
                                                   .backend = options->backend,
                                                   .device = options->device,
                                                   .stop = interrupt_catch()},
                              run->scene, run->target.last)
               : status;
}

/* Checks the request against the files on the disk, before anything is opened. */
static enum status check(struct run *run)
{
    const struct render_options *options = run->options;
    enum status status = scene_request_find_bodies(&options->request, run->scene);
    if (status == STATUS_OK)
        status = plan_target(run);
    if (status == STATUS_OK && options->keep_run)
        status = check_keeping(options, run);
    if (status == STATUS_OK && view_output_of(run))
        status = view_output_of(run)->check(run->scene);
    if (status == STATUS_OK)
        status = render_check_manifest(options, &run->target);
    if (status == STATUS_OK)
        status = render_check_ranks(options, run->scene);
    if (status == STATUS_OK)
        status = render_check_progress(options, &run->target, run->scene);
    if (status == STATUS_OK)
        film_warn_of_frame(run->scene);
    if (status == STATUS_OK && !run->target.finished) {
        run->folder = find_folder(options);
        temporary_sweep();
    }
    return status;
}

/* A stream's frames and the film's are different numbers, which a beginner does not expect. */
static void tell_length(const struct run *run)
{
    const unsigned long long pictures = run->target.last - run->target.first + 1;
    const struct output_params *output = &run->scene->output;
    log_info("%llu frames received become %llu pictures, %.3g s; --frames or --duration changes "
             "the film's length",
             (unsigned long long)run->options->frames_received, pictures,
             (double)pictures * output->fps.den / output->fps.num);
}

static int run_scene(struct run *run)
{
    const struct render_options *options = run->options;
    run->memory = options->memory ? options->memory : machine_memory() / 4;
    enum status status = STATUS_OK;
    if (ranks_begin_first())
        status = render_check_options(options);
    status = ranks_end_first(status);
    if (status == STATUS_OK && !options->output && !options->dry_run)
        return ranks_lead() ? (int)render_options_save(options, run->scene) : STATUS_OK;
    if (ranks_begin_first() && status == STATUS_OK)
        status = check(run);
    status = ranks_end_first(status);
    if (status == STATUS_OK)
        status = target_share(&run->target);
    if (status == STATUS_OK && run->target.finished)
        return tidy_finished(run);
    if (status == STATUS_OK && options->keep_run && !options->dry_run)
        status = take_kept(run);
    if (status == STATUS_STOPPED)
        return interrupt_exit_code(status, "the same command continues the run that it keeps");
    if (status == STATUS_OK && options->frames_pattern)
        tell_length(run);
    if (status == STATUS_OK)
        status = open_film(run);
    if (status == STATUS_OK)
        status = check_runs(run);
    if (status == STATUS_OK)
        advice_tell(&run->film,
                    &(struct advice_range){run->target.first, run->target.last, is_loop(run)});
    if (status == STATUS_OK && !run->target.sink->discards)
        advice_tell_range(run->scene, run->target.plan.format);
    if (status == STATUS_OK && !options->dry_run && ranks_lead())
        status = render_options_save(options, run->scene);
    if (ranks_begin_first() && status == STATUS_OK)
        status = create_folder(run);
    status = ranks_end_first(status);
    if (status == STATUS_OK && !options->dry_run)
        status = open_recorder(run);
    int code = (int)status;
    if (status == STATUS_OK)
        code = options->dry_run ? forecast_film(run) : render_and_report(run);
    recorder_close(&run->recorder);
    film_close(&run->film);
    return code;
}

int render_scene(const struct render_options *options, struct scene *scene)
{
    struct run run = {.options = options, .scene = scene};
    const int code = run_scene(&run);
    target_free(&run.target);
    free(run.folder);
    return code;
}

static const struct argp_option table[] = {
    {"output", OPTION_OUTPUT, "OUT", 0,
     "Film (film.mp4 or another extension that --format names), PNG sequence (frames/%06d.png or "
     "frames/####.png), or - for the standard output; missing folders are created",
     HELP_FILES},
    {"format", OPTION_FORMAT, "FORMAT", 0,
     "Write this format instead of the one that OUT's extension names", HELP_FILES},
    {"frames", OPTION_FRAMES, "A..B", 0,
     "Render frames A to B of the film, both included; a single N makes the film N frames long, at "
     "the same pace, so that it ends later or earlier",
     HELP_SCENE},
    {"manifest", OPTION_MANIFEST, "FILE", 0,
     "Write a manifest of the film, frame by frame: hashes of bodies, light, pictures and packets, "
     "energies and momenta",
     HELP_FILES},
    {"resume", OPTION_RESUME, NULL, 0, "Continue an interrupted run of this film", HELP_FILES},
    {"checkpoints", OPTION_CHECKPOINTS, "FOLDER", 0,
     "Start at the latest checkpoint in FOLDER, and store more there for other runs of the scene",
     HELP_FILES},
    {"keep-run", OPTION_KEEP_RUN, "FILE", 0,
     "Write the run beside the film, run.gvr, from which other films are drawn without simulating, "
     "or draw the film from it if it is there already",
     HELP_FILES},
    {"frames-from", OPTION_FRAMES_FROM, "FILE", 0,
     "Make the film of the frames that a simulation writes into FILE, a pipe, or into standard "
     "input, -, as it runs (docs/frames.md); of its ranks into several files: 'frames.*'. Frames "
     "are kept in OUT.bodies",
     HELP_SCENE},
    {"save-snapshots", OPTION_SAVE_SNAPSHOTS, "PATTERN", 0,
     "Write snapshots of the bodies beside the film, 'snap_%03d.hdf5', at the first frame at or "
     "after each multiple of --every; a resumed run keeps those that are there",
     HELP_FILES},
    {"every", OPTION_EVERY, "T", 0,
     "Simulated time from one of these snapshots to the next, in the scene's unit. With --keep-run "
     "alone, a number K: the run keeps each K-th frame",
     HELP_FILES},
    {"dry-run", OPTION_DRY_RUN, NULL, 0,
     "Check everything, print what would be done and how long it would take, and write nothing",
     HELP_RUN},
    {"json", OPTION_JSON, NULL, 0, "Same as --summary json; also prints --dry-run as JSON",
     HELP_MESSAGES},
    {0},
};

/* Reports if the scene is the one that the last run wrote next to its film: *.yaml matches it,
 * too. */
static void tell_origin(const struct render_options *options)
{
    char *film = own_scene_film(options->request.scene);
    if (film)
        log_info("'%s' is the scene of '%s', written beside it: this makes the same film again",
                 options->request.scene, film);
    free(film);
}

/* Makes the checks that need no bodies. */
static enum status check_before_frames(const struct render_options *options, struct scene *scene)
{
    struct run run = {.options = options, .scene = scene};
    enum status status = render_check_options(options);
    if (status == STATUS_OK)
        status = plan_target(&run);
    if (status == STATUS_OK && view_output_of(&run))
        status = view_output_of(&run)->check(scene);
    target_free(&run.target);
    return status;
}

/* Receives the frames of --frames-from once it is certain that the film can be made, because they
 * come only once. */
static enum status receive_frames(struct render_options *options)
{
    struct scene *scene = NULL;
    enum status status = STATUS_OK;
    if (!options->frames_from)
        return STATUS_OK;
    if (options->request.bodies_from || options->request.snapshots || options->request.run)
        status = status_fail(STATUS_USAGE, "--frames-from, --bodies-from, --snapshots and --run "
                                           "each choose the bodies; leave out all but one");
    else if (!options->output || options->dry_run || options->resume)
        status = status_fail(STATUS_USAGE,
                             "--frames-from makes a film while a simulation runs: it needs -o, and "
                             "neither --dry-run nor --resume; `gravreel resume FILM` continues "
                             "such a film");
    else if (ranks_are_together())
        status = status_fail(STATUS_USAGE, "--frames-from is for one process, which can read the "
                                           "streams of many ranks; start it without mpirun");
    else if (!strpbrk(options->output, "%#"))
        status = output_check_new(options->output, options->overwrite, "output");
    const enum log_level level = log_get_level();
    log_set_level(LOG_ERROR); /* it is opened again, with the frames */
    if (status == STATUS_OK)
        status = scene_request_open(&options->request, &scene);
    if (status == STATUS_OK)
        status = check_before_frames(options, scene);
    log_set_level(level);
    scene_close(&scene);
    if (status == STATUS_OK)
        status =
            frames_receive(options->frames_from, options->output, options->overwrite,
                           interrupt_catch(), &options->frames_pattern, &options->frames_received);
    (void)interrupt_suspend(); /* a second signal stops the film */
    options->request.snapshots = options->frames_pattern;
    return status;
}

/* Says in the sentence of a failure how the film can still be made. */
static void tell_frames(const struct render_options *options, enum status status)
{
    char *hint = render_frames_hint(options->frames_pattern, options->output);
    char *reason = memory_text(status_text());
    status_fail(status, "%s%s", reason, hint);
    free(reason);
    free(hint);
}

static int run_render(int argc, char **argv)
{
    static const struct scene_command command = {
        .name = "render",
        .args_doc = "[SCENE]",
        .doc =
            "Renders a scene: a built-in name (`gravreel scenes`), a YAML file, or a film or still "
            "made by gravreel, of which the whole film is rendered again. Default: "
            "milky-way-andromeda.\v"
            "Exit codes: 0 success, 1 failure while running, 2 wrong usage, 3 the film is complete "
            "but its physics exceeds a limit of the scene, 4 no usable device, GL or encoder, 5 "
            "failure of a file or disk, 129/130/143 ended by a signal (continue with --resume).\n"
            "Examples:\n"
            "  gravreel render -o film.mp4\n"
            "  gravreel render plummer -n 4096 --size 1080p --set camera.orbit=180 -o turn.mp4\n"
            "  gravreel render --set look.color=help",
        .taker = TAKER_RENDER,
        .options = table,
    };
    struct render_options options;
    struct scene *scene = NULL;
    enum status status = scene_command_parse(&command, &options, argc, argv);
    struct failure stream = {0};
    int code = (int)status;
    if (status == STATUS_OK && !options.answered) {
        tell_origin(&options);
        options.request.films = options.output || options.dry_run || options.save_scene;
        status = receive_frames(&options);
        if (options.frames_pattern && failure_keep(&stream, status))
            status = STATUS_OK; /* the frames before make a film */
        if (status == STATUS_OK)
            status = scene_request_open(&options.request, &scene);
        code = status == STATUS_OK ? render_scene(&options, scene) : (int)status;
        if (code == STATUS_OK)
            code = (int)failure_report(&stream);
        else if (options.frames_pattern && code <= STATUS_IO && code != STATUS_MISMATCH)
            tell_frames(&options, (enum status)code);
    }
    scene_close(&scene);
    render_options_free(&options);
    return code;
}

const struct command command_render = {
    .name = "render",
    .doc = "render a scene to a film or a PNG sequence",
    .run = run_render,
    .on_ranks = true,
};
