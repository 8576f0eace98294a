/* Combines the records of a film's segments into the record of the film joined from them. */
#pragma once

#include "cmd/regression/record/record.h"

#include <stddef.h>

/* Checks that the records, in the film's order, have the same scene and that their frames follow
 * each other without a gap. Returns STATUS_USAGE, naming the files, if not. */
enum status joined_check(const struct record *parts, const char *const *names, size_t count);

/* Moves the frames out of records that joined_check accepted, and reads the rest from the film at
 * `path` as readback.h does. Where the segments were made with different programs or devices, lists
 * all of them. Free *out and the parts in every case. */
enum status joined_record(struct record *parts, size_t count, const char *path, struct record *out);
