/* The renderer's state, above all its exposure, which a resumed run must continue with. The
 * manifest keeps it. It is also kept beside the checkpoints that several runs share: for frame 0, from
 * which all take the film's exposure, or for the frame of each checkpoint if the exposure adapts. */
#pragma once

#include "cmd/film/job/state.h"

/* Whether the manifest knows the renderer's state at the frame. */
bool saved_exposure_exists(const struct job *job, uint64_t frame);

/* Continues with the known state at the frame. */
void saved_exposure_restore(struct job *job, uint64_t frame);

/* Keeps the present state as that of the frame. */
enum status saved_exposure_keep(struct job *job, uint64_t frame);

/* Whether the shared folder has the state at the frame. */
bool shared_exposure_exists(const struct job *job, uint64_t frame);

/* Reads it. STATUS_IO if the file cannot be read or is damaged, so that an earlier one may serve;
 * STATUS_USAGE if it belongs to another scene or another format. */
enum status shared_exposure_read(const struct job *job, uint64_t frame,
                                 double state[RENDERER_STATE]);

/* Keeps the present state there as that of the frame, unless another run was first. */
enum status shared_exposure_write(const struct job *job, uint64_t frame);

/* Keeps the present state as that of the frame, like saved_exposure_keep, and also in the shared
 * folder if the exposure adapts. Fits pipeline_events.drawing. `user`: the job. */
enum status shared_exposure_keep(void *user, uint64_t frame);

/* The length of the name of such a file at the beginning of a name; 0: it begins otherwise. */
size_t shared_exposure_name(const char *name);
