/* Records a film's simulations as a run (sim/run/run.h). */
#pragma once

#include "cmd/film/film.h"
#include "sim/run/run.h"

#include <signal.h>

/* Describes a run of this film for run_create, which takes over its memory; the film was opened
 * with film_options.records, and is at frame 0. */
enum status recording_describe(struct run_about *out, const struct film *film, uint32_t every);

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

/* Begins a run of the film, which is at frame 0, or continues it. This and the following functions
 * are collective on ranks, of which rank 0 has all bodies. */
enum status run_job_open(struct run_job **out, struct film *film, const char *path, uint32_t every,
                         bool overwrite);
/* Appends the frame that the film, which something else advances, has reached: every frame in order
 * from the one on at which the run was opened. */
enum status run_job_pass(void *job, uint64_t frame);
/* Ends a run that has all frames; leaves a checkpoint of one that has not. */
enum status run_job_finish(struct run_job *job);
void run_job_close(struct run_job **job); /* accepts a pointer to NULL */

/* A run that is simulated without drawing, with a bar of its progress. */
struct run_making {
    const char *path, *backend;
    int device;
    uint32_t every; /* keeps each frame of that many */
    bool overwrite;
    volatile sig_atomic_t *stop; /* may be NULL */
};

/* Begins or continues it, up to the last frame of the scene's film. *frame: the last one it has. */
enum status run_job_make(const struct run_making *how, const struct scene *scene, uint64_t *frame);

/* Whether the run that exists at the path has the scene's motion; *fits is false without a failure
 * if it has no frame yet. every 0: any. */
enum status run_job_fits(const char *path, const struct scene *scene, uint32_t every, bool *fits);

/* Gives the scene such a run, and continues it first if it ends before the frame `last`. */
enum status run_job_take(const struct run_making *how, struct scene *scene, uint64_t last);
