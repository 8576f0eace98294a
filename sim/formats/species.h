/* Formats with particle types: which component is which, and the order in which they are written.
 * Pure; thread-safe. */
#ifndef SIM_FORMATS_SPECIES_H
#define SIM_FORMATS_SPECIES_H

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

extern const char *const species_names[SPECIES_COUNT + 1]; /* "gas", "halo", ...; NULL ends */

/* The species that a component's name means; what has another name is a halo. */
enum species species_of(const struct component *component);

/* Components of count[0 .. SPECIES_COUNT - 1] bodies each, in their order, in place of what the
 * bodies had. A halo is not drawn where there is something else to see. STATUS_OK. */
void species_make_components(struct bodies *bodies, const size_t count[SPECIES_COUNT]);

/* Hides haloes where something else is drawn. */
void species_hide_haloes(struct bodies *bodies);

/* How many bodies each has. */
void species_count(const struct bodies *bodies, size_t count[SPECIES_COUNT]);

/* Walks through the bodies of one species, component by component:
 * for (i = species_first(bodies, s, &c); i < bodies->count; i = species_next(bodies, s, &c, i)). */
size_t species_first(const struct bodies *bodies, enum species species, size_t *component);
size_t species_next(const struct bodies *bodies, enum species species, size_t *component, size_t i);

#endif
