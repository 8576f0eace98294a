#include "cmd/command.h"
#include "cmd/diagnostics_log.h"
#include "cmd/film.h"
#include "cmd/film_tags.h"
#include "cmd/target.h"
#include "cmd/pipeline.h"
#include "cmd/progress.h"
#include "cmd/render_options.h"
#include "cmd/summary.h"

#include "base/clock.h"
#include "base/file.h"
#include "base/log.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t stop_signal;

static void on_signal(int number)
{
    if (stop_signal)
        _exit(128 + number); /* the second time: at once */
    stop_signal = number;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

struct run {
    const struct render_options *options;
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

static bool stands(enum status status)
{
    return status == STATUS_OK || status == STATUS_STOPPED;
}

/* What a run has come to and its sentence, while files are closed that may fail in turn. */
struct verdict {
    enum status status;
    char sentence[STATUS_TEXT_MAX];
};

static struct verdict verdict_of(enum status status)
{
    struct verdict verdict = {.status = status};
    memcpy(verdict.sentence, status_text(), sizeof verdict.sentence);
    return verdict;
}

/* The first failure wins. */
static enum status verdict_after(const struct verdict *verdict, enum status closed)
{
    if (!stands(verdict->status))
        return status_fail(verdict->status, "%s", verdict->sentence);
    return closed != STATUS_OK ? closed : verdict->status;
}

/* A film in one piece: its sink is opened before the first frame and closed after the last. */
static enum status lend_sink(void *user, uint64_t part, struct sink **sink)
{
    (void)part;
    *sink = user;
    return STATUS_OK;
}

static enum status leave_sink(void *user, uint64_t part, struct sink **sink, uint64_t frames,
                              bool whole, bool broken)
{
    (void)user, (void)part, (void)sink, (void)frames, (void)whole, (void)broken;
    return STATUS_OK;
}

static const struct part_ops one_piece = {lend_sink, leave_sink};

/* Renders into an open sink; returns what the film is worth. */
static enum status roll(struct run *run, struct sink *sink)
{
    struct progress *progress;
    enum status status = progress_open(&progress, run->options->quiet, run->options->progress);
    if (status != STATUS_OK)
        return status;
    const struct pipeline_events events = {.tick = progress_tick};
    const struct pipeline_params params = {
        .simulations = run->film.simulations,
        .simulation_count = run->film.simulation_count,
        .renderer = run->film.renderer,
        .parts = &one_piece,
        .part_user = sink,
        .first = run->target.first,
        .last = run->target.last,
        .encoders = 1,
        .stop = &stop_signal,
        .events = &events,
        .user = progress,
    };
    status = pipeline_run(&params, &run->report.progress);
    struct verdict verdict = verdict_of(status);
    enum status closed = progress_close(&progress, &run->report.progress,
                                        status == STATUS_OK        ? "end"
                                        : status == STATUS_STOPPED ? "stopped"
                                                                   : "failed");
    return status == STATUS_STOPPED ? status : verdict_after(&verdict, closed);
}

/* The simulation of a run that was stopped is ahead of its film. */
static enum status tag_end(struct run *run, struct sink *sink, enum status status)
{
    char state[HASH_TEXT];
    if (status != STATUS_OK)
        return status;
    status = film_state_hash(&run->film, state);
    return status == STATUS_OK ? sink_add_tag(sink, FILM_TAG_LAST_STATE, state) : status;
}

/* What has been encoded is kept whenever the sink itself can still finish it. */
static enum status close_sink(struct run *run, struct sink **sink, enum status status)
{
    struct verdict verdict = verdict_of(status);
    bool keep = run->report.progress.done[STAGE_ENCODE] > 0 && status != STATUS_IO;
    double since = clock_seconds();
    enum status closed = (*sink)->ops->close(sink, keep, &run->report.frames, &run->report.bytes);
    run->report.close_seconds = clock_seconds() - since;
    run->report.kept = keep && closed == STATUS_OK;
    return verdict_after(&verdict, closed);
}

static enum status close_log(struct diagnostics_log **log, enum status status)
{
    struct verdict verdict = verdict_of(status);
    return verdict_after(&verdict, diagnostics_log_close(log, stands(status)));
}

static enum status render(struct run *run)
{
    enum status status = simulation_diagnose(run->film.simulations[0], &run->report.before);
    if (status != STATUS_OK)
        return status;
    struct sink *sink;
    status = target_open(&run->target, &run->film, &sink);
    if (status != STATUS_OK)
        return status;
    snprintf(run->report.encoder, sizeof run->report.encoder, "%s", sink->description);
    catch_signals();
    double since = clock_seconds();
    struct diagnostics_log *log;
    status = diagnostics_log_open(&log, &run->target, &run->film);
    if (status == STATUS_OK)
        status = tag_end(run, sink, roll(run, sink));
    status = close_sink(run, &sink, status);
    status = close_log(&log, status);
    run->report.seconds = clock_seconds() - since;
    if (stands(status)) {
        enum status after = simulation_diagnose(run->film.simulations[0], &run->report.after);
        if (after == STATUS_OK && run->target.scene_path && run->report.kept)
            after = save_scene(run->scene, run->target.scene_path);
        if (after != STATUS_OK)
            status = after;
    }
    return status;
}

static int finish(struct run *run, enum status status)
{
    struct run_report *report = &run->report;
    if (report->kept && stands(status))
        summary_print(&run->target, run->scene, &run->film, report);
    else if (report->kept)
        log_warning("the %llu frames rendered so far are in '%s'",
                    (unsigned long long)report->frames, run->target.params.path);
    if (status != STATUS_STOPPED)
        return (int)status;
    if (report->kept)
        log_warning("stopped by signal %d after %llu of %llu frames; '%s' ends there",
                    (int)stop_signal, (unsigned long long)report->frames,
                    (unsigned long long)report->progress.wanted, run->target.params.path);
    else
        log_warning("stopped by signal %d before the first frame; nothing was written",
                    (int)stop_signal);
    return 128 + (int)stop_signal;
}

static int run_scene(struct run *run)
{
    const struct render_options *options = run->options;
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
        status = target_plan(&run->target, options, run->scene);
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
        summary_plan(&run->target, run->scene, &run->film);
        code = STATUS_OK;
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
