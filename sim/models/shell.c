#include "sim/models/cloud.h"
#include "base/random.h"

#include <math.h>

/* A shell of radius 1 has the potential energy -M^2 / 2R = -1/2. */
static enum status make(const struct bodies_params *params, struct bodies **out)
{
    enum status status = cloud_create(params, "shell", out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random;
        random = random_of(params->seed, 0, cloud_first(*out) + i);
        double *x = (*out)->position[i], *v = (*out)->velocity[i];
        random_direction3(&random, x);
        v[0] = -x[1];
        v[1] = x[0];
    }
    return status == STATUS_OK ? cloud_settle(params, 0.3, *out) : status;
}

const struct bodies_model model_shell = {
    .name = "shell",
    .doc = "a thin spherical shell that rotates about the z axis, N-body units; "
           "bodies.virial_ratio, 0.3 by default, sets the speed",
    .make = make,
};
