/* Finds galaxies among bodies whose file does not say which galaxy they belong to. */
#pragma once

#include "sim/bodies/bodies.h"

enum { DETECT_MAX = 16 };

/* Finds `galaxies` groups by friends of friends (Davis et al. 1985: bodies closer than a linking
 * length are in one group). The linking length is the longest for which that many groups have a
 * fiftieth of all bodies each. Bodies of other groups go to the group whose centre of mass is
 * nearest. Each component becomes one per galaxy, "galaxy 1" being the galaxy with most bodies.
 * *length is the linking length. STATUS_USAGE if the bodies form fewer groups, STATUS_RUNTIME when
 * memory is short. */
enum status bodies_detect(struct bodies *bodies, size_t galaxies, double *length);
