/* Inside the models only: their entries, and what the galaxy model's files share. */
#ifndef SIM_MODELS_MODEL_H
#define SIM_MODELS_MODEL_H

#include "sim/bodies/bodies.h"
#include "sim/models/random.h"

extern const struct bodies_model model_galaxies, model_plummer, model_file;

/* Shares `count` out in proportion to weight[0 .. n - 1] (>= 0, not all zero) by the largest
 * remainder; the earlier one wins a tie. */
void share_out(size_t count, size_t n, const double *weight, size_t *share);

/* Moves a range of bodies so that its centre of mass is at the origin at rest. */
void centre_range(struct bodies *bodies, size_t first, size_t count);

/* A sphere after Hernquist (1990), cut off at `edge`; `mass` is what lies inside. */
struct sphere {
    double mass, scale, edge;
};

/* What the velocities of a galaxy need to know of its mass, averaged over spheres, on radii that
 * grow geometrically. */
enum { PROFILE_POINTS = 1024 };

struct profile {
    double disk_mass, disk_scale;
    struct sphere bulge, halo;
    double radius[PROFILE_POINTS];
    double potential[PROFILE_POINTS];
    double bulge_width[PROFILE_POINTS], halo_width[PROFILE_POINTS]; /* of the Maxwellian */
};

void profile_make(const struct galaxy_params *galaxy, struct profile *out);
double sphere_mass(const struct sphere *sphere, double r); /* enclosed */
double profile_value(const struct profile *profile, const double *table, double r);
double profile_limit(const struct profile *profile, double r); /* of speed: 0.95 of escape */

/* Fill bodies first .. first + count - 1 around the origin, spin along +z, masses left alone. */
void sphere_fill(struct bodies *bodies, size_t first, size_t count, const struct profile *profile,
                 const struct sphere *sphere, const double *width, struct random *random);
void disk_fill(struct bodies *bodies, size_t first, size_t count,
               const struct galaxy_params *galaxy, const struct profile *profile,
               struct random *random);

#endif
