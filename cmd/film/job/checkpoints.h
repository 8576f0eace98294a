/* Checkpoints of a job: in its work folder, and in a folder that several runs of a scene share. */
#pragma once

#include "cmd/film/job/state.h"

/* Continues from the latest intact checkpoint of the work folder at or before the frame; skips
 * damaged ones with a warning. Sets job->start to the film's frame. */
enum status checkpoints_continue(struct job *job, uint64_t frame);

/* The same with the shared folder, which is created if it is missing, if the film is at frame 0. An
 * exposure that adapts continues too (exposure.h). From now on checkpoints_leave also writes there.
 * Removes unfinished files that killed runs have left. The name must outlive the job. */
enum status checkpoints_share(struct job *job, const char *folder);

/* Starts writing a checkpoint of the simulations' current frame into each folder that lacks it, on
 * a thread of its own. Waits for the previous one and returns its failure, if any. Suitable for
 * pipeline_events.simulated. `user`: the job. */
enum status checkpoints_leave(void *user, uint64_t frame);

/* Waits until the last one is written, and ends the thread. Returns their first failure. */
enum status checkpoints_end(struct job *job);

/* After a stop, writes a checkpoint of the simulations, possibly in the middle of a frame, if all
 * frames before `next` have been drawn. Failure only gives a warning, because an earlier one can be
 * used. */
void checkpoints_leave_last(struct job *job, uint64_t next);
