/* The orbit of two points around each other, G = 1 (J. Binney and S. Tremaine, Galactic Dynamics,
 * 2nd edition, 2008, section 3.1): with the semi-latus rectum p = q (1 + e), the angular momentum
 * is sqrt(M p), the distance p / (1 + e cos(f)) at the true anomaly f, and the energy -M (1 - e) /
 * (2 q), all per reduced mass. Pure; thread-safe. */
#pragma once

#include "base/status.h"
#include "sim/galaxy/field.h"
#include "sim/params.h"

#include <stddef.h>

/* The second body relative to the first, in the x-y plane: initially on the x axis and approaching,
 * with angular momentum along +z. */
struct orbit {
    double position[3], velocity[3];
    double pericentre; /* direction of the pericentre: angle from +x in radians */
};

/* For bodies with total mass `mass`, `separation` apart, on an orbit with this pericentre distance
 * and eccentricity. STATUS_USAGE if there is none. */
enum status kepler_orbit(double mass, double separation, double pericentre, double eccentricity,
                         struct orbit *out);

/* The same with `energy` in place of the eccentricity, which is 1 + 2 energy q / M; includes
 * head-on orbits. */
enum status kepler_orbit_of_energy(double mass, double separation, double pericentre, double energy,
                                   struct orbit *out);

/* The orientation of a disk relative to its orbit. The disk is made in the x-y plane, its spin
 * along +z; the spin is tilted by the inclination i about the x axis, then turned by the node about
 * the z axis.
 *
 * Toomre and Toomre (1972, ApJ 178, 623, section III) give i and the argument of pericentre omega
 * instead: seen from the disk, its companion rises through the disk's plane at an angle omega,
 * measured along the orbit, before it is at its pericentre. A disk tilted as above is crossed
 * upwards in the direction node + 180 degrees, so that node = (direction of the companion's
 * pericentre) - omega + 180. Pure; thread-safe. */

/* Degrees; `node` of the argument `omega`, with the direction in which this galaxy sees the other
 * one at their pericentre. */
double orientation_node(double omega, double pericentre);

struct orientation {
    double cos_i, sin_i, cos_n, sin_n; /* of the spin with this inclination and node */
};

/* Degrees. */
struct orientation orientation_of(double inclination, double node);

/* Tilts a position or velocity. */
static inline void orientation_tilt(const struct orientation *o, double x[3])
{
    const double y = x[1] * o->cos_i - x[2] * o->sin_i, z = x[1] * o->sin_i + x[2] * o->cos_i;
    const double a = x[0] * o->cos_n - y * o->sin_n, b = x[0] * o->sin_n + y * o->cos_n;
    x[0] = a;
    x[1] = b;
    x[2] = z;
}

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

/* Initial positions and velocities of a scene's galaxies, relative to their centre of mass.
 *
 * A single galaxy is at the origin. Two are on their orbit, unless one of them has a position;
 * then, and with more than two, every galaxy has its own position and velocity. Pure;
 * thread-safe. */

enum { GALAXIES_MOST = 8 };

struct start {
    double position[3], velocity[3];
    double inclination, node; /* of the disk, degrees */
};

/* How galaxies are treated for an orbit given by the time of its pericentre: extended as made by
 * sim/galaxy, or as points. */
enum starts_of { STARTS_OF_GALAXIES, STARTS_OF_POINTS };

/* mass[g]: of galaxy g, > 0. STATUS_USAGE if there is no such orbit, or if galaxies start at the
 * same place. The last orbit of extended galaxies is kept for the next call. */
enum status starts_find(const struct bodies_params *params, enum starts_of of, const double *mass,
                        struct start start[GALAXIES_MOST]);
