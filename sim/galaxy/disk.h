/* Motions of an exponential disk in the potential of its whole galaxy, thick and softened.
 *
 * In the plane they follow Shu's (1969) distribution function as Dehnen (1999, AJ 118, 1201) and
 * McMillan and Dehnen (2007) use it, of angular momentum L and energy E, in the pull that is
 * averaged over the disk's height:
 *
 *   f = gamma(Rg) Sigma'(Rg) / (2 pi sigma'^2(Rg)) exp(-(E - Ec(L)) / sigma'^2(Rg)), L > 0,
 *
 * Rg and Ec being the radius and energy of the circular orbit of L, gamma = 2 Omega / kappa. It
 * contains the asymmetric drift and the skewness of azimuthal velocities. Sigma' and sigma' are
 * found by repeated correction, so that surface density and radial dispersion are those that are
 * asked for at every radius.
 *
 * The radial dispersion falls as exp(-R / 2 scale), flattened in the centre (Hernquist 1993), and
 * is set by Toomre's Q at 2.43 scale lengths (the Sun's place); it is raised where Q would be below
 * that elsewhere, and kept below 0.4 of the speed of escape.
 *
 * Across the plane the dispersion is that of the vertical Jeans equation of the sech^2 profile in
 * the potential of everything, at every radius and height:
 * sigma_z^2 = 1 / rho int_z^inf rho dPhi/dz dz; vertical velocities are normal. */
#ifndef SIM_GALAXY_DISK_H
#define SIM_GALAXY_DISK_H

#include "sim/galaxy/orbits.h"
#include "sim/galaxy/sheet.h"
#include "base/random.h"

enum { DISK_HEIGHTS = 33, DISK_RADII = 512, DISK_QUANTILES = 49 };

struct disk {
    struct sheet sheet;
    struct orbits orbits;
    double inside[DISK_RADII + 1];            /* part of the mass within end (i / DISK_RADII)^2 */
    double dispersion[ORBITS];                /* sigma', of the guiding radius */
    double wanted[ORBITS];                    /* sigma_R that is asked for */
    double azimuthal[ORBITS][DISK_QUANTILES]; /* velocity by radius and normal deviate */
    double vertical[ORBITS * DISK_HEIGHTS];   /* sigma_z */
    double miss; /* most that Sigma and sigma_R^2 of f differ from what is asked for, relatively,
                    within four scale lengths */
};

/* The radii and heights at which disk_make() wants the potential, and the heights' weights in the
 * mean pull. */
void disk_places(const struct sheet *sheet, double radius[ORBITS], double height[DISK_HEIGHTS],
                 double weight[DISK_HEIGHTS]);

/* Of everything: `potential` at [radius * DISK_HEIGHTS + height], `pull` (dPhi/dR) averaged over
 * the heights, `escape`: the speed of escape at the radii. */
void disk_make(const struct sheet *sheet, double toomre_q, const double *potential,
               const double pull[ORBITS], const double escape[ORBITS], struct disk *out);

/* `fraction` of the mass, 0 to 1, says the radius; spin along +z. */
void disk_place(const struct disk *disk, double fraction, struct random *random, double x[3]);
void disk_move(const struct disk *disk, const double x[3], struct random *random, double v[3]);

#endif
