/* An integrator is a value: its name, its documentation, and how it makes one step of kicks and
 * drifts.
 *
 * A new integrator is a file with its entry, and a row in integrator.c. */
#ifndef SIM_INTEGRATORS_INTEGRATOR_H
#define SIM_INTEGRATORS_INTEGRATOR_H

#include "base/choice.h"
#include "sim/params.h"
#include "sim/solver/solver.h"

#include <stdbool.h>

struct integrator {
    const char *name, *doc;
    int order;
    int forces_per_step;
    /* `step` may rely on accelerations that belong to the present positions (the caller runs
     * accelerate once before the first step) and leaves them so; otherwise it evaluates what it
     * needs, and the accelerations left are those of its last evaluation. */
    bool current;
    bool reversible; /* a step of dt and one of -dt end where they began */
    bool blocks;     /* made body by body by blocks.h where solver and force can */
    bool damps;      /* multiplies velocities by `damping`; the others ignore it */
    enum status (*step)(struct solver *solver, double dt, double damping);
};

#endif
