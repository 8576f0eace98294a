/* Where the galaxies of a scene begin, in the frame of their centre of mass.
 *
 * One is at the origin. Two are on their orbit, unless one of them says where it is; then, and with
 * more of them, every galaxy begins at its own position and velocity. Pure; thread-safe. */
#ifndef SIM_ORBIT_STARTS_H
#define SIM_ORBIT_STARTS_H

#include "sim/params.h"

#include <stddef.h>

enum { GALAXIES_MOST = 8 };

struct start {
    double position[3], velocity[3];
    double inclination, node; /* of the disk, degrees; see orientation.h */
};

/* What the galaxies are on an orbit that is given by the time of its pericentre: extended as
 * sim/galaxy makes them, or points. */
enum starts_of { STARTS_OF_GALAXIES, STARTS_OF_POINTS };

/* mass[g]: of galaxy g, > 0. STATUS_USAGE, with the sentence, where there is no such orbit, or
 * where galaxies begin in one place. */
enum status starts_find(const struct bodies_params *params, enum starts_of of, const double *mass,
                        struct start start[GALAXIES_MOST]);

#endif
