#include "sim/integrators/adaptive.h"

#include <math.h>

static const uint64_t TICKS = (uint64_t)1 << ADAPTIVE_LEVELS;

/* Halvings of a frame that the present accelerations require. Where they are not finite any number
 * will do: the simulation checks that itself. */
static enum status find_level(const struct adaptive *adaptive, struct solver *solver, int *level)
{
    double a = 0;
    enum status status = solver->ops->largest(solver, &a);
    *level = 0;
    if (status != STATUS_OK || !isfinite(a))
        return status;
    double limit = adaptive->eta * sqrt(adaptive->softening / a);
    while (*level <= ADAPTIVE_LEVELS && ldexp(fabs(adaptive->frame_time), -*level) > limit)
        ++*level;
    return STATUS_OK;
}

/* The halvings of the longest step that may begin here. */
static int aligned_level(uint64_t tick)
{
    return tick == 0 ? 0 : ADAPTIVE_LEVELS - __builtin_ctzll(tick);
}

static enum status too_short(const struct adaptive *adaptive)
{
    return status_fail(STATUS_RUNTIME,
                       "the adaptive step would be shorter than %g, 2^-%d of a frame; use a larger "
                       "simulation.adaptive or simulation.softening, or shorter frames",
                       ldexp(fabs(adaptive->frame_time), -ADAPTIVE_LEVELS), ADAPTIVE_LEVELS);
}

enum status adaptive_step(struct adaptive *adaptive, struct solver *solver,
                          const struct integrator *integrator, double damping, bool *done)
{
    int start = 0, end = 0, level = aligned_level(adaptive->tick);
    enum status status = find_level(adaptive, solver, &start);
    if (status == STATUS_OK)
        status = solver->ops->keep(solver);
    if (start > level)
        level = start;
    for (; status == STATUS_OK; level++) {
        if (level > ADAPTIVE_LEVELS)
            return too_short(adaptive);
        status = integrator->step(solver, ldexp(adaptive->frame_time, -level), damping);
        if (status == STATUS_OK)
            status = find_level(adaptive, solver, &end);
        if (status != STATUS_OK || end <= level)
            break;
        status = solver->ops->restore(solver);
    }
    if (status != STATUS_OK)
        return status;
    adaptive->tick += TICKS >> level;
    *done = adaptive->tick == TICKS;
    if (*done)
        adaptive->tick = 0;
    return STATUS_OK;
}
