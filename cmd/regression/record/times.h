/* The times at which a film's file shows its frames, of which a manifest stores only a hash. */
#ifndef CMD_REGRESSION_RECORD_TIMES_H
#define CMD_REGRESSION_RECORD_TIMES_H

#include "cmd/regression/record/record.h"

/* Ticks of the time base, one per frame. */
void times_hash(const int64_t *ticks, uint64_t count, char out[HASH_TEXT]);

/* [container->frames] ticks of the time base, the caller's to free: as they were read, or those of
 * a steady rate if the hash is theirs. NULL: they are not known. */
int64_t *times_of(const struct container_record *container);

/* Seconds of a tick; NAN: not known. */
double times_tick(const struct container_record *container);

#endif
