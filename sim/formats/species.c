#include "sim/formats/species.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

const char *const species_names[SPECIES_COUNT + 1] = {"gas",   "halo",     "disk", "bulge",
                                                      "stars", "boundary", NULL};

static const struct {
    const char *name;
    enum species species;
} others[] = {
    {"dark", SPECIES_HALO},
    {"dark matter", SPECIES_HALO},
    {"star", SPECIES_STARS},
    {"bndry", SPECIES_BOUNDARY},
    {"disc", SPECIES_DISK},
    {"sph", SPECIES_GAS},
    {"black holes", SPECIES_BOUNDARY},
    {"sinks", SPECIES_BOUNDARY},
};

enum species species_of(const struct component *component)
{
    for (int s = 0; s < SPECIES_COUNT; s++)
        if (strcasecmp(component->name, species_names[s]) == 0)
            return (enum species)s;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (strcasecmp(component->name, others[i].name) == 0)
            return others[i].species;
    return SPECIES_HALO;
}

void species_hide_haloes(struct bodies *bodies)
{
    bool other = false;
    for (size_t c = 0; c < bodies->component_count; c++)
        other |=
            bodies->components[c].count > 0 && species_of(&bodies->components[c]) != SPECIES_HALO;
    for (size_t c = 0; c < bodies->component_count; c++)
        bodies->components[c].draw = !other || species_of(&bodies->components[c]) != SPECIES_HALO;
}

void species_make_components(struct bodies *bodies, const size_t count[SPECIES_COUNT])
{
    size_t first = 0;
    free(bodies->components);
    bodies->component_count = SPECIES_COUNT;
    bodies->components = memory_new(SPECIES_COUNT, sizeof *bodies->components);
    for (int s = 0; s < SPECIES_COUNT; s++) {
        struct component *component = &bodies->components[s];
        *component = (struct component){.first = first, .count = count[s], .light = 1};
        snprintf(component->name, BODIES_NAME_MAX, "%s", species_names[s]);
        first += count[s];
    }
    species_hide_haloes(bodies);
}

void species_count(const struct bodies *bodies, size_t count[SPECIES_COUNT])
{
    for (int s = 0; s < SPECIES_COUNT; s++)
        count[s] = 0;
    for (size_t c = 0; c < bodies->component_count; c++)
        count[species_of(&bodies->components[c])] += bodies->components[c].count;
}

/* The first body of the species in component *c or a later one. */
static size_t seek(const struct bodies *bodies, enum species species, size_t *c)
{
    for (; *c < bodies->component_count; ++*c)
        if (bodies->components[*c].count > 0 && species_of(&bodies->components[*c]) == species)
            return bodies->components[*c].first;
    return bodies->count;
}

size_t species_first(const struct bodies *bodies, enum species species, size_t *component)
{
    *component = 0;
    return seek(bodies, species, component);
}

size_t species_next(const struct bodies *bodies, enum species species, size_t *component, size_t i)
{
    const struct component *now = &bodies->components[*component];
    if (i + 1 < now->first + now->count)
        return i + 1;
    ++*component;
    return seek(bodies, species, component);
}
