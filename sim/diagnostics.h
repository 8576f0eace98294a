/* Conserved quantities, in double, from bodies in host memory and the potential energy that the
 * solver gives with them. */
#ifndef SIM_DIAGNOSTICS_H
#define SIM_DIAGNOSTICS_H

#include "sim/bodies.h"

struct diagnostics {
    double mass, kinetic, potential, energy;
    double centre[3], momentum[3], angular_momentum[3]; /* angular momentum about the origin */
};

void diagnostics_compute(const struct bodies *bodies, double potential, struct diagnostics *out);

/* Total potential energy by a direct double sum over pairs (OpenMP), for files and tests. */
double diagnostics_potential(const struct bodies *bodies, double softening);

#endif
