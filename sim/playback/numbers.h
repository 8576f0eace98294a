/* The values of a column over a series of snapshots. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/params.h"

/* The largest number of snapshots that are read, evenly spaced from first to last, and of rows per
 * snapshot, evenly spaced over its file. */
enum { NUMBERS_SNAPSHOTS = 16, NUMBERS_ROWS = 1 << 20 };

/* The values of the drawn ones of the bodies (playback_gather), NaN where a body has none; the
 * caller frees them. STATUS_RUNTIME when memory is short. For shared bodies collective, and only
 * the values in this rank's slices. */
enum status playback_numbers(const struct bodies_params *params, const struct bodies *bodies,
                             const char *column, double **out, size_t *count);
