/* What happens to the segments when a run ends. */
#pragma once

#include "cmd/film/job/state.h"

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
