#include "sim/integrators/integrator.h"

static enum status dkd_step(struct solver *solver, double dt, double damping)
{
    (void)damping;
    const struct solver_ops *ops = solver->ops;
    enum status status = ops->drift(solver, dt / 2);
    if (status == STATUS_OK)
        status = ops->accelerate(solver);
    if (status == STATUS_OK)
        status = ops->kick(solver, dt);
    if (status == STATUS_OK)
        status = ops->drift(solver, dt / 2);
    return status;
}

const struct integrator integrator_dkd = {
    .name = "dkd",
    .doc = "drift-kick-drift leapfrog: second order, symplectic, time-reversible",
    .order = 2,
    .forces_per_step = 1,
    .current = false,
    .reversible = true,
    .step = dkd_step,
};
