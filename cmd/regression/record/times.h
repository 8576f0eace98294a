/* The presentation times of a film's frames, of which a manifest stores only a hash. */
#pragma once

#include "cmd/regression/record/record.h"

/* Hashes ticks of the time base, one per frame. */
void times_hash(const int64_t *ticks, uint64_t count, char out[HASH_TEXT]);

/* Returns [container->frames] ticks of the time base, which the caller frees: the times that were
 * read, or those of a constant frame rate if they have the same hash. NULL: unknown. */
int64_t *times_of(const struct container_record *container);

/* Returns the duration of a tick in seconds; NAN: unknown. */
double times_tick(const struct container_record *container);
