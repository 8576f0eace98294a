#include "sim/gravity/tree/accuracy.h"

#include <math.h>

/* Reached is about `at` (share / 3.2e-3)^(1 / slope), so that shares follow from errors. */
static const struct {
    double from; /* the smallest error that this order is the cheaper one for */
    int order;
    double at, slope;
} fits[] = {{1.5e-3, 4, 8.5e-4, 1.8}, {0, 5, 4.4e-4, 1.6}};

static const double fitted_share = 3.2e-3;

/* The part of the error that is aimed at: few bodies differ more from each other, and a small core
 * of them most. */
static double aim(size_t bodies)
{
    const double n = (double)bodies / 65536;
    return fmin(1, 0.77 * pow(n, n < 1 ? 0.06 : 0.08));
}

struct accuracy accuracy_for(double error, size_t bodies)
{
    int f = error >= fits[0].from ? 0 : 1;
    const double share = fitted_share * pow(aim(bodies) * error / fits[f].at, fits[f].slope);
    return (struct accuracy){
        .order = fits[f].order,
        .share = share,
        .share_of_kinds = 0.8 * share,
        .spread = fmin(0.5, 0.5 * pow(error / 4e-4, 0.4)),
        .sparse = fmin(12, 12 * pow(error / 4e-4, 0.2)),
    };
}
