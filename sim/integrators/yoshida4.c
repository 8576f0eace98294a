#include "sim/integrators/integrator.h"

/* Three leapfrogs of OUTER, INNER and OUTER dt cancel the error of third order: OUTER =
 * 1 / (2 - 2^(1/3)), INNER = 1 - 2 OUTER (Yoshida 1990; Forest and Ruth 1990). */
static const double OUTER = 1.3512071919596576340476878089715,
                    INNER = -1.7024143839193152680953756179429;

static enum status yoshida4_step(struct solver *solver, double dt, double damping)
{
    enum status status = integrator_kdk.step(solver, OUTER * dt, damping);
    if (status == STATUS_OK)
        status = integrator_kdk.step(solver, INNER * dt, damping);
    if (status == STATUS_OK)
        status = integrator_kdk.step(solver, OUTER * dt, damping);
    return status;
}

const struct integrator integrator_yoshida4 = {
    .name = "yoshida4",
    .doc = "three leapfrogs a step after Yoshida: fourth order, symplectic, time-reversible",
    .order = 4,
    .forces_per_step = 3,
    .current = true,
    .reversible = true,
    .step = yoshida4_step,
};
