/* How near the neighbours of bodies are, for what wants to know how dense it is where a body is.
 * Costs nothing unless it is asked for: a tree of its own is built then. */
#ifndef SIM_GRAVITY_TREE_NEIGHBOURS_H
#define SIM_GRAVITY_TREE_NEIGHBOURS_H

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { NEIGHBOURS_MOST = 64 };

struct neighbours; /* used by one thread at a time; a search uses `threads` */

/* count: bodies, > 0 and below 2^32; k: from 1 to NEIGHBOURS_MOST. STATUS_RUNTIME: no memory. */
enum status neighbours_open(struct neighbours **out, size_t count, unsigned k);
void neighbours_close(struct neighbours **neighbours); /* accepts a pointer to NULL */

/* The quicker, the nearer the bodies are to where they were the last time.
 * rows: x y z m of all bodies, finite. distance[i]: from body i to the k-th nearest other one,
 * INFINITY where there are not so many. density[i], unless NULL: the mass of these k in the sphere
 * that they fill, 0 where there are not so many, INFINITY where they are all in its place. The same
 * for any number of threads. */
enum status neighbours_find(struct neighbours *neighbours, const double (*rows)[4], int threads,
                            float *distance, float *density);

/* After neighbours_find of `distance`, without other calls between: dispersion[of[i]], as
 * COLUMN_DISPERSION of sim/view.h has it, from the velocities (vx vy vz and another number) of
 * bodies of[i]; of NULL: bodies i. The same for any number of threads. */
void neighbours_dispersion(const struct neighbours *neighbours, const float (*velocity)[4],
                           const uint32_t *of, int threads, const float *distance,
                           float *dispersion);

#endif
