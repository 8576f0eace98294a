/* Bodies whose motion is given by a series of snapshots, at any time between the first and the
 * last.
 *
 * Bodies are matched by id. Between two snapshots that both have a body, it follows the cubic
 * Hermite polynomial (hermite.h), and its columns are interpolated linearly; elsewhere it is
 * absent. In a periodic box it takes the shortest way and stays inside. The state at a time does
 * not depend on earlier calls.
 *
 * Memory: the two snapshots around the current time and, except on ranks, the one that a thread
 * reads ahead, each with 49 bytes per body and 8 per column, plus the bodies of a file while it is
 * read and, on ranks, until they are used. Unless bodies are shared, 72 bytes per body for the
 * present state. Used by one thread at a time.
 *
 * In a task of all ranks, each rank reads its slice of a snapshot, and the rows go to the ranks
 * that have the bodies. If the bodies are not shared, the rows go to all ranks, which must have
 * opened the playback for the same bodies. A playback that was opened in a task can be used only in
 * tasks, but closed at any time. */
#pragma once

#include "sim/bodies/bodies.h"
#include "sim/params.h"

struct playback;

/* For the bodies of playback_gather, or some of them, which must have ids; their columns are read
 * from all snapshots. `params` must outlive the playback; the bodies are needed only during this
 * call. Reads the headers of all files and the first two snapshots. */
enum status playback_open(struct playback **out, const struct bodies_params *params,
                          const struct bodies *bodies);
void playback_close(struct playback **playback); /* accepts a pointer to NULL */

/* Simulated time from the first snapshot to the last, and the first one's time in its file. */
double playback_duration(const struct playback *playback);
double playback_epoch(const struct playback *playback);

/* The part of the bodies whose direction changes by more than a right angle from the first snapshot
 * to the second, so that interpolation cannot follow them. Call before playback_at has advanced.
 * Collective for shared bodies. */
enum status playback_turning(const struct playback *playback, double *out);

/* All bodies at a time; clamped to the first and the last snapshot. Valid until the next call. */
struct playback_state {
    /* NULL for shared bodies: use playback_part. */
    const double (*position)[3], (*velocity)[3], (*acceleration)[3];
    const bool *absent;          /* these are at rest where playback_open found them */
    const double *const *column; /* [the bodies' columns.count]; NaN: no value in either of the two
                                  * snapshots */
};
enum status playback_at(struct playback *playback, double time, struct playback_state *out);

/* Computes the same for `count` bodies from `first` on, at the time of the last playback_at.
 * Thread-safe. */
void playback_part(const struct playback *playback, size_t first, size_t count,
                   double (*position)[3], double (*velocity)[3], double (*acceleration)[3]);

/* Basic figures of a series; reads only the headers. */
struct playback_span {
    size_t snapshots;
    double epoch, duration;
};
enum status playback_measure(const struct bodies_params *params, struct playback_span *out);
