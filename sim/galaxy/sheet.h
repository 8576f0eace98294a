/* The density of an exponential disk with a sech^2 profile across it, and its potential as softened
 * bodies make it.
 *
 * Surface density exp(-R / scale) / (1 + exp((R - edge) / width)), width half a scale length, so
 * that the disk ends smoothly; across it sech^2(z / height) / (2 height). A height of 0 is taken as
 * a thousandth of the scale. Pure; thread-safe. */
#ifndef SIM_GALAXY_SHEET_H
#define SIM_GALAXY_SHEET_H

#include "sim/galaxy/shells.h"
#include "sim/params.h"

#include <stddef.h>

struct sheet {
    double mass, scale, height, edge;
    double unit; /* factor of the surface density */
};

enum sheet_part { SHEET_DISK, SHEET_GAS };
struct sheet sheet_of(const struct galaxy_params *galaxy, enum sheet_part part);

double sheet_surface(const struct sheet *sheet, double radius); /* mass per area */
double sheet_end(const struct sheet *sheet); /* beyond it there is next to nothing */

/* Adds the sheet's mass to spherical shells. */
void sheet_spread(const struct sheet *sheet, struct shells *shells);

/* Where a potential is wanted across the plane, and what a pull is averaged with there: weights of
 * sum 1. */
struct sheet_heights {
    size_t count;
    const double *height, *weight; /* [count]; no height below 0 */
};

/* Adds the sheet's potential at radii[i], heights[j] to potential[i * heights + j], and dPhi/dR,
 * averaged over the heights, to pull[i]. The last radius is the largest.
 *
 *   Phi(R, z) = -2 pi int dk S(k) J0(k R) int dz' zeta(z') exp(-k sqrt((z - z')^2 + eps^2)),
 *   S(k) = int dR R Sigma(R) J0(k R),
 *
 * Hankel's transform (Toomre 1963; Kuijken and Gilmore 1989) with Plummer's softening, which is the
 * same as being farther away. */
void sheet_field(const struct sheet *sheet, double softening, size_t radii_count,
                 const double *radii, const struct sheet_heights *heights, double *potential,
                 double *pull);

#endif
