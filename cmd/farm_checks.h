/* Plans the check of baselines, a task each, and the merging of their reports. */
#pragma once

#include "cmd/film/farm/plan.h"

/* The request's inputs are baselines or folders of them; the reports are kept in its output, those
 * of the tasks in a folder per baseline. STATUS_USAGE, or what reading a baseline gave. Free with
 * farm_plan_free in every case. The request's texts must outlive the plan. */
enum status farm_checks_plan(struct farm_plan *plan, const struct farm_request *request);
