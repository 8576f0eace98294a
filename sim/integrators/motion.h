/* What an integrator does to the bodies, written as in the papers: kick(), drift(), accelerate().
 * After a verb that fails the others do nothing, and the status is that failure's. */
#ifndef SIM_INTEGRATORS_MOTION_H
#define SIM_INTEGRATORS_MOTION_H

#include "sim/solver/solver.h"

struct motion {
    struct solver *solver;
    enum status status;
};

/* v += a dt */
static inline void kick(struct motion *motion, double dt)
{
    if (motion->status == STATUS_OK)
        motion->status = motion->solver->ops->kick(motion->solver, dt);
}

/* x += v dt */
static inline void drift(struct motion *motion, double dt)
{
    if (motion->status == STATUS_OK)
        motion->status = motion->solver->ops->drift(motion->solver, dt);
}

/* a from the present x */
static inline void accelerate(struct motion *motion)
{
    if (motion->status == STATUS_OK)
        motion->status = motion->solver->ops->accelerate(motion->solver);
}

/* v *= factor */
static inline void damp(struct motion *motion, double factor)
{
    if (motion->status == STATUS_OK && factor != 1)
        motion->status = motion->solver->ops->damp(motion->solver, factor);
}

#endif
