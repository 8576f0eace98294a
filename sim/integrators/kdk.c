#include "sim/integrators/kdk.h"
#include "sim/integrators/blocks.h"
#include "sim/integrators/doubled.h"

void kdk(struct motion *motion, double dt)
{
    kick(motion, dt / 2);
    drift(motion, dt);
    accelerate(motion);
    kick(motion, dt / 2);
}

static enum status step(struct solver *solver, double dt, double damping)
{
    (void)damping;
    struct motion motion = {solver, STATUS_OK};
    kdk(&motion, dt);
    return motion.status;
}

const struct integrator integrator_kdk = {
    .name = "kdk",
    .doc = "kick-drift-kick leapfrog: second order, symplectic, time-reversible",
    .order = 2,
    .forces_per_step = 1,
    .step = step,
    .adapted_by =
        (const struct integrator *const[]){&integrator_blocks, &integrator_adaptive, NULL},
    .doubled_by = &integrator_doubled,
    .check = integrator_never_damps,
    .advance = equal_steps,
    .load = equal_steps_load,
};
