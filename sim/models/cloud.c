#include "sim/models/cloud.h"

#include "base/ranks/ranks.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/whole.h"

#include <math.h>
#include <stdio.h>

static const double potential = -0.5;

enum status cloud_create(const struct bodies_params *params, const char *name, struct bodies **out)
{
    *out = NULL;
    if (params->count == 0)
        return status_fail(STATUS_USAGE,
                           "bodies.count is 0, and the model '%s' needs a number; give -n", name);
    struct component component = {.count = params->count, .draw = true, .light = 1};
    snprintf(component.name, BODIES_NAME_MAX, "%s", name);
    if (params->divide)
        whole_divide(&component, 0, (unsigned)ranks_own(), (unsigned)ranks_count());
    enum status status = bodies_create(out, component.count, 1);
    if (status != STATUS_OK)
        return status;
    struct bodies *bodies = *out;
    bodies->components[0] = component;
    bodies->shared = params->divide;
    for (size_t i = 0; i < bodies->count; i++)
        bodies->mass[i] = 1 / (double)params->count;
    return STATUS_OK;
}

static void add_kinetic(const void *user, const struct bodies *bodies, size_t first, size_t count,
                        double *sum)
{
    (void)user;
    for (size_t i = first; i < first + count; i++)
        for (int k = 0; k < 3; k++)
            *sum += bodies->mass[i] * bodies->velocity[i][k] * bodies->velocity[i][k] / 2;
}

enum status cloud_settle(const struct bodies_params *params, double usual, struct bodies *bodies)
{
    const double ratio = params->virial_ratio > 0 ? params->virial_ratio : usual;
    double kinetic = 0;
    enum status status = whole_centre(bodies, 0, 1);
    if (status == STATUS_OK)
        status = whole_continue(bodies, 0, add_kinetic, NULL, &kinetic, 1);
    if (status == STATUS_OK && ratio > 0 && kinetic > 0)
        bodies_scale(bodies, 1, sqrt(ratio * -potential / (2 * kinetic)), 1);
    return status;
}
