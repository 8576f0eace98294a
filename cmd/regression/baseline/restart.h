/* The physics again from the bodies that the baseline stored, so that another start hides no other
 * motion: a film's states without its pictures. */
#ifndef CMD_REGRESSION_BASELINE_RESTART_H
#define CMD_REGRESSION_BASELINE_RESTART_H

#include "cmd/regression/baseline/contents.h"
#include "cmd/regression/baseline/run.h"

/* Whether the baseline stored masses, positions and velocities of its start: older ones have no
 * masses. Reads the object. */
bool restart_is_possible(const struct baseline *baseline);

/* Records what the bodies do, and nothing else, of the frames that the baseline has.
 * STATUS_MISMATCH where the scene's bodies are another number; STATUS_STOPPED after *stop.
 * record_free frees the record in every case. */
enum status restart_physics(const struct baseline *baseline, const struct run_params *run,
                            struct record *record);

#endif
