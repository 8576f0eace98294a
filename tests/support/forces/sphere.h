/* Bodies for tests: a Plummer sphere from its own generator, the same everywhere. */
#pragma once

#include "sim/bodies/bodies.h"

#include <stdint.h>

#include <stdbool.h>

/* A sphere of unit mass and scale length. Unequal masses differ by up to a factor 10, and every
 * seventh is 0; body 0 always has mass. Velocities are random and small. Ends the program when
 * memory is short. */
struct bodies *sphere_make(size_t count, bool equal, uint64_t seed);

/* Two bodies of mass 1/2 at distance 1, at rest as a whole; `speed` is relative to the circular
 * orbit's, whose period it gives. */
struct bodies *pair_make(double softening, double speed, double *period);

/* sqrt(sum |a - b|^2 / sum |b|^2) over `numbers` numbers; 0 for 0 against 0. */
double relative_rms(size_t numbers, const double *a, const double *b);

/* |a - b| <= tolerance, for tests that include tests/support/test.h. */
#define assert_near(a, b, tolerance)                                                               \
    do {                                                                                           \
        double a_ = (a), b_ = (b);                                                                 \
        if (!(fabs(a_ - b_) <= (tolerance)))                                                       \
            fail_msg("%s is %.12g, not %.12g within %g", #a, a_, b_, (double)(tolerance));         \
    } while (0)
