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
#pragma once

#include "sim/diagnostics.h"

struct drift {
    double energy;                     /* signed */
    double momentum, angular_momentum; /* magnitude of the difference */
    double centre; /* length: distance of the centre of mass from uniform motion */
};

/* `elapsed`: simulated time between the two. */
void drift_measure(const struct diagnostics *start, const struct diagnostics *now, double elapsed,
                   struct drift *out);
