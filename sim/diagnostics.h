/* Conserved quantities, in double, from bodies in host memory and the potential energy that the
 * solver gives with them. */
#ifndef SIM_DIAGNOSTICS_H
#define SIM_DIAGNOSTICS_H

#include "sim/bodies/bodies.h"

struct diagnostics {
    double mass, kinetic, potential, energy;
    double virial; /* 2 kinetic / -potential: 1 in equilibrium; 0 without a potential */
    double centre[3], momentum[3], angular_momentum[3]; /* angular momentum about the origin */
};

void diagnostics_compute(const struct bodies *bodies, double potential, struct diagnostics *out);

/* radius[k]: the distance from component k's own centre of mass within which half of its mass lies,
 * or half of its bodies where they have no mass; 0 for an empty one. */
enum status diagnostics_half_mass(const struct bodies *bodies, double *radius);

#endif
