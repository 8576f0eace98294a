#include "tests/sim/galaxy/shape.h"

#include "base/sort.h"
#include "sim/galaxy/disk.h"
#include "sim/galaxy/galaxy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RINGS = 8 };

static double median(double *values, size_t count)
{
    sort_doubles(values, count);
    return values[count / 2];
}

static void centre_of(const struct bodies *bodies, size_t first, size_t count, double out[3])
{
    double mass = 0;
    out[0] = out[1] = out[2] = 0;
    for (size_t i = first; i < first + count; i++) {
        mass += bodies->mass[i];
        for (int k = 0; k < 3; k++)
            out[k] += bodies->mass[i] * bodies->position[i][k];
    }
    for (int k = 0; k < 3; k++)
        out[k] /= mass;
}

/* Unit vector of the spin. */
static void axis_of(const struct bodies *bodies, const struct component *disk,
                    const double centre[3], double axis[3])
{
    axis[0] = axis[1] = axis[2] = 0;
    for (size_t i = disk->first; i < disk->first + disk->count; i++) {
        const double *v = bodies->velocity[i];
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = bodies->position[i][k] - centre[k];
        for (int k = 0; k < 3; k++)
            axis[k] += x[(k + 1) % 3] * v[(k + 2) % 3] - x[(k + 2) % 3] * v[(k + 1) % 3];
    }
    const double size = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    for (int k = 0; k < 3; k++)
        axis[k] /= size;
}

/* Where a body is against the disk's plane: along two axes in it and above it. */
static void in_plane(const double axis[3], const double centre[3], const double x[3], double out[3])
{
    double along[3] = {1 - axis[0] * axis[0], -axis[0] * axis[1], -axis[0] * axis[2]}, d[3];
    const double size = sqrt(along[0] * along[0] + along[1] * along[1] + along[2] * along[2]);
    for (int k = 0; k < 3; k++) {
        along[k] /= size;
        d[k] = x[k] - centre[k];
    }
    out[0] = out[1] = out[2] = 0;
    for (int k = 0; k < 3; k++) {
        const double across =
            axis[(k + 1) % 3] * along[(k + 2) % 3] - axis[(k + 2) % 3] * along[(k + 1) % 3];
        out[0] += d[k] * along[k];
        out[1] += d[k] * across;
        out[2] += d[k] * axis[k];
    }
}

static void look_at_disk(const struct bodies *bodies, const struct component *disk,
                         const double centre[3], struct shape *out)
{
    double *radius = malloc(disk->count * sizeof *radius);
    double *height = malloc(disk->count * sizeof *height),
           (*bent)[3] = malloc(disk->count * sizeof *bent);
    double axis[3], part[RINGS][3] = {{0}};
    axis_of(bodies, disk, centre, axis);
    for (size_t i = 0; i < disk->count; i++) {
        in_plane(axis, centre, bodies->position[disk->first + i], bent[i]);
        radius[i] = hypot(bent[i][0], bent[i][1]);
        height[i] = fabs(bent[i][2]);
    }
    out->disk_radius = median(radius, disk->count);
    out->disk_height = median(height, disk->count);
    for (size_t i = 0; i < disk->count; i++) {
        const double x = bent[i][0], y = bent[i][1], r2 = x * x + y * y;
        const size_t ring = (size_t)(RINGS * sqrt(r2) / out->disk_radius);
        if (ring >= RINGS || !(r2 > 0))
            continue;
        part[ring][0] += (x * x - y * y) / r2;
        part[ring][1] += 2 * x * y / r2;
        part[ring][2]++;
    }
    out->bar = 0;
    for (int k = 1; k < RINGS; k++)
        if (part[k][2] > 0)
            out->bar = fmax(out->bar, hypot(part[k][0], part[k][1]) / part[k][2]);
    free(radius);
    free(height);
    free(bent);
}

static double half_radius(const struct bodies *bodies, const struct component *bulge,
                          const double centre[3])
{
    double *radius = malloc(bulge->count * sizeof *radius);
    for (size_t i = 0; i < bulge->count; i++) {
        const double *x = bodies->position[bulge->first + i];
        radius[i] = hypot(hypot(x[0] - centre[0], x[1] - centre[1]), x[2] - centre[2]);
    }
    const double half = median(radius, bulge->count);
    free(radius);
    return half;
}

static double apart(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

enum status shape_measure(struct simulation *simulation, struct shape *out)
{
    const struct bodies *bodies;
    struct diagnostics d;
    double all[3], centre[3];
    enum status status = simulation_diagnose(simulation, &d);
    if (status == STATUS_OK)
        status = simulation_bodies(simulation, &bodies);
    if (status)
        return status;
    *out = (struct shape){.virial = 2 * d.kinetic / fabs(d.potential), .energy = d.energy};
    centre_of(bodies, 0, bodies->count, all);
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        centre_of(bodies, component->first, component->count, centre);
        if (strcmp(component->name, "disk") == 0)
            look_at_disk(bodies, component, centre, out);
        if (strcmp(component->name, "bulge") == 0)
            out->bulge_radius = half_radius(bodies, component, centre);
        if (strcmp(component->name, "halo") != 0)
            out->drift = fmax(out->drift, apart(centre, all));
    }
    return STATUS_OK;
}

double shape_rotation(const struct bodies_params *params)
{
    struct galaxy *galaxy;
    if (galaxy_open(&galaxy, &params->galaxies[0], params->softening))
        return NAN;
    const struct disk *disk = galaxy_disk(galaxy, GALAXY_DISK);
    const double radius = 2 * disk->sheet.scale;
    const double turn = sqrt(orbits_at(&disk->orbits, disk->orbits.pull, radius) / radius);
    galaxy_close(&galaxy);
    return 2 * M_PI / turn;
}
