#include "sim/formats/finite.h"

#include <math.h>

static enum status refuse(const struct bodies *bodies, size_t i, const char *path)
{
    if (bodies->mass[i] < 0)
        return status_fail(STATUS_USAGE, "%s: the mass of body %zu is %g, and none can be negative",
                           path, i + 1, bodies->mass[i]);
    return status_fail(STATUS_USAGE,
                       "%s: body %zu has a mass, position or velocity that is not a finite number; "
                       "save it again without that body",
                       path, i + 1);
}

enum status bodies_check(const struct bodies *bodies, size_t first, size_t count, const char *path)
{
    for (size_t i = first; i < first + count; i++) {
        const double *x = bodies->position[i], *v = bodies->velocity[i];
        /* x * 0 is 0 for finite numbers, NaN otherwise */
        const double none =
            0 * x[0] + 0 * x[1] + 0 * x[2] + 0 * v[0] + 0 * v[1] + 0 * v[2] + 0 * bodies->mass[i];
        if (!(none == 0) || bodies->mass[i] < 0)
            return refuse(bodies, i, path);
    }
    return STATUS_OK;
}
