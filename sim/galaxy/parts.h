/* A galaxy's components and their masses. Pure; thread-safe. */
#pragma once

#include "sim/galaxy/sheet.h"
#include "sim/galaxy/shells.h"
#include "sim/galaxy/spheroid.h"

enum galaxy_part { GALAXY_DISK, GALAXY_GAS, GALAXY_BULGE, GALAXY_HALO, GALAXY_PARTS };

/* "disk", "gas", "bulge", "halo" */
const char *galaxy_part_name(enum galaxy_part part);

double galaxy_part_mass(const struct galaxy_params *galaxy, enum galaxy_part part);
double galaxy_part_softening(const struct galaxy_params *galaxy,
                             enum galaxy_part part); /* as given, or 0 */
double galaxy_part_share(const struct galaxy_params *galaxy, enum galaxy_part part);

struct parts {
    struct sheet sheet[2];   /* disk, gas */
    struct sphere sphere[2]; /* bulge, halo */
};

struct parts parts_of(const struct galaxy_params *galaxy);
double parts_mass(const struct parts *parts);

/* Makes shells, without mass, from far inside the smallest part to beyond the ends of all. */
void parts_span(const struct parts *parts, struct shells *shells);

/* Adds a part's mass, averaged over spheres. */
void parts_spread(const struct parts *parts, enum galaxy_part part, struct shells *shells);
