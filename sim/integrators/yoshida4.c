#include "sim/integrators/adaptive.h"
#include "sim/integrators/kdk.h"

/* Three leapfrogs of OUTER, INNER and OUTER dt cancel the error of third order: OUTER =
 * 1 / (2 - 2^(1/3)), INNER = 1 - 2 OUTER (Yoshida 1990; Forest and Ruth 1990). */
static const double OUTER = 1.3512071919596576340476878089715,
                    INNER = -1.7024143839193152680953756179429;

static enum status step(struct solver *solver, double dt, double damping)
{
    (void)damping;
    struct motion motion = {solver, STATUS_OK};
    kdk(&motion, OUTER * dt);
    kdk(&motion, INNER * dt);
    kdk(&motion, OUTER * dt);
    return motion.status;
}

const struct integrator integrator_yoshida4 = {
    .name = "yoshida4",
    .doc = "three leapfrogs per step after Yoshida: fourth order, symplectic, time-reversible",
    .order = 4,
    .forces_per_step = 3,
    .step = step,
    .adapted_by = (const struct integrator *const[]){&integrator_adaptive, NULL},
    .check = integrator_never_damps,
    .advance = equal_steps,
    .load = equal_steps_load,
};
