/* The orbit of two points around each other, G = 1 (J. Binney and S. Tremaine, Galactic Dynamics,
 * 2nd edition, 2008, section 3.1): with the semi-latus rectum p = q (1 + e), the angular momentum
 * is sqrt(M p), the distance p / (1 + e cos(f)) at the true anomaly f, and the energy -M (1 - e) /
 * (2 q), all per reduced mass. Pure; thread-safe. */
#pragma once

#include "base/status.h"

/* The second body relative to the first, in the x-y plane: initially on the x axis and approaching,
 * with angular momentum along +z. */
struct orbit {
    double position[3], velocity[3];
    double pericentre; /* direction of the pericentre: angle from +x in radians */
};

/* For bodies with total mass `mass`, `separation` apart, on an orbit with this pericentre distance
 * and eccentricity. STATUS_USAGE if there is none. */
enum status kepler_orbit(double mass, double separation, double pericentre, double eccentricity,
                         struct orbit *out);

/* The same with `energy` in place of the eccentricity, which is 1 + 2 energy q / M; includes
 * head-on orbits. */
enum status kepler_orbit_of_energy(double mass, double separation, double pericentre, double energy,
                                   struct orbit *out);
