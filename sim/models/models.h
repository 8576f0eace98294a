/* The bodies of a scene. */
#pragma once

#include "base/status.h"
#include "sim/params.h"

struct bodies;

/* Makes the bodies that a scene asks for: the model or file, then the choice of components, then
 * the thinning to `count`, then the scale factors. STATUS_USAGE for invalid content or an invalid
 * request, STATUS_IO when a file cannot be read; the message names file and line, or the scene key.
 * Warns if the components left out have most of the mass. Collective with params->divide: each
 * rank makes or reads its share, except of a file with rows that are assigned to components or to
 * galaxies: rank 0 reads it, and deals the bodies. */
enum status bodies_make(const struct bodies_params *params, struct bodies **out);

/* Isotropic spheres in equilibrium. The distribution function of a density follows from A. S.
 * Eddington's inversion (1916, MNRAS 76, 572; J. Binney and S. Tremaine, Galactic Dynamics, 2008,
 * equation 4.46b), f(E) = 1 / (sqrt(8) pi^2) * integral from 0 to E of (d^2 rho / d psi^2) d psi /
 * sqrt(E - psi), whose boundary term vanishes because the density fades out. Bodies are drawn from
 * the enclosed mass, then from v^2 f(psi - v^2 / 2).
 *
 * They come in N-body units (M. Henon 1971; D. C. Heggie and R. D. Mathieu 1986): mass 1, G = 1,
 * and a potential energy of -1/2, so that the energy is -1/4 in equilibrium. */

enum { ISOTROPIC_POINTS = 768 };

/* Radii are ascending; psi is the negative potential, 0 at the edge; f belongs to psi. Any units
 * with G = 1, any mass. */
struct isotropic {
    double radius[ISOTROPIC_POINTS];
    double mass[ISOTROPIC_POINTS]; /* enclosed */
    double psi[ISOTROPIC_POINTS];
    double f[ISOTROPIC_POINTS]; /* up to a factor */
};

/* Makes the table from a density, on radii from `first` to `last`, where the density is practically
 * 0. */
void isotropic_make(double (*density)(double radius, const void *user), const void *user,
                    double first, double last, struct isotropic *out);

/* The Plummer sphere, also for measurements that need one. */
extern const struct bodies_model model_plummer;
