/* The segments of a job: which frames are there, and writing the others. */
#pragma once

#include "cmd/film/job/state.h"
#include "cmd/film/pipeline/encoders.h"

/* Notes which frames of the run the manifest has. */
void segments_note(struct job *job);

/* Whether the frame is still to be rendered; fits pipeline_events.wanted. `user`: the job. */
bool segments_want(void *user, uint64_t frame);

/* Called when a run has stopped: where it never came to the segment that an earlier stop had
 * interrupted, makes that segment's frames the partial segment, for a film by encoding them. */
enum status segments_show_unfinished(struct job *job);

/* Writes segments into the work folder and names the complete ones in the manifest. `user`: the
 * job. */
extern const struct segment_ops segments_write_films, segments_write_sequence;
