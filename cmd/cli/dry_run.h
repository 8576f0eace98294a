/* What --dry-run says on the standard output: what a run would do, and what it would take. */
#ifndef CMD_CLI_DRY_RUN_H
#define CMD_CLI_DRY_RUN_H

#include "base/json/facts.h"
#include "cmd/film/film.h"
#include "cmd/film/forecast/forecast.h"
#include "cmd/film/job/target.h"

/* Each as text, or into `json` unless it is NULL; docs/json.md lists the names there. */
void dry_run_plan(struct facts *json, const struct target *target, const struct scene *scene,
                  const struct film *film);
void dry_run_forecast(struct facts *json, const struct forecast *forecast);

/* Of a film that is complete, so that there is nothing to do: only into `json`. */
void dry_run_complete(struct facts *json, const struct target *target);

#endif
