/* Shows the progress of a run, on stderr and in a file.
 *
 * On a terminal it is a bar on the last line; elsewhere a plain line every few seconds. The file
 * (--progress) gets a block of key=value lines each time, the last one ending in progress=end. */
#pragma once

#include "cmd/film/pipeline/pipeline.h"

struct progress;

/* To be called before rendering. STATUS_USAGE, without `overwrite`, if the file exists and is not
 * such a progress file; fails also if it cannot be written. `path` NULL: no file. */
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
