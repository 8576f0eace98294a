/* The backend that runs everywhere: OpenMP and SIMD. */
#pragma once

#include "sim/solver/solver.h"

/* Views in host memory, for a solver whose views lie there: functions of its table. */

enum status host_view_create(struct solver *solver, struct view **out);
enum status host_view_read(struct solver *solver, const float *from, size_t count, float *to);
void host_view_destroy(struct solver *solver, struct view **view);

/* Distances to neighbours for the views of the CPU solver. */

struct cpu_near;

/* Fills the view's COLUMN_DISTANCE for the bodies at these positions and, from the view's
 * velocities, its COLUMN_DISPERSION if it has one; opens *near if it is NULL. STATUS_RUNTIME: out
 * of memory. */
enum status cpu_near_find(struct cpu_near **near, const struct solver *solver, const double *mass,
                          const double (*position)[3], int threads, struct view *view);
void cpu_near_close(struct cpu_near **near); /* accepts a pointer to NULL */
