/* The potential energy of bodies, by whichever force computes it within a minute or two. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/params.h"
#include "sim/gravity/force.h"

struct binding {
    double potential;              /* 0: unknown */
    const struct force_ops *force; /* that computed it: double, or tree for many bodies; NULL:
                                    * none */
    char why[96];                  /* why there is none */
};

/* With the softening of `by`. Statuses are those of solver_open; a missing potential is not a
 * failure. */
enum status binding_find(struct binding *out, const struct bodies *bodies,
                         const struct simulation_params *by);
