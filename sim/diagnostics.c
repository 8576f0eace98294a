#include "sim/diagnostics.h"

#include "sim/bodies/whole.h"
#include "sim/shells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sums over all bodies. */
struct sums {
    double mass, kinetic, centre[3], momentum[3], angular_momentum[3];
};
enum { SUMS = sizeof(struct sums) / sizeof(double) };

static void add_bodies(const void *user, const struct bodies *bodies, size_t first, size_t count,
                       double *sums)
{
    struct sums d;
    (void)user;
    memcpy(&d, sums, sizeof d);
    for (size_t i = first; i < first + count; i++) {
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
    memcpy(sums, &d, sizeof d);
}

static void conclude(const double *sums, double potential, struct diagnostics *out)
{
    struct sums d;
    memcpy(&d, sums, sizeof d);
    *out = (struct diagnostics){.mass = d.mass,
                                .kinetic = d.kinetic,
                                .potential = potential,
                                .energy = d.kinetic + potential,
                                .virial = potential < 0 ? -2 * d.kinetic / potential : 0};
    for (int c = 0; c < 3; c++) {
        out->centre[c] = d.mass != 0 ? d.centre[c] / d.mass : d.centre[c];
        out->momentum[c] = d.momentum[c];
        out->angular_momentum[c] = d.angular_momentum[c];
    }
}

/* Plain sums in the order of the bodies: identical on every machine and for any number of threads
 * and ranks. */
void diagnostics_compute(const struct bodies *bodies, double potential, struct diagnostics *out)
{
    double sums[SUMS] = {0};
    add_bodies(NULL, bodies, 0, bodies->count, sums);
    conclude(sums, potential, out);
}

enum status diagnostics_whole(const struct bodies *bodies, double potential,
                              struct diagnostics *out)
{
    double sums[SUMS] = {0};
    enum status status = STATUS_OK;
    if (!bodies->shared) {
        diagnostics_compute(bodies, potential, out);
        return STATUS_OK;
    }
    for (size_t c = 0; c < bodies->component_count && status == STATUS_OK; c++)
        status = whole_continue(bodies, c, add_bodies, NULL, sums, SUMS);
    conclude(sums, potential, out);
    return status;
}

/* How bodies of a component are weighed: by mass or, without any, equally. */
static double weight_of(const struct bodies *bodies, size_t i, bool by_mass)
{
    return by_mass ? bodies->mass[i] : 1;
}

/* sums: weight, weighted position. */
static void add_weights(const void *user, const struct bodies *bodies, size_t first, size_t count,
                        double *sums)
{
    for (size_t i = first; i < first + count; i++) {
        const double weight = weight_of(bodies, i, *(const bool *)user);
        sums[0] += weight;
        for (int c = 0; c < 3; c++)
            sums[1 + c] += weight * bodies->position[i][c];
    }
}

/* The radius for components `from` to `to` - 1 together. */
static enum status half_mass_radius(const struct bodies *bodies, size_t from, size_t to,
                                    struct shell *shells, double *radius)
{
    double mass = 0, sums[4] = {0};
    size_t count = 0;
    enum status status = STATUS_OK;
    for (size_t k = from; k < to && status == STATUS_OK; k++) {
        double own;
        status = whole_mass(bodies, k, &own);
        mass += own;
    }
    const bool by_mass = mass > 0;
    for (size_t k = from; k < to && status == STATUS_OK; k++)
        status = whole_continue(bodies, k, add_weights, &by_mass, sums, 4);
    for (size_t k = from; k < to; k++) {
        const struct component *component = &bodies->components[k];
        for (size_t i = component->first; i < component->first + component->count; i++, count++) {
            const double *x = bodies->position[i];
            double d[3];
            for (int c = 0; c < 3; c++)
                d[c] = x[c] - sums[1 + c] / sums[0];
            shells[count].weight = weight_of(bodies, i, by_mass);
            shells[count].distance = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        }
    }
    return status == STATUS_OK
               ? shells_whole_radius(shells, count, sums[0] / 2, bodies->shared, radius)
               : status;
}

static enum status half_mass_radii(const struct bodies *bodies, bool all, double *radius)
{
    const size_t components = bodies->component_count;
    struct shell *shells = malloc((bodies->count + 1) * sizeof *shells);
    enum status status =
        shells ? STATUS_OK
               : status_fail(STATUS_RUNTIME,
                             "the half-mass radii of %zu bodies need %zu MiB, which do not fit in "
                             "memory",
                             bodies->count, bodies->count * sizeof *shells >> 20);
    if (status == STATUS_OK && all)
        status = half_mass_radius(bodies, 0, components, shells, radius);
    for (size_t k = 0; k < components && status == STATUS_OK && !all; k++)
        status = half_mass_radius(bodies, k, k + 1, shells, &radius[k]);
    free(shells);
    return status;
}

enum status diagnostics_half_mass(const struct bodies *bodies, double *radius)
{
    return half_mass_radii(bodies, false, radius);
}

enum status diagnostics_half_mass_all(const struct bodies *bodies, double *radius)
{
    return half_mass_radii(bodies, true, radius);
}
