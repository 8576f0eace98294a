/* Bodies whose motion is given by a series of snapshots, at any time between the first and the
 * last.
 *
 * Bodies are matched by id. Between two snapshots that both have a body, it follows the cubic
 * Hermite polynomial (below), and its columns are interpolated linearly; elsewhere it is
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

#include <math.h>

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

/* Interpolates a body's motion between two moments: the cubic Hermite polynomial of positions and
 * velocities, whose derivatives are velocity and acceleration. Its error is at most h^4 / 384 times
 * the largest fourth derivative of the path. Pure. */

struct hermite {
    double position[2], velocity[2]; /* weights for the position: of both positions, and of h times
                                      * both velocities */
    double speed, slow[2]; /* for the velocity: of the displacement, and of both velocities */
    double bend, pull[2];  /* for the acceleration, likewise */
};

/* The weights at part u of an interval of length h: 0 is its start, 1 its end. */
static inline struct hermite hermite_at(double u, double h)
{
    const double v = 1 - u;
    return (struct hermite){
        .position = {v * v * (1 + 2 * u), u * u * (3 - 2 * u)},
        .velocity = {h * u * v * v, -h * u * u * v},
        .speed = 6 * u * v / h,
        .slow = {v * (1 - 3 * u), u * (3 * u - 2)},
        .bend = 6 * (1 - 2 * u) / (h * h),
        .pull = {(6 * u - 4) / h, (6 * u - 2) / h},
    };
}

/* One coordinate, from a to b with the velocities va and vb. */
static inline void hermite_move(const struct hermite *by, double a, double b, double va, double vb,
                                double out[3])
{
    const double way = b - a;
    out[0] =
        by->position[0] * a + by->position[1] * b + by->velocity[0] * va + by->velocity[1] * vb;
    out[1] = by->speed * way + by->slow[0] * va + by->slow[1] * vb;
    out[2] = by->bend * way + by->pull[0] * va + by->pull[1] * vb;
}

/* Counts the box edges crossed on the shortest way from `from` to `to`, for edges of these lengths;
 * 0 if there is no box. */
static inline double hermite_rounds(double from, double to, double from_box, double to_box)
{
    return from_box > 0 && to_box > 0 ? round(to / to_box - from / from_box) : 0;
}

/* The bodies of a whole series of snapshots. */

/* Reads all snapshots once, one at a time, and makes one body per id, at its position in the first
 * snapshot that contains it. The result has ids. Bodies of the first snapshot get the components of
 * bodies_arrange; later ones join the component with the name that their file gives. If the scene
 * assigns rows to components, only the first snapshot's bodies are taken. A body that is missing
 * from a snapshot gets mass 0, so that cameras and sums ignore it while it is absent.
 *
 * In a task of all ranks, each rank reads its slice of every snapshot, and the bodies are shared
 * (sim/bodies/bodies_whole.h): a rank has its slice of each component of the first snapshot, and
 * the last rank also has the bodies that appear later. STATUS_USAGE in a task if the scene assigns
 * rows to components. */
enum status playback_gather(const struct bodies_params *params, struct bodies **out);
