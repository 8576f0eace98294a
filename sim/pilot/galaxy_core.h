/* Where a galaxy's core is, from its bodies alone: tidal tails and the other galaxy do not pull it.
 *
 * The centre c is the fixed point of c = sum w m x / sum w m over the galaxy's bodies (those that
 * have no mass counting 1 each where none has any) with w = (1 - r^2 / R^2)^2 for r = |x - c| < R:
 * the mean-shift search for the densest place at resolution R (K. Fukunaga and L. D. Hostetler,
 * IEEE Trans. Inf. Theory 21:32, 1975). R is the radius that held half of the drawn bodies' mass at
 * the start (of all bodies' where none is drawn): a disk's size, not its halo's. A search begins
 * where the last two centres lead.
 *
 * Used by one thread at a time. */
#ifndef SIM_PILOT_GALAXY_CORE_H
#define SIM_PILOT_GALAXY_CORE_H

#include "sim/bodies/bodies.h"

struct galaxy_core;

/* The names of the bodies' galaxies, in their components' order, as an index into the components;
 * unnamed ones and those without bodies do not count. Returns how many there are; `first` has room
 * for component_count of them. */
size_t galaxies_find(const struct bodies *bodies, size_t *first);

/* Follows the galaxy that component `component` belongs to. STATUS_RUNTIME when its bodies do not
 * fit in memory. */
enum status galaxy_core_open(struct galaxy_core **out, const struct bodies *bodies,
                             size_t component);
void galaxy_core_close(struct galaxy_core **core); /* accepts a pointer to NULL */

/* R. */
double galaxy_core_radius(const struct galaxy_core *core);

/* The centre in these bodies: those of galaxy_core_open a little later, or still. */
void galaxy_core_find(struct galaxy_core *core, const struct bodies *bodies, double centre[3]);

#endif
