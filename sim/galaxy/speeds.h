/* The isotropic distribution function of a spheroid in the potential of its whole galaxy, by
 * Eddington's (1916) inversion, and speeds drawn from it:
 *
 *     f(E) = 1 / (sqrt(8) pi^2) int_0^E d^2 rho / dPsi^2 dPsi / sqrt(E - Psi)
 *
 * (Binney and Tremaine 2008, eq. 4.46), with d rho / dPsi linear between the shells' radii, so that
 * the integral is exact. Energies are relative to the potential at the centre. */
#pragma once

#include "sim/galaxy/shells.h"
#include "sim/galaxy/spheroid.h"
#include "base/random.h"

struct speeds {
    const struct shells *radii; /* borrowed; only its radii are used */
    double depth[SHELLS];       /* Phi - Phi(0) at the radii */
    double escape;              /* Phi(infinity) - Phi(0) */
    double f[SHELLS];           /* at the energies `depth`; never negative */
    double most[SHELLS];        /* upper bound of f(E) v^2 at this radius and outside */
    double square[SHELLS];      /* mean of v^2 at the radii */
    double negative;            /* part of the mass for which f was negative and set to 0 */
};

/* `pull`: the total, as in shells_pull(). */
void speeds_make(const struct sphere *sphere, const struct shells *radii, const double pull[SHELLS],
                 struct speeds *out);

double speeds_f(const struct speeds *speeds, double energy);

/* A speed at radius r, below the escape speed. */
double speeds_draw(const struct speeds *speeds, double r, struct random *random);
