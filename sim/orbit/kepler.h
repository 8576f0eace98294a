/* The orbit of two points about each other, G = 1 (J. Binney and S. Tremaine, Galactic Dynamics,
 * 2nd edition, 2008, section 3.1): with the semi-latus rectum p = q (1 + e), the angular momentum
 * is sqrt(M p), the distance p / (1 + e cos(f)) at the true anomaly f, and the energy -M (1 - e) /
 * (2 q), all per reduced mass. Pure; thread-safe. */
#ifndef SIM_ORBIT_KEPLER_H
#define SIM_ORBIT_KEPLER_H

#include "base/status.h"

/* The second body seen from the first, in the x-y plane: on the x axis at the start, approaching,
 * its angular momentum along +z. */
struct orbit {
    double position[3], velocity[3];
    double pericentre; /* direction of the pericentre, as an angle from +x, radians */
};

/* Of bodies of `mass` together, `separation` apart, which come as near as `pericentre` on an orbit
 * of that eccentricity. STATUS_USAGE where there is none. */
enum status kepler_orbit(double mass, double separation, double pericentre, double eccentricity,
                         struct orbit *out);

/* The same with `energy` in place of the eccentricity, which is 1 + 2 energy q / M; also head-on. */
enum status kepler_orbit_of_energy(double mass, double separation, double pericentre, double energy,
                                   struct orbit *out);

#endif
