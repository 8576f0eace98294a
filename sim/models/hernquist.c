#include "base/functions/fn.h"
#include "base/memory.h"
#include "sim/models/isotropic.h"

#include <math.h>
#include <stdlib.h>

/* L. Hernquist (1990), ApJ 356, 359, faded out by sech(r / 20 a) as in P. J. McMillan and W. Dehnen
 * (2007), MNRAS 378, 541. */
static double density(double r, const void *user)
{
    (void)user;
    return 1 / (r * fn_pow(1 + r, 3) * fn_cosh(r / 20));
}

static enum status make(const struct bodies_params *params, struct bodies **out)
{
    struct isotropic *sphere = memory_new(1, sizeof *sphere);
    isotropic_make(density, NULL, 1e-4, 500, sphere);
    enum status status = isotropic_bodies(params, "hernquist", sphere, out);
    free(sphere);
    return status;
}

const struct bodies_model model_hernquist = {
    .name = "hernquist",
    .doc = "a Hernquist sphere in equilibrium, as a bulge or an elliptical galaxy, N-body units",
    .make = make,
};
