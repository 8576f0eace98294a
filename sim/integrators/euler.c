#include "sim/integrators/integrator.h"

/* The order of the early GPU programs: v = (v + a dt) damping, then x += v dt. */
static enum status euler_step(struct solver *solver, double dt, double damping)
{
    const struct solver_ops *ops = solver->ops;
    enum status status = ops->kick(solver, dt);
    if (status == STATUS_OK && damping != 1)
        status = ops->damp(solver, damping);
    if (status == STATUS_OK)
        status = ops->drift(solver, dt);
    if (status == STATUS_OK)
        status = ops->accelerate(solver);
    return status;
}

const struct integrator integrator_euler = {
    .name = "euler",
    .doc = "semi-implicit Euler, with damping: first order, symplectic without damping",
    .order = 1,
    .forces_per_step = 1,
    .current = true,
    .damps = true,
    .step = euler_step,
};
