/* A galaxy's components and what they weigh. Pure; thread-safe. */
#ifndef SIM_GALAXY_PARTS_H
#define SIM_GALAXY_PARTS_H

#include "sim/galaxy/sheet.h"
#include "sim/galaxy/shells.h"
#include "sim/galaxy/spheroid.h"

enum part { PART_DISK, PART_GAS, PART_BULGE, PART_HALO, PARTS };

/* "disk", "gas", "bulge", "halo" */
const char *part_name(enum part part);

double part_mass(const struct galaxy_params *galaxy, enum part part);
double part_softening(const struct galaxy_params *galaxy, enum part part); /* as given, or 0 */
double part_share(const struct galaxy_params *galaxy, enum part part);

struct parts {
    struct sheet sheet[2];   /* disk, gas */
    struct sphere sphere[2]; /* bulge, halo */
};

struct parts parts_of(const struct galaxy_params *galaxy);
double parts_mass(const struct parts *parts);

/* Shells, without mass, from far within the smallest part to where all end. */
void parts_span(const struct parts *parts, struct shells *shells);

/* Adds a part's mass to them, averaged over spheres. */
void parts_spread(const struct parts *parts, enum part part, struct shells *shells);

#endif
