/* Views of a rank's share of the bodies, in host memory. */
#pragma once

#include "sim/solver/solver.h"

/* bodies: the share, or all. If they are shared and the solver takes samples, the view has room for a sample of all bodies. */
enum status ranks_view_create(struct solver *solver, const struct bodies *bodies,
                              struct view **out);
void ranks_view_destroy(struct solver *solver, struct view **view);

/* Collective: fills the parts that need the bodies of all ranks, after position and velocity: the
 * sample, and COLUMN_DISTANCE and COLUMN_DISPERSION among the bodies of solver->near. position: of
 * the share, overwritten; NULL if the view has no such column. */
enum status ranks_view_finish(const struct solver *solver, const struct bodies *bodies,
                              double (*position)[3], struct view *view);
