/* Nearly circular orbits in a plane: circular and epicyclic motion from the central force, at radii
 * that are denser inside. Pure; thread-safe. */
#pragma once

#include <stddef.h>

enum { ORBITS = 128 };

struct orbits {
    double end;
    double radius[ORBITS]; /* end ((i + 1/2) / ORBITS)^2 */
    double pull[ORBITS], slope[ORBITS], potential[ORBITS];
    double spin2[ORBITS]; /* squared angular momentum of the circular orbit */
    double epicyclic[ORBITS];
};

void orbits_radii(double end, double radius[ORBITS]);

/* `pull` = dPhi/dR > 0 at those radii. */
void orbits_make(double end, const double pull[ORBITS], struct orbits *out);

/* The index of the radius below R; *part is R's position towards the next radius, in sqrt(R), 0 to
 * 1. */
size_t orbits_cell(const struct orbits *orbits, double radius, double *part);
double orbits_at(const struct orbits *orbits, const double values[ORBITS], double radius);

/* Up to a constant; its derivative is the interpolated force, cubic in R. */
double orbits_potential(const struct orbits *orbits, double radius);

/* Radius of the circular orbit with that angular momentum, at most `end`. */
double orbits_guiding(const struct orbits *orbits, double spin);
