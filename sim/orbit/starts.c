#include "sim/orbit/starts.h"

#include "base/memory.h"
#include "sim/orbit/orientation.h"
#include "sim/orbit/passage.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static bool is_placed(const struct galaxy_params *galaxy)
{
    static const double nowhere[3];
    for (int k = 0; k < 3; k++)
        if (galaxy->position[k] != nowhere[k] || galaxy->velocity[k] != nowhere[k])
            return true;
    return false;
}

static bool are_placed(const struct bodies_params *params)
{
    bool placed = params->galaxy_count > 2;
    for (uint32_t g = 0; g < params->galaxy_count; g++)
        placed = placed || is_placed(&params->galaxies[g]);
    return placed;
}

static enum status check_places(const struct bodies_params *params)
{
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        const struct galaxy_params *galaxy = &params->galaxies[g];
        for (int k = 0; k < 3; k++)
            if (!isfinite(galaxy->position[k]) || !isfinite(galaxy->velocity[k]))
                return status_fail(STATUS_USAGE,
                                   "galaxy '%s': position and velocity must be finite numbers",
                                   galaxy->name);
        for (uint32_t other = 0; other < g; other++)
            if (memcmp(galaxy->position, params->galaxies[other].position,
                       sizeof galaxy->position) == 0)
                return status_fail(STATUS_USAGE,
                                   "the galaxies '%s' and '%s' begin in one place; give each of "
                                   "them its position",
                                   params->galaxies[other].name, galaxy->name);
    }
    return STATUS_OK;
}

static enum status place(const struct bodies_params *params, const double *mass,
                         struct start *start)
{
    double total = 0, x[3] = {0}, v[3] = {0};
    enum status status = check_places(params);
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        total += mass[g];
        for (int k = 0; k < 3; k++) {
            x[k] += mass[g] * params->galaxies[g].position[k];
            v[k] += mass[g] * params->galaxies[g].velocity[k];
        }
    }
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        for (int k = 0; k < 3; k++) {
            start[g].position[k] = params->galaxies[g].position[k] - x[k] / total;
            start[g].velocity[k] = params->galaxies[g].velocity[k] - v[k] / total;
        }
    }
    return status;
}

/* From the time and distance of the first pericentre. */
static enum status timed_orbit(const struct bodies_params *params, enum starts_of of, double total,
                               struct orbit *orbit)
{
    struct passage_potential *potential = memory_new(1, sizeof *potential);
    const double far = params->separation;
    if (of == STARTS_OF_POINTS) {
        passage_potential_points(total, fmin(params->pericentre, far) / 10 + far / 1e6, far,
                                 potential);
    } else {
        struct galaxy_field *fields = memory_new(2, sizeof *fields);
        for (int g = 0; g < 2; g++)
            galaxy_field_make(&params->galaxies[g], 0, &fields[g]);
        passage_potential_make(&fields[0], &fields[1], far, potential);
        free(fields);
    }
    enum status status = passage_orbit(potential, params->separation, params->pericentre,
                                       params->pericentre_time, orbit);
    free(potential);
    return status;
}

/* An orbit of extended galaxies, and what it was found for; names are NULL. */
struct found_orbit {
    struct galaxy_params galaxies[2];
    double separation, pericentre, time;
    struct orbit orbit;
};

/* As timed_orbit. A film makes its galaxies several times, and the table of their potential takes
 * longer than a small number of bodies: the last orbit is kept. */
static enum status kept_orbit(const struct bodies_params *params, double total, struct orbit *orbit)
{
    static struct found_orbit last;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* also while an orbit is found */
    struct found_orbit wanted;
    memset(&wanted, 0, sizeof wanted);
    memcpy(wanted.galaxies, params->galaxies, sizeof wanted.galaxies);
    wanted.galaxies[0].name = wanted.galaxies[1].name = NULL;
    wanted.separation = params->separation;
    wanted.pericentre = params->pericentre;
    wanted.time = params->pericentre_time;
    enum status status = STATUS_OK;
    pthread_mutex_lock(&lock);
    if (memcmp(&wanted, &last, offsetof(struct found_orbit, orbit)) != 0) {
        status = timed_orbit(params, STARTS_OF_GALAXIES, total, &wanted.orbit);
        if (status == STATUS_OK)
            memcpy(&last, &wanted, sizeof last);
    }
    *orbit = last.orbit;
    pthread_mutex_unlock(&lock);
    return status;
}

static enum status find_orbit(const struct bodies_params *params, enum starts_of of, double total,
                              struct orbit *orbit)
{
    const double r = params->separation, q = params->pericentre;
    if (params->pericentre_time > 0)
        return of == STARTS_OF_GALAXIES ? kept_orbit(params, total, orbit)
                                        : timed_orbit(params, of, total, orbit);
    if (params->orbit_energy != 0)
        return kepler_orbit_of_energy(total, r, q, params->orbit_energy, orbit);
    return kepler_orbit(total, r, q, params->eccentricity, orbit);
}

static enum status follow_orbit(const struct bodies_params *params, enum starts_of of,
                                const double *mass, struct start *start)
{
    struct orbit orbit;
    const double total = mass[0] + mass[1];
    enum status status = find_orbit(params, of, total, &orbit);
    for (int g = 0; g < 2 && status == STATUS_OK; g++) {
        const double part = g == 0 ? -mass[1] / total : mass[0] / total;
        for (int k = 0; k < 3; k++) {
            start[g].position[k] = part * orbit.position[k];
            start[g].velocity[k] = part * orbit.velocity[k];
        }
        if (params->galaxies[g].argument != ARGUMENT_NONE)
            start[g].node = orientation_node(params->galaxies[g].argument,
                                             orbit.pericentre * 180 / M_PI + (g == 0 ? 0 : 180));
    }
    return status;
}

enum status starts_find(const struct bodies_params *params, enum starts_of of, const double *mass,
                        struct start start[GALAXIES_MOST])
{
    memset(start, 0, GALAXIES_MOST * sizeof *start);
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        const struct galaxy_params *galaxy = &params->galaxies[g];
        start[g].inclination = galaxy->inclination;
        start[g].node = galaxy->node;
        if (galaxy->argument != ARGUMENT_NONE && are_placed(params))
            return status_fail(STATUS_USAGE,
                               "galaxy '%s' has an argument of pericentre, but only two galaxies "
                               "on an orbit have a pericentre; give its node instead",
                               galaxy->name);
    }
    if (are_placed(params))
        return place(params, mass, start);
    return params->galaxy_count == 2 ? follow_orbit(params, of, mass, start) : STATUS_OK;
}
