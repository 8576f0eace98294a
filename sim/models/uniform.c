#include "sim/models/cloud.h"
#include "base/functions/fn.h"
#include "base/random.h"

#include <math.h>

/* The potential energy is -3/5 M^2 / R. No distribution function keeps a uniform sphere stationary;
 * the Jeans equations give the dispersion M (R^2 - r^2) / (2 R^3), which balances it initially. */
static enum status make(const struct bodies_params *params, struct bodies **out)
{
    static const double radius = 1.2;
    enum status status = cloud_create(params, "uniform", out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random;
        random = random_of(params->seed, 0, cloud_first(*out) + i);
        const double r = fn_cbrt(random_uniform(&random));
        random_direction3(&random, (*out)->position[i]);
        for (int k = 0; k < 3; k++) {
            (*out)->position[i][k] *= r * radius;
            (*out)->velocity[i][k] = random_normal(&random) * sqrt((1 - r * r) / (2 * radius));
        }
    }
    return status == STATUS_OK ? cloud_settle(params, 0, *out) : status;
}

const struct bodies_model model_uniform = {
    .name = "uniform",
    .doc = "a sphere of even density, N-body units; with a small bodies.virial_ratio it collapses",
    .make = make,
};
