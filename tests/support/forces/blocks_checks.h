/* What every backend with steps per body must hold, as functions of a backend's name. */
#pragma once

#include "sim/bodies/bodies.h"

#include <stdint.h>

/* Accelerations by a tree of all bodies from any rung on have the bits that they have when all are
 * asked for; the others' stay as they were. */
void check_partial(const char *backend, const struct bodies *bodies, double error);

/* Rungs, their numbers and kicks are those that sim/solver/solver.h asks for. */
void check_rungs(const char *backend, const struct bodies *bodies);

/* A run by a tree goes on with the same bits from a state saved at a frame, and from one saved
 * within it, where bodies are on different rungs. */
void check_blocks_resume(const char *backend, const struct bodies *bodies);

/* Steps per body keep the energy within `limit`, relative, as shared ones do, and are less than a
 * third as many. */
void check_blocks_energy(const char *backend, const struct bodies *bodies, double limit);

/* A sphere whose density rises as 1/r^2 towards its centre, with velocities that let it live. */
struct bodies *cusp_make(size_t count, uint64_t seed);
