/* What is said at the end of a run, and before one that is only planned. On stderr, at info level.
 */
#ifndef CMD_CLI_SUMMARY_H
#define CMD_CLI_SUMMARY_H

#include "cmd/film/film.h"
#include "cmd/forecast/forecast.h"
#include "cmd/job/target.h"
#include "cmd/pipeline/pipeline.h"

struct run_report {
    struct pipeline_progress progress;
    struct diagnostics before, after;
    double seconds, close_seconds;
    struct target_result result;
};

void summary_print(const struct target *target, const struct scene *scene, const struct film *film,
                   const struct run_report *report);
/* Of a run that is only planned, on stdout: what it would do, and then what it would take. */
void summary_plan(const struct target *target, const struct scene *scene, const struct film *film);
void summary_forecast(const struct forecast *forecast);

#endif
