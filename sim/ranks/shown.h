/* A solver for bodies that snapshots move; each rank has a share of them. It keeps no state, but
 * takes the bodies' positions from a playback. It computes no forces; for the potential energy it
 * opens a solver of all ranks. */
#pragma once

#include "sim/solver/solver.h"

struct playback; /* sim/playback/playback.h */

/* bodies: masses and components; must outlive the solver. backend, params: for the potential
 * energy, as for solver_open. */
void shown_open(struct solver **out, const struct bodies *bodies, const char *backend,
                const struct solver_params *params);
/* Sets the playback, of the same bodies, which must outlive the solver. Call once, before anything
 * else. */
void shown_play(struct solver *solver, const struct playback *playback);
