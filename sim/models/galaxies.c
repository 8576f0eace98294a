#include "base/memory.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/share.h"
#include "sim/models/disk.h"
#include "sim/models/sphere.h"
#include "sim/orbit/orientation.h"
#include "sim/orbit/starts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CENTRED_FROM = 16 };
enum part { DISK, BULGE, HALO, PARTS };

static const struct {
    const char *name;
    double share; /* of a galaxy's bodies */
    bool draw;
} parts[PARTS] = {{"disk", 0.55, true}, {"bulge", 0.10, true}, {"halo", 0.35, false}};

struct plan {
    size_t galaxies; /* that get a body */
    size_t count[GALAXIES_MOST][PARTS];
    double mass[GALAXIES_MOST][PARTS]; /* of all bodies of the part */
    double total[GALAXIES_MOST];       /* by the parameters */
};

static enum status check_galaxy(const struct galaxy_params *galaxy)
{
    const struct {
        const char *key;
        double value;
        bool positive, used;
    } checks[] = {
        {"disk_mass", galaxy->disk_mass, false, true},
        {"bulge_mass", galaxy->bulge_mass, false, true},
        {"halo_mass", galaxy->halo_mass, false, true},
        {"disk_scale", galaxy->disk_scale, true, galaxy->disk_mass > 0},
        {"disk_height", galaxy->disk_height, false, galaxy->disk_mass > 0},
        {"toomre_q", galaxy->toomre_q, false, galaxy->disk_mass > 0},
        {"bulge_scale", galaxy->bulge_scale, true, galaxy->bulge_mass > 0},
        {"halo_scale", galaxy->halo_scale, true, galaxy->halo_mass > 0},
    };
    for (size_t i = 0; i < sizeof checks / sizeof *checks; i++) {
        double value = checks[i].value;
        bool good = isfinite(value) && value >= 0 && (value > 0 || !checks[i].positive);
        if (checks[i].used && !good)
            return status_fail(STATUS_USAGE, "galaxy '%s': %s is %g; give a finite number %s 0",
                               galaxy->name, checks[i].key, value,
                               checks[i].positive ? "above" : "not below");
    }
    if (!isfinite(galaxy->inclination) || !isfinite(galaxy->node))
        return status_fail(STATUS_USAGE,
                           "galaxy '%s': inclination and node must be finite numbers of degrees",
                           galaxy->name);
    double mass = galaxy->disk_mass + galaxy->bulge_mass + galaxy->halo_mass;
    if (!(mass > 0) || !isfinite(mass))
        return status_fail(STATUS_USAGE,
                           "galaxy '%s' has a mass of %g; give a disk_mass, bulge_mass or "
                           "halo_mass above 0",
                           galaxy->name, mass);
    if (strlen(galaxy->name) >= BODIES_NAME_MAX)
        return status_fail(STATUS_USAGE, "the galaxy name '%s' is longer than %d bytes; shorten it",
                           galaxy->name, BODIES_NAME_MAX - 1);
    return STATUS_OK;
}

static void part_masses(const struct galaxy_params *galaxy, double mass[PARTS])
{
    mass[DISK] = galaxy->disk_mass;
    mass[BULGE] = galaxy->bulge_mass;
    mass[HALO] = galaxy->halo_mass;
}

static double part_softening(const struct galaxy_params *galaxy, enum part part)
{
    return part == DISK    ? galaxy->disk_softening
           : part == BULGE ? galaxy->bulge_softening
                           : galaxy->halo_softening;
}

/* Bodies go to the galaxies by mass, so that disk bodies of like galaxies weigh the same and light
 * follows mass; within a galaxy by the shares above. The mass of a part that is left without a body
 * goes to the others of its galaxy; a galaxy without a body is left out. */
static void make_plan(const struct bodies_params *params, struct plan *plan)
{
    size_t of_galaxy[GALAXIES_MOST];
    *plan = (struct plan){.galaxies = 0};
    for (size_t g = 0; g < params->galaxy_count; g++) {
        part_masses(&params->galaxies[g], plan->mass[g]);
        plan->total[g] = plan->mass[g][DISK] + plan->mass[g][BULGE] + plan->mass[g][HALO];
    }
    share_out(params->count, params->galaxy_count, plan->total, of_galaxy);
    for (size_t g = 0; g < params->galaxy_count; g++) {
        if (of_galaxy[g] == 0)
            continue;
        plan->galaxies++;
        double weight[PARTS], present = 0;
        for (size_t k = 0; k < PARTS; k++)
            weight[k] = plan->mass[g][k] > 0 ? parts[k].share : 0;
        share_out(of_galaxy[g], PARTS, weight, plan->count[g]);
        for (size_t k = 0; k < PARTS; k++)
            present += plan->count[g][k] ? plan->mass[g][k] : 0;
        for (size_t k = 0; k < PARTS; k++)
            plan->mass[g][k] *= plan->total[g] / present;
    }
}

static void fill_part(struct bodies *bodies, const struct component *component, enum part part,
                      const struct galaxy_params *galaxy, const struct profile *profile,
                      struct random *random)
{
    size_t first = component->first, count = component->count;
    if (part == DISK)
        disk_fill(bodies, first, count, galaxy, profile, random);
    else if (part == BULGE)
        sphere_fill(bodies, first, count, profile, &profile->bulge, profile->bulge_width, random);
    else
        sphere_fill(bodies, first, count, profile, &profile->halo, profile->halo_width, random);
    /* A disk beside the centre of its halo would slosh; a handful of bodies would fall together. */
    if (count >= CENTRED_FROM)
        bodies_centre(bodies, first, count);
}

/* Galaxy g around the origin, from component *c and body *first on, which are moved past it. */
static void fill_galaxy(struct bodies *bodies, const struct bodies_params *params, size_t g,
                        const struct plan *plan, const struct start *lies, struct profile *profile,
                        size_t *c, size_t *first)
{
    const struct galaxy_params *galaxy = &params->galaxies[g];
    const size_t start = *first;
    profile_make(galaxy, profile);
    for (enum part part = DISK; part < PARTS; part++) {
        size_t count = plan->count[g][part];
        if (count == 0)
            continue;
        struct component *component = &bodies->components[(*c)++];
        *component = (struct component){.first = *first,
                                        .count = count,
                                        .draw = parts[part].draw,
                                        .light = 1,
                                        .softening = part_softening(galaxy, part)};
        snprintf(component->name, BODIES_NAME_MAX, "%s", parts[part].name);
        snprintf(component->galaxy, BODIES_NAME_MAX, "%s", galaxy->name);
        *first += count;
        for (size_t i = component->first; i < *first; i++)
            bodies->mass[i] = plan->mass[g][part] / (double)count;
        struct random random;
        random_seed(&random, params->seed, g * PARTS + part);
        fill_part(bodies, component, part, galaxy, profile, &random);
    }
    bodies_centre(bodies, start, *first - start);
    for (size_t i = start; i < *first; i++) {
        orientation_tilt(lies->inclination, lies->node, bodies->position[i]);
        orientation_tilt(lies->inclination, lies->node, bodies->velocity[i]);
    }
}

static void fill(struct bodies *bodies, const struct bodies_params *params, const struct plan *plan,
                 const struct start *start, struct profile *profile)
{
    for (size_t g = 0, c = 0, first = 0; g < params->galaxy_count; g++)
        fill_galaxy(bodies, params, g, plan, &start[g], profile, &c, &first);
}

static void place(struct bodies *bodies, const struct plan *plan, const struct start *start)
{
    size_t first = 0;
    for (size_t g = 0; g < GALAXIES_MOST; g++) {
        size_t count = 0;
        for (size_t k = 0; k < PARTS; k++)
            count += plan->count[g][k];
        for (size_t i = first; i < first + count; i++) {
            for (int k = 0; k < 3; k++) {
                bodies->position[i][k] += start[g].position[k];
                bodies->velocity[i][k] += start[g].velocity[k];
            }
        }
        first += count;
    }
}

static enum status make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (params->count == 0)
        return status_fail(STATUS_USAGE,
                           "bodies.count is 0, and the model 'galaxies' needs a number; give -n");
    if (params->galaxy_count < 1 || params->galaxy_count > GALAXIES_MOST)
        return status_fail(
            STATUS_USAGE, "bodies.galaxies lists %u galaxies; the model 'galaxies' makes one to %d",
            (unsigned)params->galaxy_count, GALAXIES_MOST);
    for (size_t g = 0; g < params->galaxy_count; g++) {
        enum status status = check_galaxy(&params->galaxies[g]);
        if (status)
            return status;
    }
    struct plan plan;
    make_plan(params, &plan);
    struct start start[GALAXIES_MOST];
    enum status status = starts_find(params, STARTS_OF_GALAXIES, plan.total, start);
    if (status)
        return status;

    size_t components = 0;
    for (size_t k = 0; k < GALAXIES_MOST * PARTS; k++)
        components += plan.count[k / PARTS][k % PARTS] > 0;
    struct profile *profile = memory_new(1, sizeof *profile);
    struct bodies *bodies;
    status = bodies_create(&bodies, params->count, components);
    if (status == STATUS_OK) {
        fill(bodies, params, &plan, start, profile);
        if (plan.galaxies > 1)
            place(bodies, &plan, start);
        bodies_centre(bodies, 0, bodies->count);
        *out = bodies;
    }
    free(profile);
    return status;
}

const struct bodies_model model_galaxies = {
    .name = "galaxies",
    .doc = "one or two galaxies of disk, bulge and halo, on an orbit about each other",
    .makes_galaxies = true,
    .make = make,
};
