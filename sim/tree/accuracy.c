#include "sim/tree/accuracy.h"

#include <math.h>

/* Reached is about `at` (share / 3.2e-3)^(1 / slope), so that shares follow from errors; aim: part
 * of the error that is aimed at, which leaves room for other bodies than those it was fitted on;
 * few bodies differ more from each other. */
static const struct {
    double from; /* the smallest error that this order is the cheaper one for */
    int order;
    double at, slope;
} fits[] = {{8e-4, 4, 7.3e-4, 1.8}, {0, 5, 4.4e-4, 1.6}};

static const double aim = 0.75, aim_of_few = 0.62, fitted_share = 3.2e-3;

struct accuracy accuracy_for(double error, size_t bodies)
{
    enum { FEW = 10000 };
    int f = error >= fits[0].from ? 0 : 1;
    const double share =
        fitted_share * pow((bodies < FEW ? aim_of_few : aim) * error / fits[f].at, fits[f].slope);
    return (struct accuracy){
        .order = fits[f].order,
        .share = share,
        .share_of_kinds = 0.8 * share,
        .spread = fmin(0.5, 0.5 * pow(error / 4e-4, 0.4)),
        .sparse = fmin(30, 30 * pow(error / 4e-4, 0.2)),
    };
}
