/* Checks of views with distances to neighbours, as functions of a backend's name. */
#pragma once

#include "sim/view.h"

/* From a column to host memory. */
typedef void near_copy(const struct view *view, const char *column, float *out);

/* Exactly the distances of sim/gravity/tree/neighbours.h, among drawn bodies in various
 * distributions, after steps and for several views; the dispersion of velocities as from all
 * distances. */
void check_near_views(const char *backend, near_copy *copy);
