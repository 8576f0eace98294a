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

const struct integrator integrator_dkd = {
    .name = "dkd",
    .doc = "drift-kick-drift leapfrog: second order, symplectic, time-reversible",
    .order = 2,
    .forces_per_step = 1,
    .current = false,
    .reversible = true,
    .step = step,
};
