#include "cmd/film/script/crowd.h"

#include "base/memory.h"
#include "cmd/film/start/panels.h"
#include "render/sprites/modes.h"
#include "sim/bodies/bodies.h"
#include "sim/pilot/galaxy_core.h"

#include <stdlib.h>
#include <string.h>

static double *share_light(const struct bodies *bodies, const struct bodies *film,
                           const struct look_params *look)
{
    double *shared = memory_new(bodies->count, sizeof *shared);
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const double light = film_light(component, look);
        const double copies =
            (double)component_whole(&film->components[c]) / (double)component->count;
        for (size_t i = component->first; i < component->first + component->count; i++)
            shared[i] = light * (look->weight->by_mass ? bodies->mass[i] : copies);
    }
    return shared;
}

/* Collects the drawn bodies of a galaxy; NULL: of all. */
static void collect(struct group *out, const struct bodies *bodies, const char *galaxy)
{
    out->body = memory_new(bodies->count, sizeof *out->body);
    out->count = 0;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        if (!component->draw || (galaxy && strcmp(component->galaxy, galaxy) != 0))
            continue;
        for (size_t i = component->first; i < component->first + component->count; i++)
            out->body[out->count++] = i;
    }
}

void crowd_open(struct crowd *out, const struct bodies *bodies, const struct bodies *film,
                const struct look_params *look)
{
    *out = (struct crowd){.count = bodies->count,
                          .parts = bodies->component_count,
                          .position = (const double(*)[3])bodies->position,
                          .light = share_light(bodies, film, look)};
    collect(&out->all, bodies, NULL);
}

enum status crowd_find_galaxies(struct crowd *crowd, const struct bodies *bodies)
{
    size_t *first = memory_new(bodies->component_count, sizeof *first);
    const size_t galaxies = galaxies_find(bodies, first);
    enum status status = STATUS_OK;
    crowd->core = memory_new(galaxies, sizeof *crowd->core);
    crowd->centre = memory_new(galaxies, sizeof *crowd->centre);
    crowd->radius = memory_new(galaxies, sizeof *crowd->radius);
    crowd->galaxy = memory_new(galaxies, sizeof *crowd->galaxy);
    for (size_t g = 0; g < galaxies && status == STATUS_OK; g++) {
        const size_t own = crowd->galaxies;
        collect(&crowd->galaxy[own], bodies, bodies->components[first[g]].galaxy);
        if (crowd->galaxy[own].count == 0) {
            free(crowd->galaxy[own].body);
            continue;
        }
        crowd->galaxies++;
        status = galaxy_core_open(&crowd->core[own], bodies, first[g]);
        if (status == STATUS_OK)
            crowd->radius[own] = galaxy_core_radius(crowd->core[own]);
    }
    free(first);
    return status;
}

void crowd_move(struct crowd *crowd, const struct bodies *bodies)
{
    crowd->position = (const double(*)[3])bodies->position;
    for (size_t g = 0; g < crowd->galaxies; g++)
        galaxy_core_find(crowd->core[g], bodies, crowd->centre[g]);
}

void crowd_close(struct crowd *crowd)
{
    for (size_t g = 0; g < crowd->galaxies; g++) {
        galaxy_core_close(&crowd->core[g]);
        free(crowd->galaxy[g].body);
    }
    free(crowd->core);
    free(crowd->centre);
    free(crowd->radius);
    free(crowd->galaxy);
    free(crowd->all.body);
    free(crowd->light);
    *crowd = (struct crowd){0};
}
