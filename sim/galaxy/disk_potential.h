/* The density of an exponential disk with a vertical sech^2 profile, and its potential for softened
 * bodies.
 *
 * Surface density exp(-R / scale) / (1 + exp((R - edge) / width)), with a width of half a scale
 * length, so that the disk ends smoothly; vertical profile sech^2(z / height) / (2 height). A
 * height of 0 means a thousandth of the scale. Pure; thread-safe. */
#pragma once

#include "sim/galaxy/spheroid.h"
#include "sim/params.h"

#include <stddef.h>

/* The Bessel functions J0 and J1 at many arguments, from tabulated values and Taylor series: J0,
 * and J1 with three derivatives. */

enum { BESSEL_PER_UNIT = 8 };

/* {0} is an empty table. */
struct bessel {
    size_t count;
    double (*j)[5]; /* at i / BESSEL_PER_UNIT */
};
void bessel_close(struct bessel *bessel);

static inline const double *bessel_near(const struct bessel *bessel, double x, double *d)
{
    const size_t i = (size_t)(x * BESSEL_PER_UNIT + 0.5);
    *d = x - (double)i / BESSEL_PER_UNIT;
    return bessel->j[i];
}

static inline double bessel_0(const struct bessel *bessel, double x)
{
    double d;
    const double *j = bessel_near(bessel, x, &d);
    return j[0] - d * (j[1] + d / 2 * (j[2] + d / 3 * (j[3] + d / 4 * j[4])));
}

static inline double bessel_1(const struct bessel *bessel, double x)
{
    double d;
    const double *j = bessel_near(bessel, x, &d);
    return j[1] + d * (j[2] + d / 2 * (j[3] + d / 3 * j[4]));
}

struct sheet {
    double mass, scale, height, edge;
    double unit; /* factor on the surface density */
};

enum sheet_part { SHEET_DISK, SHEET_GAS };
struct sheet sheet_of(const struct galaxy_params *galaxy, enum sheet_part part);

double sheet_surface(const struct sheet *sheet, double radius); /* mass per area */
double sheet_end(const struct sheet *sheet);                    /* there is almost no mass beyond */

/* Adds the sheet's mass to spherical shells. */
void sheet_spread(const struct sheet *sheet, struct shells *shells);

/* Heights at which a potential is needed, and weights, of sum 1, for averaging the force over
 * them. */
struct sheet_heights {
    size_t count;
    const double *height, *weight; /* [count]; heights are not negative */
};

/* Adds the sheet's potential at radii[i], heights[j] to potential[i * heights + j], and dPhi/dR,
 * averaged over the heights, to pull[i]. The last radius is the largest.
 *
 *     Phi(R, z) = -2 pi int dk S(k) J0(k R) int dz' zeta(z') exp(-k sqrt((z - z')^2 + eps^2)),
 *     S(k) = int dR R Sigma(R) J0(k R),
 *
 * a Hankel transform (Toomre 1963; Kuijken and Gilmore 1989); Plummer softening acts like
 * additional distance. Extends the table `bessel` as far as needed. */
void sheet_field(const struct sheet *sheet, double softening, size_t radii_count,
                 const double *radii, const struct sheet_heights *heights, struct bessel *bessel,
                 double *potential, double *pull);
