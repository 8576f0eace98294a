#include "base/functions/fn.h"
#include "base/memory.h"
#include "sim/models/isotropic.h"

#include <math.h>
#include <stdlib.h>

/* J. F. Navarro, C. S. Frenk and S. D. M. White (1996), ApJ 462, 563, faded out by sech(r / the
 * virial radius) as in P. J. McMillan and W. Dehnen (2007), MNRAS 378, 541. */
static double density(double r, const void *concentration)
{
    return 1 / (r * (1 + r) * (1 + r) * fn_cosh(r / *(const double *)concentration));
}

static enum status make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    const double c = params->concentration;
    if (!(c >= 1 && c <= 100))
        return status_fail(STATUS_USAGE,
                           "bodies.concentration of an NFW sphere is %g; give 1 to 100", c);
    struct isotropic *sphere = memory_new(1, sizeof *sphere);
    isotropic_make(density, &c, 1e-4, 25 * c, sphere);
    enum status status = isotropic_bodies(params, "nfw", sphere, out);
    free(sphere);
    return status;
}

const struct bodies_model model_nfw = {
    .name = "nfw",
    .doc = "a halo after Navarro, Frenk and White in equilibrium, N-body units",
    .make = make,
};
