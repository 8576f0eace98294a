/* Checks of a request of `gravreel render`, made before any file is touched, and the report at the
 * end of its run. */
#pragma once

#include "cmd/film/job/target.h"

#include <stdbool.h>

struct render_options; /* cmd/cli/options.h */
struct run_report;     /* cmd/cli/progress.h */

/* ---- before: each function returns STATUS_USAGE or STATUS_IO with a message ---- */

/* The options alone: do they agree, and can the named files be written? */
enum status render_check_options(const struct render_options *options);

/* Whether the manifest can describe the target, in a file that the run does not use otherwise. */
enum status render_check_manifest(const struct render_options *options,
                                  const struct target *target);

/* Refuses --save-snapshots on ranks that share the bodies of snapshots. */
enum status render_check_ranks(const struct render_options *options, const struct scene *scene);

/* Progress must not overwrite the run's other files, since it is written while they are in use. */
enum status render_check_progress(const struct render_options *options, const struct target *target,
                                  const struct scene *scene);

/* ---- after ---- */

/* A render that has ended. */
struct render_run {
    const struct target *target;
    const struct scene *scene;
    const struct film *film;
    const struct run_report *report;
    const char *summary; /* the form of --summary */
    bool manifest;       /* a manifest was requested */
    const char *frames;  /* the pattern of the frames that were received; NULL: none */
};

/* The rest of a sentence that says how received frames become a film. The caller frees it. */
char *render_frames_hint(const char *frames, const char *output);

/* Whether the film was completed, or stopped on request. */
bool render_went_well(enum status status);

/* Prints the summary, says how a film that was stopped or has failed can be continued, and checks
 * the physics against the scene's `expect` section. `status`: how the render has ended. Returns the
 * exit code. */
int render_report(const struct render_run *run, enum status status);
