/* Spherical shells with Plummer softening, on geometrically spaced radii. Pure; thread-safe. */
#pragma once

enum { SHELLS = 600 };

struct shells {
    double radius[SHELLS];
    double step;         /* d ln r */
    double mass[SHELLS]; /* of the shell at each radius: density times 4 pi r^3 step */
};

/* Radii from `first` to `last`, with masses 0. */
void shells_init(struct shells *shells, double first, double last);

/* The mass within each radius. */
void shells_enclosed(const struct shells *shells, double enclosed[SHELLS]);

/* Adds the shells' force to `pull`, as r^2 dPhi/dr: the central point mass that would give the same
 * force without softening. The potential of a shell of radius s is -2 / (sqrt((r + s)^2 + eps^2) +
 * sqrt((r - s)^2 + eps^2)) times its mass. With softening, the sum is computed at every fourth
 * radius and interpolated by cubics in logarithms, accurate to 1e-5. */
void shells_pull(const struct shells *shells, double softening, double pull[SHELLS]);

/* Phi(r_i) - Phi(0) from `pull`, with a homogeneous sphere within the first radius. */
void shells_depth(const struct shells *shells, const double pull[SHELLS], double depth[SHELLS]);

/* Interpolates `values` linearly in ln r; constant beyond the ends. */
double shells_at(const struct shells *shells, const double values[SHELLS], double r);

/* The same in two steps, for several tables at one r: where r is among the radii, from 0 on; what a
 * table has there. */
double shells_place(const struct shells *shells, double r);
double shells_read(const double values[SHELLS], double at);
