/* The energy graph: kinetic, potential and total energy in units of the first total's size, over
 * the time of the whole film, so that it fills from left to right. Only for the overlay. */
#pragma once

#include "render/overlay/entry.h"

/* The graph's lower and upper end: round numbers, low <= 0 <= high, low < high, that hold all
 * points so far. They change only when a point lies outside them. */
void overlay_energy_limits(const struct energy_point *points, size_t count, double *low,
                           double *high);
