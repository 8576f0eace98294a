/* What a galaxy attracts with from outside: its mass and potential, averaged over spheres about its
 * centre. For those who place and move whole galaxies. */
#ifndef SIM_GALAXY_FIELD_H
#define SIM_GALAXY_FIELD_H

#include "sim/galaxy/shells.h"
#include "sim/params.h"

struct galaxy_field {
    double total; /* mass */
    struct shells shells;
    double pull[SHELLS], depth[SHELLS];
};

/* For parameters that galaxy_check() (galaxy.h) accepts; lengths, masses and G = 1 are theirs.
 * `softening`: Plummer's, of the pair of whatever is attracted and a body of the galaxy; 0: none.
 * Takes some milliseconds. Thread-safe. */
void galaxy_field_make(const struct galaxy_params *galaxy, double softening,
                       struct galaxy_field *out);

/* Phi(r) < 0, per unit of mass; -total / r far outside. */
double galaxy_field_potential(const struct galaxy_field *field, double r);

#endif
