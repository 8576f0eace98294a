/* Checkpoints of a job: in its work folder, and in a folder that several runs of a scene share. */
#pragma once

#include "cmd/film/job/segments.h"

/* Continues from the latest intact checkpoint of the work folder at or before the frame; skips
 * damaged ones with a warning. Sets job->start to the film's frame. */
enum status checkpoints_continue(struct job *job, uint64_t frame);

/* The same, for the first frame, with the checkpoints of a film that was set aside. */
enum status checkpoints_borrow(struct job *job);

/* The same with the shared folder, which is created if it is missing, if the film is at frame 0. An
 * exposure that adapts continues too. From now on checkpoints_leave also writes there.
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

/* The renderer's state, above all its exposure, which a resumed run must continue with. The
 * manifest keeps it. It is also kept beside the checkpoints that several runs share: for frame 0,
 * from which all take the film's exposure, or for the frame of each checkpoint if the exposure
 * adapts. */

/* Whether the manifest knows the renderer's state at the frame. */
bool saved_exposure_exists(const struct job *job, uint64_t frame);

/* Continues with the known state at the frame. */
void saved_exposure_restore(struct job *job, uint64_t frame);

/* Stores the present state as the state at the frame. */
enum status saved_exposure_keep(struct job *job, uint64_t frame);

/* Whether the shared folder has the state at the frame. */
bool shared_exposure_exists(const struct job *job, uint64_t frame);

/* Reads it. STATUS_IO if the file cannot be read or is damaged, so that an earlier one may serve;
 * STATUS_USAGE if it belongs to another scene or another format. */
enum status shared_exposure_read(const struct job *job, uint64_t frame,
                                 double state[RENDERER_STATE]);

/* Stores the present state there as the state at the frame, unless another run was first. */
enum status shared_exposure_write(const struct job *job, uint64_t frame);

/* Stores the present state as the state at the frame, like saved_exposure_keep, and also in the
 * shared folder if the exposure adapts. Fits pipeline_events.drawing. `user`: the job. */
enum status shared_exposure_keep(void *user, uint64_t frame);
