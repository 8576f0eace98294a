#include "sim/diagnostics.h"

#include "sim/shells.h"

#include <math.h>
#include <stdlib.h>

/* Plain sums in the order of the bodies: identical on every machine and for any number of
 * threads. */
void diagnostics_compute(const struct bodies *bodies, double potential, struct diagnostics *out)
{
    struct diagnostics d = {.potential = potential};
    for (size_t i = 0; i < bodies->count; i++) {
        const double *x = bodies->position[i], *v = bodies->velocity[i], m = bodies->mass[i];
        d.mass += m;
        d.kinetic += 0.5 * m * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        for (int c = 0; c < 3; c++) {
            int a = (c + 1) % 3, b = (c + 2) % 3;
            d.centre[c] += m * x[c];
            d.momentum[c] += m * v[c];
            d.angular_momentum[c] += m * (x[a] * v[b] - x[b] * v[a]);
        }
    }
    for (int c = 0; d.mass != 0 && c < 3; c++)
        d.centre[c] /= d.mass;
    d.energy = d.kinetic + d.potential;
    d.virial = potential < 0 ? -2 * d.kinetic / potential : 0;
    *out = d;
}

static double half_mass_radius(const struct bodies *bodies, const struct component *component,
                               struct shell *shells)
{
    double mass = 0, total = 0, centre[3] = {0};
    for (size_t k = 0; k < component->count; k++)
        mass += bodies->mass[component->first + k];
    for (size_t k = 0; k < component->count; k++) {
        const double *x = bodies->position[component->first + k];
        double weight = mass > 0 ? bodies->mass[component->first + k] : 1;
        shells[k].weight = weight;
        total += weight;
        for (int c = 0; c < 3; c++)
            centre[c] += weight * x[c];
    }
    for (size_t k = 0; k < component->count; k++) {
        const double *x = bodies->position[component->first + k];
        double d[3];
        for (int c = 0; c < 3; c++)
            d[c] = x[c] - centre[c] / total;
        shells[k].distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    return shells_radius(shells, component->count, total / 2);
}

enum status diagnostics_half_mass(const struct bodies *bodies, double *radius)
{
    struct shell *shells = malloc(bodies->count * sizeof *shells);
    if (!shells)
        return status_fail(STATUS_RUNTIME,
                           "the half-mass radii of %zu bodies need %zu MiB, which do not fit in "
                           "memory",
                           bodies->count, bodies->count * sizeof *shells >> 20);
    for (size_t k = 0; k < bodies->component_count; k++)
        radius[k] = half_mass_radius(bodies, &bodies->components[k], shells);
    free(shells);
    return STATUS_OK;
}
