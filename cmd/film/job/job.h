/* A job: a run that makes a film in segments, so that it can be interrupted and resumed.
 *
 * Films in files and PNG sequences are jobs; streams, hashes and the like are not (single_open). A
 * segment has output.segment frames, counted from the film's frame 0, so that segments from several
 * machines fit together. Encoders write them on threads of their own
 * (cmd/film/pipeline/encoders.h), and checkpoints of the simulation are kept at their first frames.
 * The manifest in the work folder lists what is complete on disk, and nothing else.
 *
 *     state        on the disk                                  left by
 *     none         no work folder                               job_open -> running
 *     running      folder locked by this process; each complete job_close -> done, stopped,
 *                               segment and checkpoint is in the manifest    futile, failed;
 *                                                             kill -9 -> interrupted
 *     interrupted  folder without a lock                        job_open -> running: with resume
 *                                                             from the latest checkpoint, with
 *                                                             overwrite from frame 0
 *     stopped      as interrupted, and the film so far; also    as interrupted
 *                               the pictures of the segment in progress
 *     failed       as interrupted                               as interrupted
 *     done         film and scene; no folder
 *     futile       film so far and scene; no folder, because a simulation that broke breaks again
 *
 * Statuses: STATUS_USAGE for a folder of another run, and for one that exists without resume or
 * overwrite; STATUS_IO for files. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/film/pipeline/pipeline.h"

struct job;

struct job_options {
    bool resume, overwrite;
    const char *checkpoints; /* folder shared by several runs; NULL: none */
    bool as_found;           /* joins whatever the segments contain, so that missing frames can be
                              * named; otherwise no film is made */
};

/* Creates or resumes the work folder, and continues the film, which is at frame 0, from the latest
 * usable checkpoint. Film, target and options must outlive the job. Must be closed also after a
 * failure, when *out may be NULL. */
enum status job_open(struct job **out, const struct target *target, struct film *film,
                     const struct job_options *options);

/* Whether there was something to continue from. */
bool job_is_resumed(const struct job *job);

/* Makes the pipeline write the job's segments. */
void job_set_pipeline(struct job *job, struct pipeline_params *params);

/* Ends a run with status `run` and the pipeline's final progress: joins the film if possible, and
 * keeps or removes the folder. `stop` may interrupt joining, which then returns STATUS_STOPPED.
 * Accepts a pointer to NULL. */
enum status job_close(struct job **job, enum status run, const struct pipeline_progress *progress,
                      const volatile sig_atomic_t *stop, struct target_result *result);

/* A film that one sink writes from the first frame to the last: a stream, a hash and the like. It
 * cannot be resumed. */

/* Opens the sink with the film's tags; the film is at frame 0. */
enum status single_open(struct sink **sink, const struct target *target, const struct film *film);

/* Makes the pipeline write into it. */
void single_set_pipeline(struct sink *sink, struct pipeline_params *params);

/* Completes what was encoded if the sink still can, after a run with status `run` and `frames`
 * pictures; returns the first failure. */
enum status single_close(struct sink **sink, const struct film *film, enum status run,
                         uint64_t frames, struct target_result *result);
