/* The end of `gravreel render`: prints the summary, says how a film that was stopped or has failed
 * can be continued, and checks the physics against the scene's `expect` section. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

struct film;
struct run_report; /* cmd/cli/progress.h */
struct scene;
struct target;

/* A render that has ended. */
struct render_run {
    const struct target *target;
    const struct scene *scene;
    const struct film *film;
    const struct run_report *report;
    const char *summary; /* the form of --summary */
    bool manifest;       /* a manifest was requested */
};

/* Whether the film was completed, or stopped on request. */
bool render_went_well(enum status status);

/* `status`: how the render has ended. Returns the exit code. */
int render_report(const struct render_run *run, enum status status);
