/* A solver for bodies that snapshots move, of which each rank has a share: it computes no forces
 * and keeps no state of its own, but shows what was loaded last. */
#pragma once

#include "sim/solver/solver.h"

/* `force` is only named. The positions, velocities and accelerations that are loaded must stay
 * where they are until others are loaded. */
enum status shown_open(struct solver **out, const struct bodies *bodies,
                       const struct force_ops *force);
