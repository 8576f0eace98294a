/* A galaxy's mass and potential, averaged over spheres around its centre, for placing and moving
 * whole galaxies. */
#pragma once

#include "sim/galaxy/shells.h"
#include "sim/params.h"

struct galaxy_field {
    double total; /* mass */
    struct shells shells;
    double pull[SHELLS], depth[SHELLS];
};

/* For parameters that galaxy_check() (galaxy.h) accepts, in their units of length and mass with G =
 * 1. `softening`: Plummer's, between the attracted point and a body of the galaxy; 0: none. Takes a
 * few milliseconds. Thread-safe. */
void galaxy_field_make(const struct galaxy_params *galaxy, double softening,
                       struct galaxy_field *out);

/* Phi(r) < 0, per unit of mass; -total / r far outside. */
double galaxy_field_potential(const struct galaxy_field *field, double r);
