/* Checks a run against the scene's limits on conservation, and against general ones. */
#pragma once

#include "base/status.h"
#include "sim/diagnostics.h"
#include "sim/params.h"

#include <stdbool.h>
#include <stdint.h>

/* The first simulation at two frames of a run. */
struct expect_run {
    const struct diagnostics *start, *now;
    double elapsed; /* simulated time between them */
    uint64_t frame; /* of `now` */
};

/* Whether the scene has any limit. */
bool expect_is_given(const struct expect_params *expect);

/* STATUS_MISMATCH names every limit that is exceeded at the frame, and the value found: "at frame
 * 47 the energy has drifted by 0.013, more than expect.energy_drift allows, 0.01". NaN exceeds
 * every limit. */
enum status expect_judge(const struct expect_params *expect, const struct expect_run *run);

/* Warns when the energy has drifted by more than a percent, or to NaN, unless velocities are
 * damped. */
void expect_warn(const struct simulation_params *simulation, const struct expect_run *run);
