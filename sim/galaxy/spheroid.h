/* Densities of bulges and haloes: a profile times sech(r / edge), so that it ends smoothly
 * (McMillan and Dehnen, 2007, MNRAS 378, 541) with the required finite mass. Pure. */
#pragma once

#include "sim/params.h"

/* An entry of bulge_profile_registry or halo_profile_registry. */
struct spheroid {
    const char *name, *doc;
    double edge; /* default, in scale lengths */
    /* Density at x scale lengths, up to a factor, and its logarithmic slope d ln rho / d ln x. */
    double (*density)(double x, double index);
    double (*slope)(double x, double index);
};

/* A spheroid of a galaxy. All results are 0 if it has no mass. */
struct sphere {
    const struct spheroid *profile;
    double mass, scale, edge, index;
    double unit; /* factor on density() for that mass */
};

enum spheroid_part { SPHEROID_BULGE, SPHEROID_HALO };
struct sphere sphere_of(const struct galaxy_params *galaxy, enum spheroid_part part);

double sphere_density(const struct sphere *sphere, double r);
double sphere_slope(const struct sphere *sphere, double r); /* d rho / dr */

/* Less than a millionth of the mass is beyond it. */
double sphere_end(const struct sphere *sphere);
