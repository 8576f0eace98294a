/* Distances to neighbours, as a measure of the local density. Builds a tree of its own, only when
 * asked for. */
#pragma once

#include "base/status.h"

#include <stddef.h>
#include <stdint.h>

enum { NEIGHBOURS_MOST = 64 };

struct neighbours; /* used by one thread at a time; a search uses `threads` */

/* count: bodies, > 0 and below 2^32; k: from 1 to NEIGHBOURS_MOST. STATUS_RUNTIME: no memory. */
enum status neighbours_open(struct neighbours **out, size_t count, unsigned k);
void neighbours_close(struct neighbours **neighbours); /* accepts a pointer to NULL */

/* Faster if bodies are close to where they were last time. rows: x y z m of all bodies, finite.
 * distance[i]: from body i to its k-th nearest neighbour, INFINITY if there are fewer. density[i],
 * unless NULL: the mass of these k divided by the volume of their sphere, 0 if there are fewer,
 * INFINITY if all are at one place. The result does not depend on the number of threads. */
enum status neighbours_find(struct neighbours *neighbours, const double (*rows)[4], int threads,
                            float *distance, float *density);

/* Call after neighbours_find of `distance`, without other calls between: dispersion[of[i]], defined
 * as COLUMN_DISPERSION in sim/view.h, from the velocities (vx vy vz and another number) of bodies
 * of[i]; of NULL: bodies i. The result does not depend on the number of threads. */
void neighbours_dispersion(const struct neighbours *neighbours, const float (*velocity)[4],
                           const uint32_t *of, int threads, const float *distance,
                           float *dispersion);

/* Sums over the bodies closer than sqrt(square) to a place, of their velocities relative to `own`,
 * from which a dispersion follows; all zero at first. */
struct neighbours_spread {
    double count, sum[3], squares;
};
/* Adds the bodies of the last neighbours_find to the sums; velocity[i]: of body i. Thread-safe. */
void neighbours_add_spread(const struct neighbours *neighbours, const float (*velocity)[4],
                           const double from[3], double square, const float own[3],
                           struct neighbours_spread *out);
float neighbours_spread_dispersion(const struct neighbours_spread *spread);

/* The bodies of the last neighbours_find as rows in the tree's order, in which neighbours are close
 * together; (*body)[i]: the number of the body at place i. Valid until the next call. */
const double (*neighbours_rows(const struct neighbours *neighbours, const uint32_t **body))[4];

struct neighbours_sphere {
    double centre[3], radius;
};

/* After neighbours_find: square[i * k] and the following found[i] numbers, at most k, are the
 * squared distances from the centre of sphere i to the nearest bodies in it, ascending; computed
 * like the distances to neighbours. A body at the centre counts. */
void neighbours_within(const struct neighbours *neighbours, const struct neighbours_sphere *sphere,
                       size_t count, int threads, double *square, uint8_t *found);
