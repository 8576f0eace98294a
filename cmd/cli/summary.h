/* The report at the end of a run. */
#ifndef CMD_CLI_SUMMARY_H
#define CMD_CLI_SUMMARY_H

#include "base/load.h"
#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/film/pipeline/pipeline.h"

struct run_report {
    struct pipeline_progress progress;
    struct diagnostics before, after;
    double seconds, close_seconds;
    struct load_parts load; /* of the machine meanwhile */
    struct target_result result;
};

/* On stderr, at info level; `form` is that of --summary: "short" are two lines, "json" an object on
 * the standard output, anything else or NULL all of it. */
void summary_print(const struct target *target, const struct scene *scene, const struct film *film,
                   const struct run_report *report, const char *form);

#endif
