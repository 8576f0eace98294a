#include "base/ranks/ranks.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/galaxy/galaxy.h"
#include "sim/orbit/orbit.h"

#include <stdio.h>
#include <string.h>

enum { CENTRED_FROM = 16 };

enum { BIRTH_RADIUS, AGE }; /* columns of the bodies, see sim/galaxy/galaxy.h */

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

/* A part of a galaxy that has been filled. */
struct filled {
    const struct galaxy *galaxy;
    enum galaxy_part part;
    const struct component *component;
};

static void weigh_part(const void *user, const struct bodies *bodies, size_t first, size_t count,
                       double *sums)
{
    const struct filled *filled = user;
    galaxy_weigh(filled->galaxy, filled->part,
                 (size_t)filled->component->before + first - filled->component->first, count,
                 (const double(*)[3])bodies->position + first,
                 (const double(*)[3])bodies->velocity + first, sums);
}

/* Makes a part around the origin: component c, which says which of its bodies are here. */
static enum status fill_part(struct bodies *bodies, const struct bodies_params *params, size_t g,
                             enum galaxy_part part, const struct galaxy *galaxy,
                             const struct plan *plan, size_t c)
{
    const struct galaxy_params *given = &params->galaxies[g];
    const struct component *component = &bodies->components[c];
    const size_t first = component->first, count = component->count, all = plan->count[g][part];
    double(*position)[3] = bodies->position + first, (*velocity)[3] = bodies->velocity + first;
    const struct galaxy_draw draw = {params->seed, (uint32_t)(g * GALAXY_PARTS + (size_t)part),
                                     params->noisy};
    const struct filled filled = {galaxy, part, component};
    double sums[2] = {0};
    enum status status = STATUS_OK;
    for (size_t i = first; i < first + count; i++)
        bodies->mass[i] = plan->mass[g][part] / (double)all;
    galaxy_fill(galaxy, part, &draw, (size_t)component->before, count, position, velocity);
    const bool settles = galaxy_settles(part, &draw, all);
    if (settles)
        status = whole_continue(bodies, c, weigh_part, &filled, sums, 2);
    if (settles && status == STATUS_OK)
        galaxy_settle(sums, count, velocity);
    /* A disk that is off its halo's centre would slosh; a handful of bodies would collapse. */
    if (status == STATUS_OK && all >= CENTRED_FROM)
        status = whole_centre(bodies, c, c + 1);
    populations_fill(part, &draw, given->disk_scale, (size_t)component->before, count,
                     (const double(*)[3])position, bodies->columns.list[BIRTH_RADIUS].value + first,
                     bodies->columns.list[AGE].value + first);
    return status;
}

/* Makes galaxy g around the origin, starting with component *c, which is advanced. */
static enum status fill_galaxy(struct bodies *bodies, const struct bodies_params *params, size_t g,
                               const struct galaxy *galaxy, const struct plan *plan,
                               const struct start *lies, size_t *c)
{
    const size_t from = *c;
    enum status status = STATUS_OK;
    for (enum galaxy_part part = 0; part < GALAXY_PARTS && status == STATUS_OK; part++)
        if (plan->count[g][part] > 0)
            status = fill_part(bodies, params, g, part, galaxy, plan, (*c)++);
    if (status == STATUS_OK && plan->few)
        status = whole_centre(bodies, from, *c);
    const struct orientation orientation = orientation_of(lies->inclination, lies->node);
    for (size_t k = from; k < *c; k++)
        for (size_t i = 0; i < bodies->components[k].count; i++) {
            orientation_tilt(&orientation, bodies->position[bodies->components[k].first + i]);
            orientation_tilt(&orientation, bodies->velocity[bodies->components[k].first + i]);
        }
    return status;
}

static enum status fill(struct bodies *bodies, const struct bodies_params *params,
                        const struct plan *plan, const struct start *start)
{
    enum status status = STATUS_OK;
    for (size_t g = 0, c = 0; status == STATUS_OK && g < params->galaxy_count; g++) {
        size_t count = 0;
        for (size_t k = 0; k < GALAXY_PARTS; k++)
            count += plan->count[g][k];
        if (count == 0)
            continue;
        const struct galaxy_params own = unscaled(params, g);
        struct galaxy *galaxy;
        status = galaxy_open(&galaxy, &own, params->softening / params->position_scale);
        if (status == STATUS_OK)
            status = fill_galaxy(bodies, params, g, galaxy, plan, &start[g], &c);
        galaxy_close(&galaxy);
    }
    return status;
}

static void place(struct bodies *bodies, const struct plan *plan, const struct start *start)
{
    const struct component *component = bodies->components;
    for (size_t g = 0; g < GALAXIES_MOST; g++)
        for (size_t part = 0; part < GALAXY_PARTS; part++) {
            if (plan->count[g][part] == 0)
                continue;
            for (size_t i = component->first; i < component->first + component->count; i++)
                for (int k = 0; k < 3; k++) {
                    bodies->position[i][k] += start[g].position[k];
                    bodies->velocity[i][k] += start[g].velocity[k];
                }
            component++;
        }
}

/* The components of all galaxies, in `out` [GALAXIES_MOST * GALAXY_PARTS], of which *bodies are
 * here; returns their number. */
static size_t list_components(const struct bodies_params *params, const struct plan *plan,
                              struct component *out, size_t *bodies)
{
    size_t n = 0;
    *bodies = 0;
    for (size_t g = 0; g < params->galaxy_count; g++)
        for (enum galaxy_part part = 0; part < GALAXY_PARTS; part++) {
            if (plan->count[g][part] == 0)
                continue;
            struct component *component = &out[n++];
            *component =
                (struct component){.first = *bodies,
                                   .count = plan->count[g][part],
                                   .draw = part != GALAXY_HALO,
                                   .light = 1,
                                   .softening = galaxy_part_softening(&params->galaxies[g], part)};
            snprintf(component->name, BODIES_NAME_MAX, "%s", galaxy_part_name(part));
            snprintf(component->galaxy, BODIES_NAME_MAX, "%s", params->galaxies[g].name);
            if (params->divide)
                whole_divide(component, *bodies, (unsigned)ranks_own(), (unsigned)ranks_count());
            *bodies += component->count;
        }
    return n;
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

    struct component list[GALAXIES_MOST * GALAXY_PARTS];
    size_t count;
    const size_t components = list_components(params, &plan, list, &count);
    struct bodies *bodies;
    status = bodies_create(&bodies, count, components);
    if (status)
        return status;
    memcpy(bodies->components, list, components * sizeof *list);
    bodies->shared = params->divide;
    status = add_columns(bodies);
    if (status == STATUS_OK)
        status = fill(bodies, params, &plan, start);
    if (status == STATUS_OK && plan.galaxies > 1)
        place(bodies, &plan, start);
    if (status == STATUS_OK && plan.few)
        status = whole_centre(bodies, 0, bodies->component_count);
    if (status != STATUS_OK)
        bodies_destroy(&bodies);
    *out = bodies;
    return status;
}

const struct bodies_model model_galaxies = {
    .name = "galaxies",
    .doc = "galaxies of disk, gas, bulge and halo in equilibrium, two of them on an orbit about "
           "each other",
    .makes_galaxies = true,
    .make = make,
};
