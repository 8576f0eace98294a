/* A galaxy's mass and potential, averaged over spheres around its centre, for placing and moving
 * whole galaxies. */
#pragma once

#include "sim/galaxy/disk_potential.h"
#include "sim/galaxy/spheroid.h"
#include "sim/params.h"

/* A galaxy's components and their masses. Pure; thread-safe. */

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

/* Makes shells, without mass, from far inside the smallest part to beyond the ends of all. */
void parts_span(const struct parts *parts, struct shells *shells);

/* Adds a part's mass, averaged over spheres. */
void parts_spread(const struct parts *parts, enum galaxy_part part, struct shells *shells);

struct galaxy_field {
    double total; /* mass */
    struct shells shells;
    double pull[SHELLS], depth[SHELLS];
};

/* For parameters that galaxy_check() (galaxy.h) accepts, in their units of length and mass with G =
 * 1. `softening`: Plummer's, between the attracted point and a body of the galaxy; 0: none. Takes a
 * few milliseconds. Thread-safe. */
void galaxy_field_make(const struct galaxy_params *galaxy, double softening,
                       struct galaxy_field *out);

/* Phi(r) < 0, per unit of mass; -total / r far outside. */
double galaxy_field_potential(const struct galaxy_field *field, double r);
