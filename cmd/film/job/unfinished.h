/* The frames of a segment that a stop has cut short. They are named in the manifest, so that a
 * resume draws only the others: pictures of a sequence are the files themselves; those of a film
 * are kept as they were drawn, because an encoder cannot be continued and has to see the segment
 * from its first frame on. */
#ifndef CMD_FILM_JOB_UNFINISHED_H
#define CMD_FILM_JOB_UNFINISHED_H

#include "cmd/film/job/state.h"

/* How many frames of a segment there are already, from its first on. Thread-safe. */
uint64_t unfinished_frames(struct job *job, uint64_t index);

/* Writes these frames into the sink of a film's segment that begins. */
enum status unfinished_replay(struct job *job, uint64_t index, struct sink *sink);

/* Keeps pictures of a film; fits segment_ops.keep. Where they cannot be kept a warning says what is
 * lost. `user`: the job. */
void unfinished_keep(void *user, uint64_t index, uint64_t frames, struct picture *const *pictures,
                     uint64_t count);

/* Names the pictures of a sequence, which are frames `first` and up of a segment. */
enum status unfinished_name(struct job *job, uint64_t index, uint64_t first, uint64_t count);

#endif
