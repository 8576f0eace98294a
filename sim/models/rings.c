#include "base/functions/fn.h"
#include "base/random.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/orbit/orbit.h"

#include <math.h>
#include <stdio.h>

/* The restricted problem of A. Toomre and J. Toomre (1972), ApJ 178, 623: galaxies are points with
 * all of the mass, and their disks are rings of massless particles on circular orbits. */

enum { RINGS_MOST = 10000, WORTH_THREADS = 4096 };

static double mass_of(const struct galaxy_params *galaxy)
{
    return galaxy->disk_mass + galaxy->bulge_mass + galaxy->halo_mass;
}

static double radius_of(const struct galaxy_params *galaxy, uint32_t ring)
{
    const double part = galaxy->rings > 1 ? (double)ring / (galaxy->rings - 1) : 0;
    return galaxy->ring_inner + part * (galaxy->ring_outer - galaxy->ring_inner);
}

static enum status check(const struct bodies_params *params)
{
    if (params->galaxy_count < 1 || params->galaxy_count > GALAXIES_MOST)
        return status_fail(STATUS_USAGE,
                           "bodies.galaxies lists %u galaxies; the model 'rings' makes one to %d",
                           (unsigned)params->galaxy_count, GALAXIES_MOST);
    if (params->count < params->galaxy_count)
        return status_fail(STATUS_USAGE,
                           "bodies.count is %llu, but each of the %u galaxies of the model 'rings' "
                           "has a body at its centre; give more with -n",
                           (unsigned long long)params->count, (unsigned)params->galaxy_count);
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        const struct galaxy_params *galaxy = &params->galaxies[g];
        const double mass = mass_of(galaxy);
        if (!(mass > 0) || !isfinite(mass))
            return status_fail(STATUS_USAGE, "galaxy '%s' has a mass of %g; give one above 0",
                               galaxy->name, mass);
        if (galaxy->rings > RINGS_MOST ||
            (galaxy->rings > 0 && !(galaxy->ring_inner > 0 && isfinite(galaxy->ring_outer) &&
                                    galaxy->ring_outer >= galaxy->ring_inner)))
            return status_fail(STATUS_USAGE,
                               "galaxy '%s' has %u rings from %g to %g; give up to %d, the radii "
                               "above 0 and the outer one not below the inner",
                               galaxy->name, (unsigned)galaxy->rings, galaxy->ring_inner,
                               galaxy->ring_outer, RINGS_MOST);
    }
    return STATUS_OK;
}

/* The total length of the rings, among which particles are distributed so that every ring is
 * equally dense. */
static double length_of(const struct galaxy_params *galaxy)
{
    double sum = 0;
    for (uint32_t k = 0; k < galaxy->rings; k++)
        sum += radius_of(galaxy, k);
    return sum;
}

static void name(struct component *component, const char *part, const struct galaxy_params *galaxy)
{
    snprintf(component->name, BODIES_NAME_MAX, "%s", part);
    snprintf(component->galaxy, BODIES_NAME_MAX, "%s", galaxy->name);
}

static void set_particle(struct bodies *bodies, size_t body, double angle, double radius,
                         double mass)
{
    const double speed = sqrt(mass / radius);
    double *x = bodies->position[body], *v = bodies->velocity[body], c, s;
    fn_sincos(angle, &s, &c);
    x[0] = radius * c;
    x[1] = radius * s;
    v[0] = -speed * s;
    v[1] = speed * c;
}

/* Tilts bodies that are around the origin, and puts them where the galaxy starts. */
static void place(struct bodies *bodies, size_t first, size_t count, const struct start *start)
{
    const struct orientation orientation = orientation_of(start->inclination, start->node);
    for (size_t i = first; i < first + count; i++) {
        orientation_tilt(&orientation, bodies->position[i]);
        orientation_tilt(&orientation, bodies->velocity[i]);
        for (int k = 0; k < 3; k++) {
            bodies->position[i][k] += start->position[k];
            bodies->velocity[i][k] += start->velocity[k];
        }
    }
}

/* Particles lie evenly on their ring. Of those of all ranks, `disk` has some. */
static void fill_rings(struct bodies *bodies, const struct component *disk,
                       const struct galaxy_params *galaxy, const struct start *start, uint64_t seed,
                       uint32_t stream)
{
    double weight[RINGS_MOST];
    size_t share[RINGS_MOST], first[RINGS_MOST], all = 0;
    const size_t begin = (size_t)disk->before, end = begin + disk->count;
    for (uint32_t k = 0; k < galaxy->rings; k++)
        weight[k] = radius_of(galaxy, k);
    share_out((size_t)component_whole(disk), galaxy->rings, weight, share);
    for (uint32_t k = 0; k < galaxy->rings; k++) {
        first[k] = all;
        all += share[k];
    }
#pragma omp parallel for schedule(dynamic) if (disk->count >= WORTH_THREADS)
    for (uint32_t k = 0; k < galaxy->rings; k++) {
        struct random random = random_of(seed, 0, stream * RINGS_MOST + k);
        const double phase = random_uniform(&random);
        const size_t from = first[k] > begin ? first[k] : begin,
                     to = first[k] + share[k] < end ? first[k] + share[k] : end;
        for (size_t i = from; i < to; i++)
            set_particle(bodies, disk->first + (i - begin),
                         2 * M_PI * ((double)(i - first[k]) + phase) / (double)share[k], weight[k],
                         mass_of(galaxy));
        if (from < to)
            place(bodies, disk->first + (from - begin), to - from, start);
    }
}

/* Adds a component of `count` bodies or, with params->divide, this rank's share of them. */
static struct component *add(struct bodies *bodies, const struct bodies_params *params,
                             const char *part, const struct galaxy_params *galaxy, size_t count)
{
    struct component *component = &bodies->components[bodies->component_count++];
    *component =
        (struct component){.first = bodies->count, .count = count, .draw = true, .light = 1};
    name(component, part, galaxy);
    if (params->divide)
        whole_divide(component, bodies->count, (unsigned)ranks_own(), (unsigned)ranks_count());
    bodies->count += component->count;
    return component;
}

static void fill(struct bodies *bodies, const struct bodies_params *params, const size_t *share,
                 const struct start *start)
{
    bodies->count = bodies->component_count = 0;
    bodies->shared = params->divide;
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        const struct galaxy_params *galaxy = &params->galaxies[g];
        const struct component *centre = add(bodies, params, "centre", galaxy, 1);
        if (centre->count > 0)
            bodies->mass[centre->first] = mass_of(galaxy);
        place(bodies, centre->first, centre->count, &start[g]);
        if (share[g] > 0)
            fill_rings(bodies, add(bodies, params, "disk", galaxy, share[g]), galaxy, &start[g],
                       params->seed, g);
    }
}

static enum status make(const struct bodies_params *params, struct bodies **out)
{
    double mass[GALAXIES_MOST], weight[GALAXIES_MOST], total = 0;
    size_t share[GALAXIES_MOST] = {0}, components = params->galaxy_count;
    size_t free_bodies = params->count - params->galaxy_count;
    struct start start[GALAXIES_MOST];
    *out = NULL;
    enum status status = check(params);
    for (uint32_t g = 0; g < params->galaxy_count && status == STATUS_OK; g++) {
        mass[g] = mass_of(&params->galaxies[g]);
        total += weight[g] = length_of(&params->galaxies[g]);
    }
    if (status == STATUS_OK && !(total > 0))
        return status_fail(STATUS_USAGE, "no galaxy of the model 'rings' has a ring; set rings");
    if (status == STATUS_OK)
        status = starts_find(params, STARTS_OF_POINTS, mass, start);
    if (status != STATUS_OK)
        return status;
    share_out(free_bodies, params->galaxy_count, weight, share);
    for (uint32_t g = 0; g < params->galaxy_count; g++)
        components += share[g] > 0;
    const size_t parts = params->divide ? (size_t)ranks_count() : 1;
    status = bodies_create(out, params->count / parts + components, components);
    if (status == STATUS_OK)
        fill(*out, params, share, start);
    return status;
}

const struct bodies_model model_rings = {
    .name = "rings",
    .doc = "galaxies that are points with rings of massless particles around them, after Toomre "
           "and Toomre (1972)",
    .makes_galaxies = true,
    .make = make,
};
