/* How a film is cut into segments (cmd/film/job/job.h). Pure, thread-safe. */
#pragma once

#include "scenes/params.h"

#include <stdint.h>

/* Frames per segment, >= 1: output.segment, or what its `auto` means, a function of output.fps and
 * output.frames alone, since a film's bytes depend on it: a second of the film, 12 frames at least,
 * but no more than 2000 segments. docs/performance.md says what that costs and gains. */
uint64_t scene_segment_length(const struct scene *scene);
