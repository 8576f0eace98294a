/* What the velocities of a galaxy need to know of its mass, averaged over spheres, on radii that
 * grow geometrically. */
#ifndef SIM_MODELS_PROFILE_H
#define SIM_MODELS_PROFILE_H

#include "sim/params.h"

/* A sphere after Hernquist (1990), cut off at `edge`; `mass` is what lies inside. */
struct sphere {
    double mass, scale, edge;
};

double sphere_mass(const struct sphere *sphere, double r); /* enclosed */

enum { PROFILE_POINTS = 1024 };

struct profile {
    double disk_mass, disk_scale;
    struct sphere bulge, halo;
    double radius[PROFILE_POINTS];
    double potential[PROFILE_POINTS];
    double bulge_width[PROFILE_POINTS], halo_width[PROFILE_POINTS]; /* of the Maxwellian */
};

void profile_make(const struct galaxy_params *galaxy, struct profile *out);
double profile_value(const struct profile *profile, const double *table, double r);
double profile_limit(const struct profile *profile, double r); /* of speed: 0.95 of escape */

#endif
