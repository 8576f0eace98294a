#include "sim/integrators/adaptive.h"
#include "sim/integrators/motion.h"

/* The order of the early GPU programs: v = (v + a dt) damping, then x += v dt. */
static enum status step(struct solver *solver, double dt, double damping)
{
    struct motion motion = {solver, STATUS_OK};
    kick(&motion, dt);
    damp(&motion, damping);
    drift(&motion, dt);
    accelerate(&motion);
    return motion.status;
}

const struct integrator integrator_euler = {
    .name = "euler",
    .doc = "semi-implicit Euler, with damping: first order, symplectic without damping",
    .order = 1,
    .forces_per_step = 1,
    .step = step,
    .adapted_by = (const struct integrator *const[]){&integrator_adaptive, NULL},
    .advance = equal_steps,
    .load = equal_steps_load,
};
