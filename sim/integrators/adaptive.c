#include "sim/integrators/adaptive.h"

#include <math.h>

struct rung_rule adaptive_rule(const struct adaptive *adaptive)
{
    return (struct rung_rule){.eta = adaptive->eta, .frame_time = adaptive->frame_time};
}

enum status adaptive_too_short(const struct adaptive *adaptive)
{
    return status_fail(STATUS_RUNTIME,
                       "the adaptive step would be shorter than %g, 2^-%d of a frame; use a larger "
                       "simulation.adaptive or simulation.softening, or a smaller %s",
                       ldexp(fabs(adaptive->frame_time), -RUNG_MOST), RUNG_MOST, adaptive->pace);
}

/* The rung that the present accelerations require. */
static enum status find_rung(const struct adaptive *adaptive, struct solver *solver, int *rung)
{
    const struct rung_rule rule = adaptive_rule(adaptive);
    double a = 0;
    enum status status = solver->ops->largest(solver, &a);
    *rung = status == STATUS_OK ? rung_for(&rule, adaptive->softening, a) : 0;
    return status;
}

enum status adaptive_step(struct adaptive *adaptive, struct solver *solver,
                          const struct integrator *integrator, double damping, bool *done)
{
    int start = 0, end = 0, rung = rung_at(adaptive->tick);
    enum status status = find_rung(adaptive, solver, &start);
    if (status == STATUS_OK)
        status = solver->ops->keep(solver);
    if (start > rung)
        rung = start;
    for (; status == STATUS_OK; rung++) {
        if (rung > RUNG_MOST)
            return adaptive_too_short(adaptive);
        status = integrator->step(solver, ldexp(adaptive->frame_time, -rung), damping);
        if (status == STATUS_OK)
            status = find_rung(adaptive, solver, &end);
        if (status != STATUS_OK || end <= rung)
            break;
        status = solver->ops->restore(solver);
    }
    if (status != STATUS_OK)
        return status;
    adaptive->tick += rung_ticks(rung);
    *done = adaptive->tick == rung_ticks(0);
    if (*done)
        adaptive->tick = 0;
    return STATUS_OK;
}
