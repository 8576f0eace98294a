/* How far a run has drifted from what gravity conserves, between two moments. Pure functions;
 * thread-safe.
 *
 * Each is relative to a scale of the start, because the conserved value itself is often near 0: the
 * energy to its size, but at least a thousandth of the larger of kinetic and potential energy; the
 * momentum to M v, the angular momentum to M v R or the start's own if that is larger, with the
 * total mass M, the RMS speed v = sqrt(2 K / M) (K at least a thousandth of |W|, for bodies that
 * begin at rest) and the gravitational radius R = M^2 / |W|
 * (Binney & Tremaine, Galactic Dynamics, 2008, eq. 2.42). A drift without a scale is 0 if nothing
 * has changed, else infinite; of a number that is not finite it is NaN. */
#ifndef SIM_CONSERVATION_H
#define SIM_CONSERVATION_H

#include "sim/diagnostics.h"

struct drift {
    double energy;                     /* with its sign */
    double momentum, angular_momentum; /* size of the difference */
    double centre; /* length: of the centre of mass from where uniform motion would be */
};

/* `elapsed`: simulated time between the two. */
void drift_measure(const struct diagnostics *start, const struct diagnostics *now, double elapsed,
                   struct drift *out);

#endif
