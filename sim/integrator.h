/* An integrator is a value: its name, its documentation, and how it makes one step of kicks and
 * drifts. `step` may rely on accelerations that belong to the present positions (the caller runs
 * accelerate once before the first step) and must leave them so. */
#ifndef SIM_INTEGRATOR_H
#define SIM_INTEGRATOR_H

#include "sim/solver.h"

struct integrator {
    const char *name, *doc;
    int order;
    int forces_per_step;
    enum status (*step)(struct solver *solver, double dt);
};

extern const struct integrator *const integrators[]; /* NULL-terminated, default first */

/* NULL when there is none of that name. */
const struct integrator *integrator_find(const char *name);

#endif
