/* Spherical shells whose bodies attract with Plummer's softening, on radii that grow geometrically.
 * Pure; thread-safe. */
#ifndef SIM_GALAXY_SHELLS_H
#define SIM_GALAXY_SHELLS_H

enum { SHELLS = 600 };

struct shells {
    double radius[SHELLS];
    double step;         /* d ln r */
    double mass[SHELLS]; /* of the shell at each radius: density times 4 pi r^3 step */
};

/* Radii from `first` to `last`, the masses 0. */
void shells_init(struct shells *shells, double first, double last);

/* The mass within each radius. */
void shells_enclosed(const struct shells *shells, double enclosed[SHELLS]);

/* Adds to `pull` what the shells attract with, as r^2 dPhi/dr: the mass that would do the same from
 * the centre without softening. The potential of a shell of radius s is
 * -2 / (sqrt((r + s)^2 + eps^2) + sqrt((r - s)^2 + eps^2)) times its mass. Softened, it is summed
 * at every fourth radius, and cubic in logarithms between them, within 1e-5. */
void shells_pull(const struct shells *shells, double softening, double pull[SHELLS]);

/* Phi(r_i) - Phi(0) from `pull`, by the potential of a homogeneous ball within the first radius. */
void shells_depth(const struct shells *shells, const double pull[SHELLS], double depth[SHELLS]);

/* `values` between the radii, linear in ln r; the first and last value beyond. */
double shells_at(const struct shells *shells, const double values[SHELLS], double r);

#endif
