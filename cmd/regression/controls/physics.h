/* The controls of bodies, forces and steps. */
#ifndef CMD_REGRESSION_CONTROLS_PHYSICS_H
#define CMD_REGRESSION_CONTROLS_PHYSICS_H

#include "cmd/regression/controls/control.h"

extern const struct control control_dt, control_gravity, control_softening, control_body_missing,
    control_masses_swapped, control_dkd, control_order, control_tile_skipped, control_subset,
    control_rounded, control_one_sided, control_seed, control_step_ahead;

#endif
