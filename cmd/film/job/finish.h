/* Joins, keeps or removes the segments when a run ends. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/job/segments.h"
#include "cmd/film/job/target.h"

#include <signal.h>

/* How a run has ended, and what follows. */
enum job_end {
    JOB_DONE,    /* joins the film, writes the scene beside it and removes the folder */
    JOB_STOPPED, /* the same with the film so far, but keeps the folder for a resume */
    JOB_FUTILE,  /* the same, but removes the folder, because a resume would fail again */
    JOB_FAILED,  /* keeps the folder */
};

/* A folder without anything to resume is always removed. `stop` may interrupt joining, which then
 * returns STATUS_STOPPED and leaves the segments unchanged. */
enum status job_finish(struct job *job, enum job_end end, const volatile sig_atomic_t *stop,
                       struct target_result *result);

/* A film or sequence that a run to be resumed finds complete (target.h): whether it really is what
 * this run would make. */

/* `film` is at frame 0. STATUS_USAGE when it was made of other bodies, although the scene is the
 * same; STATUS_IO with the first picture of a sequence that cannot be read. Reads all pictures of a
 * sequence; STATUS_STOPPED soon after *stop becomes nonzero. */
enum status finished_check(const struct target *target, const struct film *film,
                           const volatile sig_atomic_t *stop);
