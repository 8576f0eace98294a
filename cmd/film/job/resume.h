/* What a job continues from. */
#pragma once

#include "cmd/film/job/state.h"

/* Opens the job's manifest. With `resume`, where there is one, finds out which segments are
 * complete, and continues from the latest checkpoint before the first one missing; otherwise starts
 * over. */
enum status job_resume(struct job *job, bool resume, bool overwrite);
