/* Velocities in an exponential disk of finite thickness, in the softened potential of its whole
 * galaxy.
 *
 * In the plane they follow Shu's (1969) distribution function, as used by Dehnen (1999, AJ 118,
 * 1201) and McMillan and Dehnen (2007), of angular momentum L and energy E, in the force averaged
 * over the disk's height:
 *
 *     f = gamma(Rg) Sigma'(Rg) / (2 pi sigma'^2(Rg)) exp(-(E - Ec(L)) / sigma'^2(Rg)), L > 0,
 *
 * where Rg and Ec are the radius and energy of the circular orbit with angular momentum L, and
 * gamma = 2 Omega / kappa. It includes the asymmetric drift and the skewness of azimuthal
 * velocities. Sigma' and sigma' are found by iteration, so that surface density and radial
 * dispersion have the required values at every radius.
 *
 * The radial dispersion falls as exp(-R / 2 scale), flattened in the centre (Hernquist 1993), and
 * is set by Toomre's Q at 2.43 scale lengths (the Sun's place); it is raised where Q would be lower
 * elsewhere, and limited to 0.4 of the escape speed.
 *
 * Across the plane the dispersion is that of the vertical Jeans equation of the sech^2 profile in
 * the total potential, at every radius and height: sigma_z^2 = 1 / rho int_z^inf rho dPhi/dz dz;
 * vertical velocities are normal. */
#pragma once

#include "base/random.h"
#include "sim/galaxy/disk_potential.h"

#include <stddef.h>

/* Nearly circular orbits in a plane: circular and epicyclic motion from the central force, at radii
 * that are denser inside. Pure; thread-safe. */

enum { ORBITS = 128 };

struct orbits {
    double end;
    double radius[ORBITS]; /* end ((i + 1/2) / ORBITS)^2 */
    double pull[ORBITS], slope[ORBITS], potential[ORBITS];
    double spin2[ORBITS]; /* squared angular momentum of the circular orbit */
    double epicyclic[ORBITS];
};
double orbits_at(const struct orbits *orbits, const double values[ORBITS], double radius);

/* Radius of the circular orbit with that angular momentum, at most `end`. */
double orbits_guiding(const struct orbits *orbits, double spin);

enum { DISK_HEIGHTS = 33, DISK_RADII = 512, DISK_QUANTILES = 49 };

struct disk {
    struct sheet sheet;
    struct orbits orbits;
    double inside[DISK_RADII + 1];            /* part of the mass within end (i / DISK_RADII)^2 */
    double dispersion[ORBITS];                /* sigma', by guiding radius */
    double wanted[ORBITS];                    /* required sigma_R */
    double azimuthal[ORBITS][DISK_QUANTILES]; /* by radius and normal deviate */
    double vertical[ORBITS * DISK_HEIGHTS];   /* sigma_z */
    double miss; /* largest relative error of Sigma and sigma_R^2 within four scale lengths */
};

/* The radii and heights at which disk_make() needs the potential, and the heights' weights in the
 * mean force. */
void disk_places(const struct sheet *sheet, double radius[ORBITS], double height[DISK_HEIGHTS],
                 double weight[DISK_HEIGHTS]);

/* Makes the disk in the potential of the total mass: `potential` at [radius * DISK_HEIGHTS +
 * height], `pull` (dPhi/dR) averaged over the heights, `escape`: the escape speed at the radii. */
void disk_make(const struct sheet *sheet, double toomre_q, const double *potential,
               const double pull[ORBITS], const double escape[ORBITS], struct disk *out);

/* `fraction` of the mass, 0 to 1, gives the radius; the disk rotates around +z. */
void disk_place(const struct disk *disk, double fraction, struct random *random, double x[3]);
void disk_move(const struct disk *disk, const double x[3], struct random *random, double v[3]);
