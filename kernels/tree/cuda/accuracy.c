#include "kernels/tree/cuda/accuracy.h"

#include <math.h>

/* Fitted on spheres of Plummer, disks in haloes, cubes, clusters and collapsed spheres of 65,536 to
 * 4,194,304 bodies; `aim` leaves room for others (docs/physics.md). Fewer bodies differ more from
 * each other. */
struct tree_cuda_accuracy tree_cuda_accuracy(double error, size_t bodies)
{
    const double n = (double)bodies / 65536;
    const double aim = 0.63 * pow(n, n < 1 ? 0.15 : 0.08) * error;
    const int order = error < 1.5e-3 ? 5 : 4;
    double share = order == 5 ? 5e-4 * pow(aim / 1.25e-4, 1.45) : 8e-3 * pow(aim / 1.3e-3, 1.8);
    if (bodies < 10000)
        share = fmin(share, 0.8 * error);
    const struct tree_cuda_rule rule = {
        .share = (float)share,
        .reach = (float)(12 * share),
        .unlike = (float)(0.03 * error / share),
        .opening = 0.8f,
        .spread = (float)fmin(0.5, 0.5 * pow(error / 4e-4, 0.4)),
        .sparse = (float)fmin(30, 30 * pow(error / 4e-4, 0.2)),
    };
    struct tree_cuda_accuracy accuracy = {.order = order, .rule = rule, .potential = rule};
    if (n < 1) /* more would take more room than there is for lists */
        accuracy.potential.opening = 0.5f;
    return accuracy;
}
