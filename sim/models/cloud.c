#include "sim/models/cloud.h"

#include "sim/bodies/edit.h"

#include <math.h>
#include <stdio.h>

static const double potential = -0.5;

enum status cloud_create(const struct bodies_params *params, const char *name, struct bodies **out)
{
    *out = NULL;
    if (params->count == 0)
        return status_fail(STATUS_USAGE,
                           "bodies.count is 0, and the model '%s' needs a number; give -n", name);
    enum status status = bodies_create(out, params->count, 1);
    if (status)
        return status;
    struct bodies *bodies = *out;
    bodies->components[0] = (struct component){.count = bodies->count, .draw = true, .light = 1};
    snprintf(bodies->components[0].name, BODIES_NAME_MAX, "%s", name);
    for (size_t i = 0; i < bodies->count; i++)
        bodies->mass[i] = 1 / (double)bodies->count;
    return STATUS_OK;
}

void cloud_settle(const struct bodies_params *params, double usual, struct bodies *bodies)
{
    const double ratio = params->virial_ratio > 0 ? params->virial_ratio : usual;
    double kinetic = 0;
    bodies_centre(bodies, 0, bodies->count);
    for (size_t i = 0; i < bodies->count; i++)
        for (int k = 0; k < 3; k++)
            kinetic += bodies->mass[i] * bodies->velocity[i][k] * bodies->velocity[i][k] / 2;
    if (ratio > 0 && kinetic > 0)
        bodies_scale(bodies, 1, sqrt(ratio * -potential / (2 * kinetic)), 1);
}
