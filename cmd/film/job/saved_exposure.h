/* The renderer's state, above all its exposure, which a resumed run must continue with. The
 * manifest keeps it. */
#pragma once

#include "cmd/film/job/state.h"

/* Whether the manifest knows the renderer's state at the frame. */
bool saved_exposure_exists(const struct job *job, uint64_t frame);

/* Continues with the known state at the frame. */
void saved_exposure_restore(struct job *job, uint64_t frame);

/* Keeps the present state as that of the frame. */
enum status saved_exposure_keep(struct job *job, uint64_t frame);
