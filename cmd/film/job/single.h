/* A film that one sink writes from the first frame to the last: a stream, a hash and the like. It
 * cannot be resumed. */
#pragma once

#include "cmd/film/film.h"
#include "cmd/film/job/target.h"
#include "cmd/film/pipeline/pipeline.h"

/* Opens the sink with the film's tags; the film is at frame 0. */
enum status single_open(struct sink **sink, const struct target *target, const struct film *film);

/* Makes the pipeline write into it. */
void single_set_pipeline(struct sink *sink, struct pipeline_params *params);

/* Completes what was encoded if the sink still can, after a run with status `run` and `frames`
 * pictures; returns the first failure. */
enum status single_close(struct sink **sink, const struct film *film, enum status run,
                         uint64_t frames, struct target_result *result);
