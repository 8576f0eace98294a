#include "base/functions/fn.h"
#include "kernels/isa.h"
#include "kernels/tree/accuracy.h"
#include "kernels/tree/tree.h"

#include <math.h>
#include <string.h>

extern const struct near_kernels near_kernels_baseline, near_kernels_neon, near_kernels_avx2,
    near_kernels_avx512;

static const struct {
    const struct near_kernels *kernels;
    bool (*usable)(void);
} near_sets[] = {
#define SET(isa) {&near_kernels_##isa, cpu_has_##isa},
    EACH_ISA(SET)};

const struct near_kernels *near_kernels_find(const char *isa)
{
    for (size_t s = 0; s < sizeof near_sets / sizeof near_sets[0]; s++)
        if (near_sets[s].usable() &&
            (strcmp(isa, "auto") == 0 || strcmp(isa, near_sets[s].kernels->isa) == 0))
            return near_sets[s].kernels;
    return NULL;
}

static const struct {
    const struct tree_kernels *orders[TREE_ORDERS];
    bool (*usable)(void);
} sets[] = {
#undef SET
#define SET(isa) {{&tree_kernels_##isa##_4, &tree_kernels_##isa##_5}, cpu_has_##isa},
    EACH_ISA(SET)};

const struct tree_kernels *tree_kernels_find(const char *isa, int order)
{
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        for (int o = 0; o < TREE_ORDERS; o++) {
            const struct tree_kernels *kernels = sets[s].orders[o];
            if (kernels->order == order && sets[s].usable() &&
                (strcmp(isa, "auto") == 0 || strcmp(isa, kernels->isa) == 0))
                return kernels;
        }
    return NULL;
}

/* Order 4 is cheaper than order 5 from these errors on; on the CPU, flat terms favour order 5. */
static const double of_order_4 = 2.8e-3, of_order_4_cuda = 1.5e-3;

/* The largest error that order 5 is used for. On a device, spline softening has order 5 only. */
static const double of_order_5 = 1.4e-3;

/* Pulls of bodies may be rough from this error on. */
static const double of_rough_pulls = 2e-4;

/* On the CPU, the error reached is about `at` (share / 3.2e-3)^(1 / slope); inverting this gives
 * the share for a requested error. */
static const double fitted_share = 3.2e-3;
static const struct {
    double at, slope;
} fit_of_4 = {8.5e-4, 1.8}, fit_of_5 = {4.4e-4, 1.6};

static double spread_of(double error)
{
    return fmin(0.5, 0.5 * fn_pow(error / 4e-4, 0.4));
}

static double sparse_of(double most, double error)
{
    return fmin(most, most * fn_pow(error / 4e-4, 0.2));
}

/* On the CPU, the limits on leaves grow again between these errors, by these exponents; for fewer
 * bodies, whose errors vary more, by less. */
static const double of_wide_leaves = 1e-3, of_widest_leaves = 2e-3, of_many_bodies = 32768;

static double wider(double limit, double error, double exponent, size_t bodies)
{
    const double within = fmax(of_wide_leaves, fmin(error, of_widest_leaves));
    const double many = fn_pow(fmin(1, (double)bodies / of_many_bodies), 0.25);
    return limit * fmax(1, many * fn_pow(within / of_wide_leaves, exponent));
}

/* Errors of flat terms grow with this and with the cube of the cells' size, which grows with the
 * requested error. */
static double flat_of(double error)
{
    return 3.5e-3 * fn_pow(error / 4e-4, 1.0 / 3);
}

/* Returns the fraction of the requested error to aim at. Results vary more between small systems,
 * and most for a small core. */
static double aim(size_t bodies)
{
    const double n = (double)bodies / 65536;
    return fmin(1, 0.77 * fn_pow(n, n < 1 ? 0.06 : 0.08));
}

/* Near the centre of its softening, the pull of a body is linear in the distance, so that several
 * bodies pull like one at their centre of mass. The relative deviation is about twice the square of
 * the distance over the softening; outside the softening, the quadrupole is no larger. */
double tree_merged(double error)
{
    return sqrt(error / 8);
}

struct tree_accuracy tree_accuracy(double error, size_t bodies)
{
    const bool low = error >= of_order_4;
    const double at = low ? fit_of_4.at : fit_of_5.at;
    const double slope = low ? fit_of_4.slope : fit_of_5.slope;
    const double share = fitted_share * fn_pow(aim(bodies) * error / at, slope);
    return (struct tree_accuracy){
        .order = low ? 4 : 5,
        .share = share,
        .share_of_kinds = 0.8 * share,
        .spread = wider(spread_of(error), error, 0.5, bodies),
        .sparse = wider(sparse_of(16, error), error, 0.6, bodies),
        .flat = flat_of(error),
        .rough = error >= of_rough_pulls,
    };
}

/* Fitted to Plummer spheres, disks in haloes, cubes, clusters and collapsed spheres of 65,536 to
 * 4,194,304 bodies; `aim` leaves a margin for other systems (docs/physics.md), a larger one for few
 * bodies, whose errors vary more. */
struct tree_cuda_accuracy tree_cuda_accuracy(double error, size_t bodies, bool spline)
{
    if (spline)
        error = fmin(error, of_order_5);
    const double n = (double)bodies / 65536;
    const double aim = 0.63 * fn_pow(n, n < 1 ? 0.15 : 0.08) * error;
    const int order = error < of_order_4_cuda ? 5 : 4;
    double share =
        order == 5 ? 5e-4 * fn_pow(aim / 1.25e-4, 1.45) : 8e-3 * fn_pow(aim / 1.3e-3, 1.8);
    if (bodies < 10000)
        share = fmin(share, 0.8 * error);
    const struct tree_cuda_rule rule = {
        .share = (float)share,
        .reach = (float)(12 * share),
        .unlike = (float)(0.03 * error / share),
        .opening = 0.8f,
        .spread = (float)spread_of(error),
        .sparse = (float)sparse_of(30, error),
        .merged2 = (float)(tree_merged(error) * tree_merged(error)),
    };
    struct tree_cuda_accuracy accuracy = {.order = order, .rule = rule, .potential = rule};
    if (n < 1) /* more would need more memory than the lists have */
        accuracy.potential.opening = 0.5f;
    return accuracy;
}
