#include "sim/bodies/edit.h"
#include "sim/bodies/share.h"
#include "sim/galaxy/galaxy.h"
#include "sim/galaxy/populations.h"
#include "sim/orbit/orientation.h"
#include "sim/orbit/starts.h"

#include <stdio.h>
#include <string.h>

enum { CENTRED_FROM = 16 };

enum { BIRTH_RADIUS, AGE }; /* columns of the bodies, see sim/galaxy/populations.h */

/* The mass of a halo's bodies relative to those of disk, gas and bulge: heavier ones would heat the
 * disk, equal ones would leave it few bodies. */
static const double HEAVIER = 2.5;

struct plan {
    size_t galaxies; /* number of galaxies with bodies */
    size_t count[GALAXIES_MOST][GALAXY_PARTS];
    double mass[GALAXIES_MOST][GALAXY_PARTS]; /* of all bodies of the part */
    double total[GALAXIES_MOST];              /* according to the parameters */
    bool few; /* some galaxy or part has too few bodies to be centred separately */
};

static enum status check(const struct galaxy_params *galaxy)
{
    if (strlen(galaxy->name) >= BODIES_NAME_MAX)
        return status_fail(STATUS_USAGE, "the galaxy name '%s' is longer than %d bytes; shorten it",
                           galaxy->name, BODIES_NAME_MAX - 1);
    return galaxy_check(galaxy);
}

/* The weights by which a galaxy's bodies are divided: the given shares, or the masses. */
static double weigh(const struct galaxy_params *galaxy, double weight[GALAXY_PARTS])
{
    double total = 0, given = 0;
    for (enum galaxy_part k = 0; k < GALAXY_PARTS; k++)
        if (galaxy_part_mass(galaxy, k) > 0)
            given += galaxy_part_share(galaxy, k);
    for (enum galaxy_part k = 0; k < GALAXY_PARTS; k++) {
        const double mass = galaxy_part_mass(galaxy, k);
        weight[k] = mass / (k == GALAXY_HALO ? HEAVIER : 1);
        if (given > 0)
            weight[k] = mass > 0 ? galaxy_part_share(galaxy, k) : 0;
        total += mass / (k == GALAXY_HALO ? HEAVIER : 1);
    }
    return total;
}

/* Divides bodies among galaxies by mass, so that all disk bodies have the same mass and light
 * follows mass. If a part gets no body, its mass goes to the other parts of its galaxy; a galaxy
 * without bodies is left out. */
static void make_plan(const struct bodies_params *params, struct plan *plan)
{
    size_t of_galaxy[GALAXIES_MOST];
    double weight[GALAXIES_MOST][GALAXY_PARTS], galaxies[GALAXIES_MOST];
    *plan = (struct plan){.galaxies = 0};
    for (size_t g = 0; g < params->galaxy_count; g++) {
        galaxies[g] = weigh(&params->galaxies[g], weight[g]);
        for (enum galaxy_part k = 0; k < GALAXY_PARTS; k++)
            plan->total[g] += plan->mass[g][k] = galaxy_part_mass(&params->galaxies[g], k);
    }
    share_out(params->count, params->galaxy_count, galaxies, of_galaxy);
    for (size_t g = 0; g < params->galaxy_count; g++) {
        plan->few |= of_galaxy[g] == 0;
        if (of_galaxy[g] == 0)
            continue;
        double present = 0;
        plan->galaxies++;
        share_out(of_galaxy[g], GALAXY_PARTS, weight[g], plan->count[g]);
        for (size_t k = 0; k < GALAXY_PARTS; k++) {
            plan->few |= plan->mass[g][k] > 0 && plan->count[g][k] < CENTRED_FROM;
            present += plan->count[g][k] ? plan->mass[g][k] : 0;
        }
        for (size_t k = 0; k < GALAXY_PARTS; k++)
            plan->mass[g][k] *= plan->total[g] / present;
    }
}

/* The same galaxy in the units in which it is made; bodies_scale() comes later. */
static struct galaxy_params unscaled(const struct bodies_params *params, size_t g)
{
    struct galaxy_params galaxy = params->galaxies[g];
    galaxy.disk_softening /= params->position_scale;
    galaxy.gas_softening /= params->position_scale;
    galaxy.bulge_softening /= params->position_scale;
    galaxy.halo_softening /= params->position_scale;
    return galaxy;
}

/* Makes galaxy g around the origin, starting with component *c and body *first, which are
 * advanced. */
static void fill_galaxy(struct bodies *bodies, const struct bodies_params *params, size_t g,
                        const struct galaxy *galaxy, const struct plan *plan,
                        const struct start *lies, size_t *c, size_t *first)
{
    const struct galaxy_params *given = &params->galaxies[g];
    const size_t start = *first;
    for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++) {
        const size_t count = plan->count[g][part];
        if (count == 0)
            continue;
        struct component *component = &bodies->components[(*c)++];
        *component = (struct component){.first = *first,
                                        .count = count,
                                        .draw = part != GALAXY_HALO,
                                        .light = 1,
                                        .softening = galaxy_part_softening(given, part)};
        snprintf(component->name, BODIES_NAME_MAX, "%s", galaxy_part_name(part));
        snprintf(component->galaxy, BODIES_NAME_MAX, "%s", given->name);
        for (size_t i = *first; i < *first + count; i++)
            bodies->mass[i] = plan->mass[g][part] / (double)count;
        const struct galaxy_draw draw = {params->seed, (uint32_t)(g * GALAXY_PARTS + (size_t)part),
                                         params->noisy};
        galaxy_fill(galaxy, part, &draw, count, bodies->position + *first,
                    bodies->velocity + *first);
        /* A disk that is off its halo's centre would slosh; a handful of bodies would collapse. */
        if (count >= CENTRED_FROM)
            bodies_centre(bodies, *first, count);
        populations_fill(part, &draw, given->disk_scale, count,
                         (const double(*)[3])bodies->position + *first,
                         bodies->columns.list[BIRTH_RADIUS].value + *first,
                         bodies->columns.list[AGE].value + *first);
        *first += count;
    }
    if (plan->few)
        bodies_centre(bodies, start, *first - start);
    const struct orientation orientation = orientation_of(lies->inclination, lies->node);
    for (size_t i = start; i < *first; i++) {
        orientation_tilt(&orientation, bodies->position[i]);
        orientation_tilt(&orientation, bodies->velocity[i]);
    }
}

static enum status fill(struct bodies *bodies, const struct bodies_params *params,
                        const struct plan *plan, const struct start *start)
{
    enum status status = STATUS_OK;
    struct galaxy *galaxy = NULL; /* of `last`; an equal galaxy reuses its tables */
    struct galaxy_params last;
    for (size_t g = 0, c = 0, first = 0; status == STATUS_OK && g < params->galaxy_count; g++) {
        size_t count = 0;
        for (size_t k = 0; k < GALAXY_PARTS; k++)
            count += plan->count[g][k];
        if (count == 0)
            continue;
        const struct galaxy_params own = unscaled(params, g);
        if (!galaxy || !galaxy_same(&own, &last)) {
            galaxy_close(&galaxy);
            status = galaxy_open(&galaxy, &own, params->softening / params->position_scale);
        }
        last = own;
        if (status == STATUS_OK)
            fill_galaxy(bodies, params, g, galaxy, plan, &start[g], &c, &first);
    }
    galaxy_close(&galaxy);
    return status;
}

static void place(struct bodies *bodies, const struct plan *plan, const struct start *start)
{
    size_t first = 0;
    for (size_t g = 0; g < GALAXIES_MOST; g++) {
        size_t count = 0;
        for (size_t k = 0; k < GALAXY_PARTS; k++)
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

static enum status add_columns(struct bodies *bodies)
{
    struct body_columns *columns = &bodies->columns;
    const enum status status =
        body_columns_add(columns, "birth_radius", "scale lengths", false, bodies->count);
    return status == STATUS_OK ? body_columns_add(columns, "age", "Gyr", false, bodies->count)
                               : status;
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
        enum status status = check(&params->galaxies[g]);
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
    for (size_t k = 0; k < GALAXIES_MOST * GALAXY_PARTS; k++)
        components += plan.count[k / GALAXY_PARTS][k % GALAXY_PARTS] > 0;
    struct bodies *bodies;
    status = bodies_create(&bodies, params->count, components);
    if (status)
        return status;
    status = add_columns(bodies);
    if (status == STATUS_OK)
        status = fill(bodies, params, &plan, start);
    if (status) {
        bodies_destroy(&bodies);
        return status;
    }
    if (plan.galaxies > 1)
        place(bodies, &plan, start);
    if (plan.few)
        bodies_centre(bodies, 0, bodies->count);
    *out = bodies;
    return STATUS_OK;
}

const struct bodies_model model_galaxies = {
    .name = "galaxies",
    .doc = "galaxies of disk, gas, bulge and halo in equilibrium, two of them on an orbit about "
           "each other",
    .makes_galaxies = true,
    .make = make,
};
