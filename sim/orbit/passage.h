/* The orbit on which two extended galaxies reach their first pericentre at a given time and
 * distance. For galaxies with haloes it is far from Keplerian.
 *
 * Galaxies are treated as rigid spheres: the potential of their relative motion is that of every
 * mass element of one in the field of the other, which is exact even where haloes overlap. Energy
 * and angular momentum are conserved; with Phi per unit of reduced mass, the orbit of energy E with
 * a turning point at d has L = d sqrt(2 (E - Phi(d))), and the time and angle from r to d are
 * integrals of dr / sqrt(2 (E - Phi) - L^2 / r^2) (J. Binney and S. Tremaine, Galactic Dynamics,
 * 2008, section 3.1). Tides and dynamical friction are neglected: they take energy from the orbit
 * mostly at and after the pericentre, so that the motion before it is close to this one
 * (docs/physics.md measures how close). The time of the merger is not predicted.
 *
 * Pure; thread-safe. */
#pragma once

#include "sim/galaxy/field.h"
#include "sim/orbit/kepler.h"

enum { PASSAGE_POINTS = 400 };

/* The specific potential of the relative motion, and the total mass; tabulated at geometrically
 * spaced distances. */
struct passage_potential {
    double total;
    double first, step; /* d ln r */
    double value[PASSAGE_POINTS];
};

/* For two galaxies, up to the distance `far`. Takes about 20 milliseconds. */
void passage_potential_make(const struct galaxy_field *a, const struct galaxy_field *b, double far,
                            struct passage_potential *out);
/* The same for two points. */
void passage_potential_points(double total, double nearest, double far,
                              struct passage_potential *out);

double passage_potential_at(const struct passage_potential *potential, double r);

/* STATUS_USAGE, with the possible times, if no approaching orbit from the separation takes `time`
 * to a pericentre at that distance. */
enum status passage_orbit(const struct passage_potential *potential, double separation,
                          double pericentre, double time, struct orbit *out);
