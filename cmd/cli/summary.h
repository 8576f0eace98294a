/* The report at the end of a run. */
#pragma once

#include "base/machine.h"
#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/film/pipeline/pipeline.h"

struct run_report {
    struct pipeline_progress progress;
    struct diagnostics before, after;
    double seconds, close_seconds;
    struct load_parts load; /* load of the machine during the run */
    struct target_result result;
};

/* Prints on stderr, at info level. `form` is that of --summary: "short" prints two lines, "json" an
 * object on standard output, anything else or NULL the full summary. */
void summary_print(const struct target *target, const struct scene *scene, const struct film *film,
                   const struct run_report *report, const char *form);
