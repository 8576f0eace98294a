/* Runs the physics again from the bodies that the baseline stored, without pictures, so that a
 * changed start cannot hide a change of the motion. */
#pragma once

#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/baseline/run.h"

/* Returns whether the baseline stored the masses, positions and velocities of its start; older
 * baselines have no masses. Reads the object. */
bool restart_is_possible(const struct baseline *baseline);

/* Records only the bodies, at the frames that the baseline has. Returns STATUS_MISMATCH when the
 * scene has another number of bodies, STATUS_STOPPED after *stop. record_free frees the record in
 * every case. */
enum status restart_physics(const struct baseline *baseline, const struct run_params *run,
                            struct record *record);
