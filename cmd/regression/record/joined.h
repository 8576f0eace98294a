/* The records of a film's segments as that of the film that was joined from them. */
#ifndef CMD_REGRESSION_RECORD_JOINED_H
#define CMD_REGRESSION_RECORD_JOINED_H

#include "cmd/regression/record/record.h"

#include <stddef.h>

/* Whether the records, in the film's order, are of one scene and their frames follow each other
 * without a gap. STATUS_USAGE, naming the files, where they do not. */
enum status joined_check(const struct record *parts, const char *const *names, size_t count);

/* Takes the frames out of records that were checked so, and reads the rest from the film at `path`
 * as readback.h does. What the segments were made with is listed where it differs. Free *out and
 * the parts in every case. */
enum status joined_record(struct record *parts, size_t count, const char *path, struct record *out);

#endif
