/* The renderer's state, above all its exposure, which a resumed run must continue with. The
 * manifest keeps it. */
#ifndef CMD_JOB_EXPOSURE_H
#define CMD_JOB_EXPOSURE_H

#include "cmd/job/state.h"

/* Whether the manifest knows the renderer's state at the frame. */
bool exposure_is_known(const struct job *job, uint64_t frame);

/* Continues with the known state at the frame. */
void exposure_restore(struct job *job, uint64_t frame);

/* Keeps the present state as that of the frame; fits pipeline_events.drawing. `user`: the job. */
enum status exposure_keep(void *user, uint64_t frame);

/* Sets the exposure from frame 0, at which the film is. */
enum status exposure_meter(struct job *job);

#endif
