/* Distances to neighbours among the bodies of all ranks, as sim/gravity/tree/neighbours.h finds
 * them on one machine, bit for bit.
 *
 * Each body goes to the rank in whose part of space it lies (cuts.h), which searches among those it
 * has got. A body whose neighbours may lie elsewhere asks the ranks with bodies within the distance
 * found so far: they have told boxes that hold theirs. Which rank has a body therefore decides what
 * is sent, but no bit. A rank has memory for its part of the bodies, what it asks and what others
 * ask it. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* Collective. position: of this rank's bodies, any of all, finite; k: the same on all ranks, from 1
 * to NEIGHBOURS_MOST. distance[i]: from body i to its k-th nearest neighbour on any rank, INFINITY
 * if there are fewer. */
enum status ranks_near_find(const double (*position)[3], size_t count, unsigned k, int threads,
                            float *distance);
