/* Plans the making of one film in ranges, or of several films. */
#pragma once

#include "cmd/film/farm/plan.h"

struct farm_range {
    uint64_t first, last; /* frames, inclusive */
};

/* Range i of `tasks`, which begins at a multiple of `segment`. */
struct farm_range farm_range(uint64_t frames, uint64_t segment, uint64_t tasks, uint64_t i);

/* Checks the request, makes the forecast, logs what the farm gains, and plans. STATUS_USAGE,
 * STATUS_IO or what opening the film gave. Free with farm_plan_free in every case. The request's
 * texts must outlive the plan. */
enum status farm_films_plan(struct farm_plan *plan, const struct farm_request *request);
