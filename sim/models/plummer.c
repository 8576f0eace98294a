#include "sim/models/plummer.h"

#include "sim/bodies/edit.h"
#include "sim/models/random.h"

#include <math.h>
#include <stdio.h>

/* Aarseth, Henon and Wielen (1974), A&A 37, 183, in units G = M = 1, E = -1/4; the outermost
 * thousandth of the mass is left away, as they do. */
static void draw(struct random *random, double x[3], double v[3])
{
    const double length = 3 * M_PI / 16, fraction = 0.999 * random_uniform(random);
    const double r = 1 / sqrt(pow(fraction, -2.0 / 3) - 1);
    double q, y;
    do {
        q = random_uniform(random);
        y = 0.1 * random_uniform(random);
    } while (y > q * q * pow(1 - q * q, 3.5));
    double speed = q * sqrt(2) * pow(1 + r * r, -0.25);
    random_direction3(random, x);
    random_direction3(random, v);
    for (int k = 0; k < 3; k++) {
        x[k] *= r * length;
        v[k] *= speed / sqrt(length);
    }
}

static enum status make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (params->count == 0)
        return status_fail(STATUS_USAGE,
                           "bodies.count is 0, and the model 'plummer' needs a number; give -n");
    struct bodies *bodies;
    enum status status = bodies_create(&bodies, params->count, 1);
    if (status)
        return status;
    bodies->components[0] = (struct component){.count = bodies->count, .draw = true, .light = 1};
    snprintf(bodies->components[0].name, BODIES_NAME_MAX, "plummer");

    struct random random;
    random_seed(&random, params->seed, 0);
    for (size_t i = 0; i < bodies->count; i++) {
        bodies->mass[i] = 1 / (double)bodies->count;
        draw(&random, bodies->position[i], bodies->velocity[i]);
    }
    bodies_centre(bodies, 0, bodies->count);
    *out = bodies;
    return STATUS_OK;
}

const struct bodies_model model_plummer = {
    .name = "plummer",
    .doc = "a Plummer sphere in virial equilibrium, mass 1, energy -1/4",
    .make = make,
};
