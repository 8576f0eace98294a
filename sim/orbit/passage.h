/* The orbit on which two extended galaxies come to their first pericentre at a given time and
 * distance, which for galaxies with haloes is far from Kepler's.
 *
 * They are rigid spheres: the potential of their relative motion is that of every mass element of
 * one in the field of the other, so exact where haloes overlap. Energy and angular momentum are
 * conserved; with Phi per unit of reduced mass, the orbit of energy E that turns round at d has
 * L = d sqrt(2 (E - Phi(d))), and the time and angle from r to d are integrals of
 * dr / sqrt(2 (E - Phi) - L^2 / r^2) (J. Binney and S. Tremaine, Galactic Dynamics, 2008, section
 * 3.1). Tides and dynamical friction are left out: they take energy from the orbit mostly at the
 * pericentre and after it, so that what comes first is close to this (docs/physics.md measures how
 * close), and how soon the galaxies merge is not said.
 *
 * Pure; thread-safe. */
#ifndef SIM_ORBIT_PASSAGE_H
#define SIM_ORBIT_PASSAGE_H

#include "sim/galaxy/field.h"
#include "sim/orbit/kepler.h"

enum { PASSAGE_POINTS = 400 };

/* The specific potential of the relative motion, and the sum of both masses; by distance, which
 * grows geometrically. */
struct passage_potential {
    double total;
    double first, step; /* d ln r */
    double value[PASSAGE_POINTS];
};

/* Of two galaxies, up to the distance `far`. Takes some 20 milliseconds. */
void passage_potential_make(const struct galaxy_field *a, const struct galaxy_field *b, double far,
                            struct passage_potential *out);
/* The same of two points. */
void passage_potential_points(double total, double nearest, double far,
                              struct passage_potential *out);

double passage_potential_at(const struct passage_potential *potential, double r);

/* STATUS_USAGE, with the times that are possible, where no orbit that approaches from the
 * separation takes `time` to a pericentre of that distance. */
enum status passage_orbit(const struct passage_potential *potential, double separation,
                          double pericentre, double time, struct orbit *out);

#endif
