/* Bodies whose motion is that of a series of snapshots: where they are at any time between the
 * first and the last one.
 *
 * A body is matched by its id. Between two snapshots that both have it, it follows the cubic
 * Hermite polynomial (hermite.h), and the numbers of its columns go straight from one to the other;
 * elsewhere it is absent. In a periodic box it takes the shortest way and stays inside. What a time
 * gives does not depend on what was asked for before.
 *
 * Memory: the two snapshots around the present time and the one that a thread reads ahead of it, 49
 * bytes per body each and 8 for each column, and while a file is read its bodies once more. Used by
 * one thread at a time. */
#ifndef SIM_PLAYBACK_PLAYBACK_H
#define SIM_PLAYBACK_PLAYBACK_H

#include "sim/bodies/bodies.h"
#include "sim/params.h"

struct playback;

/* For these bodies of playback_gather, or some of them; they have ids, and of all snapshots the
 * columns are read that they have. `params` must outlive the playback, and the bodies are only
 * needed by this call. Reads the headers of all files and the first two snapshots. */
enum status playback_open(struct playback **out, const struct bodies_params *params,
                          const struct bodies *bodies);
void playback_close(struct playback **playback); /* accepts a pointer to NULL */

/* Simulated time from the first snapshot to the last, and that of the first as its file counts it.
 */
double playback_duration(const struct playback *playback);
double playback_epoch(const struct playback *playback);

/* The part of the bodies that turns by more than a right angle from the first snapshot to the
 * second: of those, no polynomial knows the path. Before playback_at has gone further. */
double playback_turning(const struct playback *playback);

/* All bodies at a time from the first snapshot on; before it and after the last one they are as
 * there. Valid until the next call. */
struct playback_state {
    const double (*position)[3], (*velocity)[3], (*acceleration)[3];
    const bool *absent;          /* these are at rest where playback_open found them */
    const double *const *column; /* [the bodies' columns.count]; NaN: the body lacks it, or one of
                                    the two snapshots does */
};
enum status playback_at(struct playback *playback, double time, struct playback_state *out);

/* The same figures of a series; reads the headers alone. */
struct playback_span {
    size_t snapshots;
    double epoch, duration;
};
enum status playback_measure(const struct bodies_params *params, struct playback_span *out);

#endif
