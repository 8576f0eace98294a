/* Conserved quantities in double precision, from bodies in host memory and the solver's potential
 * energy. */
#pragma once

#include "sim/bodies/bodies.h"

struct diagnostics {
    double mass, kinetic, potential, energy;
    double virial; /* 2 kinetic / -potential: 1 in equilibrium; 0 without a potential */
    double centre[3], momentum[3], angular_momentum[3]; /* angular momentum about the origin */
};

void diagnostics_compute(const struct bodies *bodies, double potential, struct diagnostics *out);

/* The next three are collective for shared bodies (sim/bodies/whole.h): they then cover those of
 * all ranks, with the bits of one process. Components must cover all bodies. */
enum status diagnostics_whole(const struct bodies *bodies, double potential,
                              struct diagnostics *out);

/* radius[k]: the distance from component k's centre of mass that contains half of its mass, or half
 * of its bodies if they have no mass; 0 for an empty component. */
enum status diagnostics_half_mass(const struct bodies *bodies, double *radius);
/* The same for all components together. */
enum status diagnostics_half_mass_all(const struct bodies *bodies, double *radius);
