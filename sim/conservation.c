#include "sim/conservation.h"

#include <math.h>

static double norm(const double a[3])
{
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

static double distance(const double a[3], const double b[3])
{
    return norm((double[3]){a[0] - b[0], a[1] - b[1], a[2] - b[2]});
}

static double relative(double change, double scale)
{
    if (scale > 0)
        return change / scale;
    return change == 0 ? 0 : change * INFINITY;
}

void drift_measure(const struct diagnostics *start, const struct diagnostics *now, double elapsed,
                   struct drift *out)
{
    const double terms = fmax(start->kinetic, fabs(start->potential)),
                 kinetic = fmax(start->kinetic, 1e-3 * fabs(start->potential)),
                 momentum = sqrt(2 * kinetic * start->mass),
                 radius =
                     start->potential != 0 ? start->mass * start->mass / fabs(start->potential) : 0;
    double centre[3];
    for (int c = 0; c < 3; c++)
        centre[c] =
            start->centre[c] + (start->mass != 0 ? elapsed * start->momentum[c] / start->mass : 0);
    *out = (struct drift){
        .energy = relative(now->energy - start->energy, fmax(fabs(start->energy), 1e-3 * terms)),
        .momentum = relative(distance(now->momentum, start->momentum), momentum),
        .angular_momentum = relative(distance(now->angular_momentum, start->angular_momentum),
                                     fmax(norm(start->angular_momentum), momentum * radius)),
        .centre = distance(now->centre, centre),
    };
}
