#include "sim/models/plummer.h"

#include "sim/models/cloud.h"
#include "base/functions/fn.h"
#include "base/random.h"

#include <math.h>

/* Aarseth, Henon and Wielen (1974), A&A 37, 183, in units G = M = 1, E = -1/4, also leaving out the
 * outermost thousandth of the mass. */
static void draw(struct random *random, double x[3], double v[3])
{
    const double length = 3 * M_PI / 16, fraction = 0.999 * random_uniform(random);
    const double r = 1 / sqrt(fn_pow(fraction, -2.0 / 3) - 1);
    double q, y, p;
    do {
        q = random_uniform(random);
        y = 0.1 * random_uniform(random);
        p = 1 - q * q;
    } while (y > q * q * p * p * p * sqrt(p));
    double speed = q * sqrt(2) / sqrt(sqrt(1 + r * r));
    random_direction3(random, x);
    random_direction3(random, v);
    for (int k = 0; k < 3; k++) {
        x[k] *= r * length;
        v[k] *= speed / sqrt(length);
    }
}

static enum status make(const struct bodies_params *params, struct bodies **out)
{
    enum status status = cloud_create(params, "plummer", out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random = random_of(params->seed, 0, cloud_first(*out) + i);
        draw(&random, (*out)->position[i], (*out)->velocity[i]);
    }
    return status == STATUS_OK ? cloud_settle(params, 0, *out) : status;
}

const struct bodies_model model_plummer = {
    .name = "plummer",
    .doc = "a Plummer sphere in virial equilibrium, mass 1, energy -1/4",
    .make = make,
};
