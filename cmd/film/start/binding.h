/* The potential energy of bodies, by whatever gives it within a minute or two. */
#ifndef CMD_FILM_START_BINDING_H
#define CMD_FILM_START_BINDING_H

#include "sim/bodies/bodies.h"
#include "sim/params.h"
#include "sim/gravity/force.h"

struct binding {
    double potential;              /* 0: not known */
    const struct force_ops *force; /* that gave it: double, or for many bodies tree; NULL: none */
    char why[96];                  /* there is none */
};

/* With the softening of `by`. Statuses are those of solver_open; that there is no potential is
 * none of them. */
enum status binding_find(struct binding *out, const struct bodies *bodies,
                         const struct simulation_params *by);

#endif
