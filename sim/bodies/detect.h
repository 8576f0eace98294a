/* Which bodies are which galaxy, where nobody says so. */
#pragma once

#include "sim/bodies/bodies.h"

enum { DETECT_MAX = 16 };

/* Finds `galaxies` groups of friends of friends (Davis et al. 1985: bodies closer than a linking
 * length, and theirs): with the longest length for which as many groups have a fiftieth of all
 * bodies each. Bodies of no such group go to the group whose centre of mass is nearest. Each
 * component becomes one per galaxy, "galaxy 1" for the one with most bodies. *length is the linking
 * length. STATUS_USAGE where the bodies form fewer groups, STATUS_RUNTIME when memory is
 * short. */
enum status bodies_detect(struct bodies *bodies, size_t galaxies, double *length);
