/* Densities of bulges and haloes: a profile times sech(r / edge), so that it ends smoothly
 * (McMillan and Dehnen, 2007, MNRAS 378, 541) with the required finite mass. Pure. */
#pragma once

#include "base/random.h"
#include "sim/params.h"

#include <stddef.h>

/* The cell of an ascending table that holds x: table[i] <= x < table[i + 1], or the nearest, of
 * count - 1 cells. Without branches on values, which a processor cannot predict. */
static inline size_t search_cell(const double *table, size_t count, double x)
{
    size_t low = 0;
    for (size_t left = count - 1; left > 1;) {
        const size_t half = left / 2;
        low += half & -(size_t)(table[low + half] <= x);
        left -= half;
    }
    return low;
}

/* Spherical shells with Plummer softening, on geometrically spaced radii. Pure; thread-safe. */

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

/* The isotropic distribution function of a spheroid in the potential of its whole galaxy, by
 * Eddington's (1916) inversion, and speeds drawn from it:
 *
 *     f(E) = 1 / (sqrt(8) pi^2) int_0^E d^2 rho / dPsi^2 dPsi / sqrt(E - Psi)
 *
 * (Binney and Tremaine 2008, eq. 4.46), with d rho / dPsi linear between the shells' radii, so that
 * the integral is exact. Energies are relative to the potential at the centre. */

struct speeds {
    const struct shells *radii; /* borrowed; only its radii are used */
    double depth[SHELLS];       /* Phi - Phi(0) at the radii */
    double escape;              /* Phi(infinity) - Phi(0) */
    double f[SHELLS];           /* at the energies `depth`; never negative */
    double most[SHELLS];        /* upper bound of f(E) v^2 at this radius and outside */
    double square[SHELLS];      /* mean of v^2 at the radii */
    double negative;            /* part of the mass for which f was negative and set to 0 */
};

/* `pull`: the total, as in shells_pull(). */
void speeds_make(const struct sphere *sphere, const struct shells *radii, const double pull[SHELLS],
                 struct speeds *out);

double speeds_f(const struct speeds *speeds, double energy);

/* A speed at radius r, below the escape speed. */
double speeds_draw(const struct speeds *speeds, double r, struct random *random);
