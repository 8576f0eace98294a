/* The output of --dry-run: what a run would do, and the time and memory it would take. */
#pragma once

#include "base/json/facts.h"
#include "cmd/film/film.h"
#include "cmd/film/forecast/forecast.h"
#include "cmd/film/job/target.h"

/* Each prints text, or fills `json` unless it is NULL; docs/json.md lists the names used there. */
void dry_run_plan(struct facts *json, const struct target *target, const struct scene *scene,
                  const struct film *film);
void dry_run_forecast(struct facts *json, const struct forecast *forecast);

/* For a film that is complete, so that there is nothing to do; fills `json` only. */
void dry_run_complete(struct facts *json, const struct target *target);
