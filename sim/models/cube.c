#include "sim/models/cloud.h"
#include "base/random.h"

#include <math.h>

/* Two points of a unit cube have a mean inverse distance of
 *     2/5 (1 + sqrt(2) - 2 sqrt(3) + 5 ln((1 + sqrt(2)) (2 + sqrt(3)))) - 2 pi / 3 = 1.8823,
 *   (Bailey, Borwein and Crandall 2007, J. Comput. Appl. Math. 206, 196). A cube with this side has
 *   a potential energy of -1/2. */
static enum status make(const struct bodies_params *params, struct bodies **out)
{
    static const double side = 1.88231264438966;
    enum status status = cloud_create(params, "cube", out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random;
        random = random_of(params->seed, 0, cloud_first(*out) + i);
        for (int k = 0; k < 3; k++) {
            (*out)->position[i][k] = (random_uniform(&random) - 0.5) * side;
            if (params->virial_ratio > 0)
                (*out)->velocity[i][k] = random_normal(&random);
        }
    }
    return status == STATUS_OK ? cloud_settle(params, 0, *out) : status;
}

const struct bodies_model model_cube = {
    .name = "cube",
    .doc = "an evenly filled cube, N-body units, at rest unless bodies.virial_ratio is given",
    .make = make,
};
