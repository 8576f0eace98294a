/* A solver for bodies that snapshots move, of which each rank has a share: it computes no forces
 * and keeps no state of its own, but takes the bodies' positions from a playback. */
#pragma once

#include "sim/solver/solver.h"

struct playback; /* sim/playback/playback.h */

/* bodies: their masses and components are used, and must outlive the solver. Only the name of
 * `force` is used. */
void shown_open(struct solver **out, const struct bodies *bodies, const struct force_ops *force);
/* Shows this playback of the same bodies, which must outlive the solver. Call once, before anything
 * else. */
void shown_play(struct solver *solver, const struct playback *playback);
