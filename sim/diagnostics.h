/* Conserved quantities in double precision, from bodies in host memory and the solver's potential
 * energy. */
#pragma once

#include "base/status.h"
#include "sim/view.h"

#include <stdbool.h>
#include <stddef.h>

struct bodies;

struct diagnostics {
    double mass, kinetic, potential, energy;
    double virial; /* 2 kinetic / -potential: 1 in equilibrium; 0 without a potential */
    double centre[3], momentum[3], angular_momentum[3]; /* angular momentum about the origin */
};

void diagnostics_compute(const struct bodies *bodies, double potential, struct diagnostics *out);

/* The next three are collective for shared bodies (sim/bodies/bodies_whole.h): they then cover
 * those of all ranks, with the bits of one process. Components must cover all bodies. */
enum status diagnostics_whole(const struct bodies *bodies, double potential,
                              struct diagnostics *out);

/* radius[k]: the distance from component k's centre of mass that contains half of its mass, or half
 * of its bodies if they have no mass; 0 for an empty component. */
enum status diagnostics_half_mass(const struct bodies *bodies, double *radius);
/* The same for all components together. */
enum status diagnostics_half_mass_all(const struct bodies *bodies, double *radius);

/* The sphere about a point that holds a part of the bodies. */

struct shell {
    double distance, weight;
};

/* Sorts the shells by distance. Returns the distance within which the weights add up to `weight`:
 * that of the last shell where they never do, 0 without shells. Pure; thread-safe. */
double shells_radius(struct shell *shells, size_t count, double weight);
/* The same for separate arrays of distances and weights >= 0. Searches near `last` first: if the
 * result is there, few shells are sorted. The result does not depend on `last`. room: [count]. */
double shells_radius_near(const double *distance, const double *weights, size_t count,
                          double weight, double last, struct shell *room);

/* How far a run has drifted from what gravity conserves, between two moments. Pure functions;
 * thread-safe.
 *
 * Drifts are relative to a scale at the start, because a conserved value itself is often near 0.
 * The energy is relative to its size, but at least to a thousandth of the larger of kinetic and
 * potential energy; the momentum to M v; the angular momentum to M v R, or to its initial value if
 * that is larger. M is the total mass, v = sqrt(2 K / M) the RMS speed (with K at least a
 * thousandth of |W|, for bodies that start at rest) and R = M^2 / |W| the gravitational radius
 * (Binney & Tremaine, Galactic Dynamics, 2008, eq. 2.42). Without a scale, a drift is 0 if nothing
 * has changed and infinite otherwise; it is NaN for numbers that are not finite. */

struct drift {
    double energy;                     /* signed */
    double momentum, angular_momentum; /* magnitude of the difference */
    double centre; /* length: distance of the centre of mass from uniform motion */
};

/* `elapsed`: simulated time between the two. */
void drift_measure(const struct diagnostics *start, const struct diagnostics *now, double elapsed,
                   struct drift *out);

/* The energies of a film so far, at moments that depend only on the frame number, so that an
 * interrupted film has the same ones. Append-only: one thread adds points; others may read the
 * points that a view has given them (see view.h). */

enum { ENERGY_POINTS_MAX = 200 };

struct energy_history {
    uint64_t every, last; /* in frames: points are at multiples of `every` and at the last frame */
    size_t count, room;   /* room <= ENERGY_POINTS_MAX */
    struct energy_point *points; /* [room]; never moves */
};

/* For a film of `frames` >= 1 frames: chooses the smallest `every` with which all points fit. */
struct energy_history *energy_history_create(uint64_t frames);
void energy_history_destroy(struct energy_history **history); /* accepts a pointer to NULL */

/* Whether this frame has a point. */
bool energy_history_due(const struct energy_history *history, uint64_t frame);

/* The number of points up to this frame. */
size_t energy_history_until(const struct energy_history *history, uint64_t frame);

/* `time` must not be before the last point's. A point without room is dropped. */
void energy_history_add(struct energy_history *history, const struct energy_point *point);

/* Replaces the points by saved ones, before any view is filled. STATUS_USAGE, leaving everything
 * unchanged, when there are too many, or one is not finite or not later than the previous one (in
 * the direction of the first two). */
enum status energy_history_restore(struct energy_history *history,
                                   const struct energy_point *points, size_t count);
