#include "base/memory.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/share.h"
#include "sim/models/disk.h"
#include "sim/models/sphere.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GALAXIES = 2, CENTRED_FROM = 16 };
enum part { DISK, BULGE, HALO, PARTS };

static const struct {
    const char *name;
    double share; /* of a galaxy's bodies */
    bool draw;
} parts[PARTS] = {{"disk", 0.55, true}, {"bulge", 0.10, true}, {"halo", 0.35, false}};

struct plan {
    size_t galaxies; /* that get a body */
    size_t count[GALAXIES][PARTS];
    double mass[GALAXIES][PARTS]; /* of all bodies of the part */
    double total[GALAXIES];       /* by the parameters */
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
    size_t of_galaxy[GALAXIES];
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

/* Tilts the spin by the inclination about the x axis, then by the node about the z axis. */
static void tilt(const struct galaxy_params *galaxy, double x[3])
{
    const double i = galaxy->inclination * M_PI / 180, n = galaxy->node * M_PI / 180;
    double y = x[1] * cos(i) - x[2] * sin(i), z = x[1] * sin(i) + x[2] * cos(i);
    double a = x[0] * cos(n) - y * sin(n), b = x[0] * sin(n) + y * cos(n);
    x[0] = a;
    x[1] = b;
    x[2] = z;
}

/* The second galaxy seen from the first: on the x axis, approaching, angular momentum along +z. */
static enum status kepler(const struct bodies_params *params, double mass, double x[3], double v[3])
{
    const double r = params->separation, q = params->pericentre, e = params->eccentricity;
    if (!(isfinite(r) && r > 0 && isfinite(q) && q >= 0 && isfinite(e) && e >= 0))
        return status_fail(STATUS_USAGE,
                           "separation %g, pericentre %g, eccentricity %g make no orbit; give a "
                           "separation above 0, the others not below 0",
                           r, q, e);
    if (q > r || (e < 1 && r * (1 - e) > q * (1 + e) * (1 + 1e-12)))
        return status_fail(STATUS_USAGE,
                           "an orbit of pericentre %g and eccentricity %g has no separation of %g; "
                           "give one from %g to %g",
                           q, e, r, q, e < 1 ? q * (1 + e) / (1 - e) : INFINITY);
    double speed2 = q > 0 ? mass * (2 / r - (1 - e) / q) : 2 * mass / r;
    double across = sqrt(mass * q * (1 + e)) / r;
    x[0] = r;
    v[0] = -sqrt(fmax(speed2 - across * across, 0));
    v[1] = across;
    x[1] = x[2] = v[2] = 0;
    return STATUS_OK;
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
                        const struct plan *plan, struct profile *profile, size_t *c, size_t *first)
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
        tilt(galaxy, bodies->position[i]);
        tilt(galaxy, bodies->velocity[i]);
    }
}

static void fill(struct bodies *bodies, const struct bodies_params *params, const struct plan *plan,
                 struct profile *profile)
{
    for (size_t g = 0, c = 0, first = 0; g < params->galaxy_count; g++)
        fill_galaxy(bodies, params, g, plan, profile, &c, &first);
}

static void place(struct bodies *bodies, size_t first, size_t count, double part, const double x[3],
                  const double v[3])
{
    for (size_t i = first; i < first + count; i++) {
        for (int k = 0; k < 3; k++) {
            bodies->position[i][k] += part * x[k];
            bodies->velocity[i][k] += part * v[k];
        }
    }
}

static enum status make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (params->count == 0)
        return status_fail(STATUS_USAGE,
                           "bodies.count is 0, and the model 'galaxies' needs a number; give -n");
    if (params->galaxy_count < 1 || params->galaxy_count > GALAXIES)
        return status_fail(
            STATUS_USAGE,
            "bodies.galaxies lists %u galaxies; the model 'galaxies' makes one or two",
            (unsigned)params->galaxy_count);
    for (size_t g = 0; g < params->galaxy_count; g++) {
        enum status status = check_galaxy(&params->galaxies[g]);
        if (status)
            return status;
    }
    struct plan plan;
    make_plan(params, &plan);
    double x[3] = {0}, v[3] = {0}, total = plan.total[0] + plan.total[1];
    enum status status = params->galaxy_count == 2 ? kepler(params, total, x, v) : STATUS_OK;
    if (status)
        return status;

    size_t components = 0, in_first = 0;
    for (size_t k = 0; k < GALAXIES * PARTS; k++)
        components += plan.count[k / PARTS][k % PARTS] > 0;
    for (size_t k = 0; k < PARTS; k++)
        in_first += plan.count[0][k];
    struct profile *profile = memory_new(1, sizeof *profile);
    struct bodies *bodies;
    status = bodies_create(&bodies, params->count, components);
    if (status == STATUS_OK) {
        fill(bodies, params, &plan, profile);
        if (plan.galaxies == 2) {
            place(bodies, 0, in_first, -plan.total[1] / total, x, v);
            place(bodies, in_first, bodies->count - in_first, plan.total[0] / total, x, v);
        }
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
