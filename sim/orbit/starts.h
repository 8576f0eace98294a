/* Initial positions and velocities of a scene's galaxies, relative to their centre of mass.
 *
 * A single galaxy is at the origin. Two are on their orbit, unless one of them has a position;
 * then, and with more than two, every galaxy has its own position and velocity. Pure;
 * thread-safe. */
#pragma once

#include "sim/params.h"

#include <stddef.h>

enum { GALAXIES_MOST = 8 };

struct start {
    double position[3], velocity[3];
    double inclination, node; /* of the disk, degrees; see orientation.h */
};

/* What galaxies are treated as for an orbit given by the time of its pericentre: extended as made
 * by sim/galaxy, or points. */
enum starts_of { STARTS_OF_GALAXIES, STARTS_OF_POINTS };

/* mass[g]: of galaxy g, > 0. STATUS_USAGE if there is no such orbit, or if galaxies start at the
 * same place. The last orbit of extended galaxies is kept for the next call. */
enum status starts_find(const struct bodies_params *params, enum starts_of of, const double *mass,
                        struct start start[GALAXIES_MOST]);
