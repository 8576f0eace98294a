#include "cmd/render_checks.h"

#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/output.h"
#include "base/ranks/ranks.h"
#include "base/text.h"
#include "cmd/cli/interrupt.h"
#include "cmd/cli/options.h"
#include "cmd/cli/progress.h"
#include "cmd/film/expect.h"
#include "cmd/film/snapshots/snapshots.h"
#include "cmd/film/start/panels.h"
#include "cmd/regression/record/recorder.h"

#include <stdlib.h>
#include <string.h>

/* ---- before ---- */

static bool same_place(const char *a, const char *b)
{
    return b && (strcmp(a, b) == 0 || file_same(a, b));
}

static enum status check_series(const struct render_options *options)
{
    struct snapshot_names names;
    double every;
    if (!options->save_snapshots && (!options->every || options->keep_run))
        return STATUS_OK; /* --every is then the run's */
    if (!options->save_snapshots || !options->every)
        return status_fail(STATUS_USAGE, "--save-snapshots (the files' names) and --every (their "
                                         "interval) belong together; give both");
    if (!options->output)
        return status_fail(STATUS_USAGE, "--save-snapshots needs an output film; name one "
                                         "with -o, or use `gravreel simulate`");
    enum status status = snapshot_names_plan(&names, "--save-snapshots", options->save_snapshots);
    return status == STATUS_OK ? snapshot_every_parse(options->every, &every) : status;
}

enum status render_check_options(const struct render_options *options)
{
    if (!options->output && !options->save_scene && !options->dry_run)
        return status_fail(STATUS_USAGE, "no output given; name one with -o, for example -o "
                                         "film.mp4 or -o frames/%%06d.png");
    if (render_options_check_save(options) != STATUS_OK)
        return STATUS_USAGE;
    if (render_options_want_json(options) && !options->dry_run && options->output &&
        strcmp(options->output, "-") == 0)
        return status_fail(STATUS_USAGE, "--json is written to the standard output, as the film is "
                                         "with -o -; name a file with -o");
    if (options->manifest && !options->output)
        return status_fail(STATUS_USAGE, "--manifest needs an output film; name one with -o");
    if (options->manifest && options->resume)
        return status_fail(STATUS_USAGE,
                           "--manifest needs a run that renders every frame, but --resume keeps "
                           "frames of an earlier run; leave out one of the two");
    if (options->plan && options->resume)
        return status_fail(STATUS_USAGE,
                           "--plan is for a new film, but --resume continues one that "
                           "has a plan; leave out one of the two");
    const char *const outputs[] = {options->output, options->save_scene, options->manifest,
                                   options->progress};
    int standard = 0;
    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        standard += outputs[i] && file_is_standard(outputs[i]);
    if (standard > 1)
        return status_fail(STATUS_USAGE, "only one thing can go to the standard output; name a "
                                         "file for the others");
    enum status status = options->manifest ? output_check_new(options->manifest, options->overwrite,
                                                              "name for --manifest")
                                           : STATUS_OK;
    if (status == STATUS_OK)
        status = check_series(options);
    if (status == STATUS_OK)
        status = progress_check(options->progress, options->overwrite);
    if (status == STATUS_OK && options->save_scene)
        status = output_check(options->save_scene);
    if (status == STATUS_OK && options->manifest)
        status = output_check(options->manifest);
    return status;
}

enum status render_check_progress(const struct render_options *options, const struct target *target,
                                  const struct scene *scene)
{
    const char *const others[] = {options->request.scene,
                                  options->save_scene,
                                  options->manifest,
                                  target->scene_path,
                                  target->diagnostics_path,
                                  scene->bodies.file,
                                  target->sink->discards ? NULL : target->params.path};
    for (size_t i = 0; options->progress && i < sizeof others / sizeof others[0]; i++)
        if (!file_is_special(options->progress) && !file_is_standard(options->progress) &&
            same_place(options->progress, others[i]))
            return status_fail(STATUS_USAGE,
                               "--progress '%s' is a file that the run reads or writes already; "
                               "choose another name",
                               options->progress);
    return STATUS_OK;
}

enum status render_check_manifest(const struct render_options *options, const struct target *target)
{
    if (!options->manifest)
        return STATUS_OK;
    const char *const others[] = {target->params.path, options->request.scene, options->save_scene,
                                  target->scene_path, target->diagnostics_path};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (same_place(options->manifest, others[i]))
            return status_fail(STATUS_USAGE,
                               "--manifest '%s' is a file that the run reads or writes already; "
                               "choose another name",
                               options->manifest);
    return recorder_check(target);
}

enum status render_check_ranks(const struct render_options *options, const struct scene *scene)
{
    if (ranks_count() == 1 || !film_played(scene) || !options->save_snapshots)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "--save-snapshots is not available for snapshots on ranks, because no rank "
                       "has all bodies; leave it out, or start one process without mpirun");
}

/* ---- after ---- */

bool render_went_well(enum status status)
{
    return status == STATUS_OK || status == STATUS_STOPPED;
}

static int report_stop(const struct render_run *run, const char *hint)
{
    const struct target_result *result = &run->report->result;
    const unsigned long long frames = result->frames,
                             wanted = run->target->last - run->target->first + 1;
    if (result->kept)
        log_warning("stopped by %s after %llu of %llu frames; '%s' ends there%s", interrupt_words(),
                    frames, wanted, run->target->params.path, hint);
    else if (frames > 0)
        log_warning("stopped by %s while joining %llu of %llu frames; they are in '%s'%s",
                    interrupt_words(), frames, wanted, run->target->work_folder, hint);
    else
        log_warning("stopped by %s before the first frame%s", interrupt_words(),
                    *hint ? hint : "; nothing was written");
    return interrupt_exit_code(STATUS_STOPPED, NULL);
}

/* Checks the physics of a film that is complete. */
static enum status judge_physics(const struct render_run *run)
{
    const struct simulation *simulation = run->film->simulations[0];
    const struct expect_run found = {.start = &run->report->before,
                                     .now = &run->report->after,
                                     .elapsed = simulation_time(simulation),
                                     .frame = simulation_frame(simulation)};
    if (!film_played(run->scene)) /* the forces of snapshots are unknown */
        expect_warn(&run->scene->simulation, &found);
    enum status status = expect_judge(&run->scene->expect, &found);
    return status == STATUS_OK || !run->report->result.kept
               ? status
               : status_prefix(status,
                               "'%s' is complete, but its physics exceeds a limit of the scene",
                               run->target->params.path);
}

char *render_frames_hint(const char *frames, const char *output)
{
    return text_format("; the frames are kept, and `gravreel render --snapshots '%s' -o %s`, with "
                       "the same options, makes the film",
                       frames, output);
}

/* The rest of a sentence that says how to continue; the caller frees it. */
static char *hint_of(const struct render_run *run)
{
    if (!run->report->result.resumable && run->frames)
        return render_frames_hint(run->frames, run->target->params.path);
    if (!run->report->result.resumable)
        return memory_text("");
    return text_format("; to continue: gravreel resume '%s'%s", run->target->params.path,
                       run->manifest ? " (without the manifest, which is not written)" : "");
}

static int report_with(const struct render_run *run, enum status status, const char *hint)
{
    const struct target_result *result = &run->report->result;
    if (result->kept && render_went_well(status))
        summary_print(run->target, run->scene, run->film, run->report, run->summary);
    else if (result->kept)
        log_warning("the %llu frames rendered so far are in '%s'",
                    (unsigned long long)result->frames, run->target->params.path);
    if (status == STATUS_STOPPED)
        return report_stop(run, hint);
    if (status == STATUS_OK)
        return (int)judge_physics(run);
    if (result->resumable)
        log_warning("the segments made so far are in '%s'%s", run->target->work_folder, hint);
    return (int)status;
}

int render_report(const struct render_run *run, enum status status)
{
    char *hint = hint_of(run);
    const int code = report_with(run, status, hint);
    free(hint);
    return code;
}
