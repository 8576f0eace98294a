/* The operations of an integrator on the bodies, written as in the papers: kick(), drift(),
 * accelerate(). After one of them fails, the others do nothing and its status is kept. */
#pragma once

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
