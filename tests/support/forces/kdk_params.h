/* The parameters of a plain simulation. */
#pragma once

#include "sim/simulation.h"
#include "tests/support/choose.h"

/* The leapfrog with the force fast. */
static inline struct simulation_params kdk_params(double dt, uint32_t steps_per_frame)
{
    return (struct simulation_params){.dt = dt,
                                      .softening = 0.05,
                                      .steps_per_frame = steps_per_frame,
                                      .force = choose(&force_registry, "fast"),
                                      .integrator = choose(&integrator_registry, "kdk")};
}
