/* Shows the progress of a run, on stderr and in a file.
 *
 * On a terminal it is a bar on the last line; elsewhere a plain line every few seconds. The file
 * (--progress) gets a block of key=value lines each time, the last one ending in progress=end. */
#pragma once

#include "base/json/facts.h"
#include "base/machine.h"
#include "cmd/film/film.h"
#include "cmd/film/forecast/forecast.h"
#include "cmd/film/job/target.h"
#include "cmd/film/pipeline/pipeline.h"

struct progress;

/* Checks, before rendering, that progress can be written to the file. STATUS_USAGE, without
 * `overwrite`, if the file exists and is not such a progress file. `path` NULL: no file. */
enum status progress_check(const char *path, bool overwrite);

/* `quiet`: nothing on stderr. `path` NULL: no file; "-": standard output. STATUS_IO if the file
 * cannot be opened. */
enum status progress_open(struct progress **out, bool quiet, const char *path);

/* A callback for pipeline_params.tick; `user` is the struct progress. */
void progress_tick(void *user, const struct pipeline_progress *now);

/* Removes the bar before other output; the file stays open. */
void progress_hide(struct progress *progress);

/* Removes the bar and writes the last block with `word` ("end", "stopped", "failed"). Accepts a
 * pointer to NULL. */
enum status progress_close(struct progress **progress, const struct pipeline_progress *last,
                           const char *word);

/* "12.3 MB". */
void progress_bytes(uint64_t bytes, char *text, size_t size);

/* ---- the report at the end of a run ---- */

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

/* ---- the output of --dry-run: what a run would do, and the time and memory it would take ---- */

/* Each prints text, or fills `json` unless it is NULL; docs/json.md lists the names used there. */
void dry_run_plan(struct facts *json, const struct target *target, const struct scene *scene,
                  const struct film *film);
void dry_run_forecast(struct facts *json, const struct forecast *forecast);

/* Reports a film that is already complete; fills `json` only. */
void dry_run_complete(struct facts *json, const struct target *target);
