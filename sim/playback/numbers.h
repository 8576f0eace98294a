/* The numbers that a column has over a series of snapshots. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/params.h"

/* The most snapshots that are read, spaced evenly over the series from first to last, and the most
 * rows of each, spaced evenly over its file. */
enum { NUMBERS_SNAPSHOTS = 16, NUMBERS_ROWS = 1 << 20 };

/* The numbers of those of the bodies (playback_gather) that are drawn, NaN where one lacks it, for
 * the caller to free. STATUS_RUNTIME when memory is short. */
enum status playback_numbers(const struct bodies_params *params, const struct bodies *bodies,
                             const char *column, double **out, size_t *count);
