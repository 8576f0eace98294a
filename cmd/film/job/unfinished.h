/* The frames of a segment that a stop has interrupted. The manifest lists them, so that a resume
 * draws only the others. For a sequence, the frames are its picture files; for a film, raw pictures
 * are kept, because an encoder cannot be continued and must get the segment from its first frame
 * on. */
#pragma once

#include "cmd/film/job/state.h"

/* Number of frames that a segment has already, from its first on. Thread-safe. */
uint64_t unfinished_frames(struct job *job, uint64_t index);

/* Writes these frames into the sink of a film's segment that is starting. */
enum status unfinished_replay(struct job *job, uint64_t index, struct sink *sink);

/* Keeps pictures of a film; suitable for segment_ops.keep. If they cannot be kept, a warning says
 * what is lost. `user`: the job. */
void unfinished_keep(void *user, uint64_t index, uint64_t frames, struct picture *const *pictures,
                     uint64_t count);

/* Lists a sequence's pictures in the manifest: frames `first` and up of a segment. */
enum status unfinished_name(struct job *job, uint64_t index, uint64_t first, uint64_t count);
