/* An integrator is a value: its name, its documentation, and how it makes one step of kicks and
 * drifts. Where `current` is true, `step` may rely on accelerations that belong to the present
 * positions (the caller runs accelerate once before the first step) and leaves them so; otherwise
 * it evaluates what it needs, and the accelerations left are those of its last evaluation. */
#ifndef SIM_INTEGRATORS_INTEGRATOR_H
#define SIM_INTEGRATORS_INTEGRATOR_H

#include "sim/solver/solver.h"

#include <stdbool.h>

struct integrator {
    const char *name, *doc;
    int order;
    int forces_per_step;
    bool current;
    bool reversible; /* a step of dt and one of -dt end where they began */
    bool damps;      /* multiplies velocities by `damping`; the others ignore it */
    enum status (*step)(struct solver *solver, double dt, double damping);
};

extern const struct integrator integrator_kdk, integrator_dkd, integrator_euler,
    integrator_yoshida4;
extern const struct integrator *const integrators[]; /* NULL-terminated, default first */

/* NULL when there is none of that name. */
const struct integrator *integrator_find(const char *name);

#endif
