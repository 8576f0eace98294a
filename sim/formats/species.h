/* Formats with particle types: the type of each component, and the order of writing. Pure;
 * thread-safe. */
#pragma once

#include "sim/formats/snapshot.h"

/* GADGET's types, in its order. */
enum species {
    SPECIES_GAS,
    SPECIES_HALO,
    SPECIES_DISK,
    SPECIES_BULGE,
    SPECIES_STARS,
    SPECIES_BOUNDARY,
    SPECIES_COUNT
};

extern const char *const species_names[SPECIES_COUNT + 1]; /* "gas", "halo", ..., ended by NULL */

/* The species that a component's name means; halo for any other name. */
enum species species_of(const struct component *component);

/* Replaces the components by ones with count[0 .. SPECIES_COUNT - 1] bodies, in order. A halo is
 * not drawn if anything else is. STATUS_OK. */
void species_make_components(struct bodies *bodies, const size_t count[SPECIES_COUNT]);

/* Hides haloes if anything else is drawn. */
void species_hide_haloes(struct bodies *bodies);

/* Counts the bodies of each species. */
void species_count(const struct bodies *bodies, size_t count[SPECIES_COUNT]);

/* Visits the bodies of one species, component by component: for (i = species_first(bodies, s, &c);
 * i < bodies->count; i = species_next(bodies, s, &c, i)). */
size_t species_first(const struct bodies *bodies, enum species species, size_t *component);
size_t species_next(const struct bodies *bodies, enum species species, size_t *component, size_t i);
