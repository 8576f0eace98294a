/* A film that the page has asked for: this program's own `render`, as a process. Thread-safe. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct job_run;

struct job_run *job_run_open(void);
void job_run_close(struct job_run **run); /* stops the film and says so; waits */

/* Starts `render SCENE -o FILM`, replacing or resuming the film, with `motion` as --run (NULL:
 * without). STATUS_USAGE if one is being made. */
enum status job_run_start(struct job_run *run, const char *scene, const char *film,
                          const char *motion);
void job_run_stop(struct job_run *run);

struct job_run_state {
    bool began, running;
    int code; /* its exit code, when it has ended */
    uint64_t frame, frames;
    char sentence[STATUS_TEXT_MAX]; /* its last message */
};
void job_run_state(struct job_run *run, struct job_run_state *out);
