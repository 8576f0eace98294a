/* Checkpoints of a job: in its work folder, and in a folder that several runs of a scene share. */
#ifndef CMD_FILM_JOB_CHECKPOINTS_H
#define CMD_FILM_JOB_CHECKPOINTS_H

#include "cmd/film/job/state.h"

/* Continues from the latest intact checkpoint of the work folder at or before the frame. Damaged
 * ones are passed over with a warning. job->start is the frame that the film is at then. */
enum status checkpoints_continue(struct job *job, uint64_t frame);

/* The same with the shared folder, which is created where it is missing, if the film is at frame 0;
 * checkpoints_leave writes there as well from now on. Removes what killed runs have left there
 * unfinished. The name must outlive the job. */
enum status checkpoints_share(struct job *job, const char *folder);

/* Has a checkpoint of the frame that the simulations have reached written into each folder that has
 * none, by a thread of its own; waits for the one before and returns its failure, if any. Fits
 * pipeline_events.simulated. `user`: the job. */
enum status checkpoints_leave(void *user, uint64_t frame);

/* Waits until the last one is written, and ends the thread. Returns the first failure of them. */
enum status checkpoints_end(struct job *job);

/* Writes a checkpoint of where a stop has left the simulations, which may be in the middle of a
 * frame, if all frames before `next` have been drawn. Where that fails a warning says so: an
 * earlier one will do. */
void checkpoints_leave_last(struct job *job, uint64_t next);

#endif
