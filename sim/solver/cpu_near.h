/* Distances to neighbours for the views of the CPU solver. */
#pragma once

#include "sim/solver/solver.h"

struct cpu_near;

/* Fills the view's COLUMN_DISTANCE for the bodies at these positions and, from the view's
 * velocities, its COLUMN_DISPERSION if it has one; opens *near if it is NULL. STATUS_RUNTIME: out
 * of memory. */
enum status cpu_near_find(struct cpu_near **near, const struct solver *solver, const double *mass,
                          const double (*position)[3], int threads, struct view *view);
void cpu_near_close(struct cpu_near **near); /* accepts a pointer to NULL */
