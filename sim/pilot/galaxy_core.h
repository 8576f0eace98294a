/* Locates a galaxy's core from its bodies alone, unaffected by tidal tails and the other galaxy.
 *
 * The centre c is the fixed point of c = sum w m x / sum w m over the galaxy's bodies (each
 * counting 1 if none has mass) with w = (1 - r^2 / R^2)^2 for r = |x - c| < R: the mean-shift
 * search for the densest place at resolution R (K. Fukunaga and L. D. Hostetler, IEEE Trans. Inf.
 * Theory 21:32, 1975). R is the initial half-mass radius of the drawn bodies (of all bodies if none
 * is drawn): a disk's size, not its halo's. A search starts at the extrapolation of the last two
 * centres.
 *
 * Used by one thread at a time. */
#pragma once

#include "base/status.h"

#include <stddef.h>

struct bodies;
struct galaxy_core;

/* Lists the galaxies, each by the index of its first component, in order; unnamed ones and those
 * without bodies are left out. Returns their number; `first` has room for component_count. */
size_t galaxies_find(const struct bodies *bodies, size_t *first);
size_t galaxies_count(const struct bodies *bodies); /* their number alone */

/* Follows the galaxy to which component `component` belongs. STATUS_RUNTIME when its bodies do not
 * fit in memory. */
enum status galaxy_core_open(struct galaxy_core **out, const struct bodies *bodies,
                             size_t component);
void galaxy_core_close(struct galaxy_core **core); /* accepts a pointer to NULL */

/* The kernel radius R. */
double galaxy_core_radius(const struct galaxy_core *core);

/* The centre for these bodies, which are those of galaxy_core_open, possibly a little later. */
void galaxy_core_find(struct galaxy_core *core, const struct bodies *bodies, double centre[3]);
