/* A solver for bodies whose motion is known: from snapshots, of which each rank has a share, or from
 * a run. It keeps no state, but takes the bodies' positions from a playback or the run. It computes
 * no forces; for the potential energy it opens a solver of all ranks. */
#pragma once

#include "sim/solver/solver.h"

struct playback; /* sim/playback/playback.h */
struct run;      /* sim/run/run.h */

/* bodies: masses and components; must outlive the solver. backend, params: for the potential
 * energy, as for solver_open. */
void shown_open(struct solver **out, const struct bodies *bodies, const char *backend,
                const struct solver_params *params);
/* Sets the playback, of the same bodies, which must outlive the solver. Call once, before anything
 * else. */
void shown_play(struct solver *solver, const struct playback *playback);

/* The same for simulation `number` of a run; shown_frame then sets the frame, which must be one of
 * the run's. Columns of neighbours that the run lacks are found from its positions, in single
 * precision except at frame 0. */
void shown_run(struct solver *solver, const struct run *run, int number);
enum status shown_frame(struct solver *solver, uint64_t frame);
