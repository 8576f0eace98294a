/* Reduces bodies to fewer that move as all of them would. */
#pragma once

#include "sim/bodies/bodies.h"

/* About `size` of the bodies, fewer than there are. Components get shares by mass, not by number,
 * because the haloes determine the orbits, and a halo often has few bodies. Those of a named galaxy
 * come in pairs mirrored, in position and velocity, at the galaxy's mean: a few heavy bodies on one
 * side would push its core onto another orbit. Masses of components and means of galaxies are kept.
 * Collective for shared bodies (sim/bodies/whole.h); every rank gets the same bodies as one
 * process.
 */
enum status pilot_thin(struct bodies **out, const struct bodies *bodies, size_t size);
