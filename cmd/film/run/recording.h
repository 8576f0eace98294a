/* Records a film's simulations as a run (sim/run/run.h). */
#pragma once

#include "cmd/film/film.h"
#include "sim/run/run.h"

#include <signal.h>

/* Describes a run of this film for run_create, which takes over its memory; the film was opened
 * with film_options.records. Except at frame 0, the accelerations at the start are missing, and it
 * is only for run_continue. */
enum status recording_describe(struct run_about *out, const struct film *film, uint32_t every);

/* STATUS_USAGE: a run is recorded by one process. */
enum status recording_refuse_ranks(void);

struct recording;

/* Prepares to append the film's frames to the run, which both outlive it. */
enum status recording_open(struct recording **out, const struct film *film, struct run *run);
void recording_close(struct recording **recording); /* accepts a pointer to NULL */

/* Appends the present frame, which must be the run's next one. */
enum status recording_take(struct recording *recording);

/* Advances the film's simulations and appends all frames to the last one. STATUS_STOPPED soon after
 * *stop (may be NULL) becomes nonzero. */
enum status recording_go(struct recording *recording, uint64_t last, volatile sig_atomic_t *stop);

/* A run in a file. While it grows, FILE.state has checkpoints (sim/checkpoint), from which a killed
 * run is continued with the bits of one that was not. */
struct run_job;

/* Whether a run can be written there: a new one, with `overwrite` in any case, or one that is
 * continued. STATUS_USAGE: it is complete, or something else. */
enum status run_job_check(const char *path, bool overwrite);

/* Begins or continues a run of the film. Except at frame 0, there must be a run that has the film's
 * frames so far. */
enum status run_job_open(struct run_job **out, struct film *film, const char *path, uint32_t every,
                         bool overwrite);
/* Simulates the rest. tick: called before each frame; may be NULL. After STATUS_STOPPED, or a kill,
 * the run can be continued. */
enum status run_job_go(struct run_job *job, volatile sig_atomic_t *stop,
                       void (*tick)(void *user, uint64_t frame), void *user);
/* Appends the frame that the film, which something else advances, has reached: every frame in order
 * after the one at which the run was opened. */
enum status run_job_pass(void *job, uint64_t frame);
/* Ends a run that has all frames. */
enum status run_job_finish(struct run_job *job);
void run_job_close(struct run_job **job); /* accepts a pointer to NULL */
