/* Distances to neighbours among the bodies of all ranks, as sim/gravity/tree/neighbours.h finds
 * them on one machine, bit for bit.
 *
 * Each body goes to the rank in whose part of space it lies (cuts.h), and that rank searches among
 * the bodies that it has received. A body whose neighbours may lie elsewhere asks the ranks that
 * may have bodies within the distance found so far; every rank knows boxes around the bodies of the
 * others. The division of space therefore affects what is sent, but no bit of the result. A rank
 * needs memory for its part of the bodies, for its questions, and for those of the others to it. */
#pragma once

#include "base/status.h"

#include <stddef.h>

/* Collective. position: of this rank's bodies, which may lie anywhere; finite. k: the same on all
 * ranks, from 1 to NEIGHBOURS_MOST. distance[i]: from body i to its k-th nearest neighbour on any
 * rank, INFINITY if there are fewer. dispersion, unless NULL on all ranks: defined as
 * COLUMN_DISPERSION in sim/view.h, from the velocities (vx vy vz and another number); of one
 * machine except for the rounding of sums in double precision. */
enum status ranks_near_find(const double (*position)[3], const float (*velocity)[4], size_t count,
                            unsigned k, int threads, float *distance, float *dispersion);
