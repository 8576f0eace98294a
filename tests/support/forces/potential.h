/* The potential energy, by a direct sum. */
#pragma once

#include "sim/bodies/bodies.h"

/* By a direct double sum over pairs (OpenMP). `softening` is that of components without one of
 * their own. */
double potential_by_pairs(const struct bodies *bodies, double softening);
