#include "sim/integrators/integrator.h"
#include "sim/integrators/motion.h"

static enum status step(struct solver *solver, double dt, double damping)
{
    (void)damping;
    struct motion motion = {solver, STATUS_OK};
    drift(&motion, dt / 2);
    accelerate(&motion);
    kick(&motion, dt);
    drift(&motion, dt / 2);
    return motion.status;
}

static enum status check(const struct simulation_params *params)
{
    if (params->adaptive > 0)
        return status_fail(STATUS_USAGE,
                           "simulation.adaptive needs the forces at the ends of a step, but the "
                           "integrator %s has them in its middle; choose kdk",
                           params->integrator->name);
    return integrator_never_damps(params);
}

const struct integrator integrator_dkd = {
    .name = "dkd",
    .doc = "drift-kick-drift leapfrog: second order, symplectic, time-reversible",
    .order = 2,
    .forces_per_step = 1,
    .step = step,
    .check = check,
    .advance = equal_steps,
    .load = equal_steps_load,
};
