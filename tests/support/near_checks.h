/* Views with distances to neighbours, as functions of a backend's name. */
#pragma once

#include "sim/view.h"

/* From a column to host memory. */
typedef void near_copy(const struct view *view, const char *column, float *out);

/* The very distances of sim/gravity/tree/neighbours.h, among drawn bodies, wherever they lie, after
 * steps and for several views; the dispersion of velocities as all distances say. */
void check_near_views(const char *backend, near_copy *copy);
