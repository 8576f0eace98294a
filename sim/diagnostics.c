#include "sim/diagnostics.h"
#include "sim/solver/softening.h"

#include <math.h>
#include <stdlib.h>

/* Plain sums in the order of the bodies: the same bits on every machine and thread count. */
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

struct shell {
    double distance, weight;
};

static int by_distance(const void *a, const void *b)
{
    double x = ((const struct shell *)a)->distance, y = ((const struct shell *)b)->distance;
    return (x > y) - (x < y);
}

static double half_mass_radius(const struct bodies *bodies, const struct component *component,
                               struct shell *shells)
{
    double mass = 0, total = 0, centre[3] = {0}, inside = 0;
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
    qsort(shells, component->count, sizeof *shells, by_distance);
    for (size_t k = 0; k < component->count; k++) {
        inside += shells[k].weight;
        if (inside >= total / 2)
            return shells[k].distance;
    }
    return 0;
}

enum status diagnostics_half_mass(const struct bodies *bodies, double *radius)
{
    struct shell *shells = malloc(bodies->count * sizeof *shells);
    if (!shells)
        return status_fail(STATUS_RUNTIME, "no memory for the half-mass radii of %zu bodies",
                           bodies->count);
    for (size_t k = 0; k < bodies->component_count; k++)
        radius[k] = half_mass_radius(bodies, &bodies->components[k], shells);
    free(shells);
    return STATUS_OK;
}

/* Of body i, from the bodies behind it. */
static double potential_behind(const struct bodies *bodies, size_t i, double fallback)
{
    const double(*x)[3] = (const double(*)[3])bodies->position;
    double own, other, phi = 0;
    softening_run(bodies, fallback, i, &own);
    for (size_t j = i + 1; j < bodies->count;) {
        size_t end = softening_run(bodies, fallback, j, &other);
        double softening2 = own * own / 2 + other * other / 2;
        for (; j < end; j++) {
            double dx = x[j][0] - x[i][0], dy = x[j][1] - x[i][1], dz = x[j][2] - x[i][2];
            phi -= bodies->mass[j] / sqrt(dx * dx + dy * dy + dz * dz + softening2);
        }
    }
    return phi;
}

double diagnostics_potential(const struct bodies *bodies, double softening)
{
    enum { CHUNK = 64 };
    double total = 0;
    size_t chunks = (bodies->count + CHUNK - 1) / CHUNK;

#pragma omp parallel for schedule(dynamic) ordered if (chunks > 8)
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        size_t end = (chunk + 1) * CHUNK < bodies->count ? (chunk + 1) * CHUNK : bodies->count;
        double sum = 0;
        for (size_t i = chunk * CHUNK; i < end; i++)
            sum += bodies->mass[i] * potential_behind(bodies, i, softening);
#pragma omp ordered
        total += sum;
    }
    return total;
}
