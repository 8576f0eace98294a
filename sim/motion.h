/* Estimates of how bodies will move, from a sample of at most 1,024: their extent, time scales, and
 * a suitable step and softening. G = 1. Pure and identical on every machine. */
#pragma once

#include "sim/bodies/bodies.h"

struct motion {
    double half, most; /* radii around the centre of mass with half and 90 % of the mass */
    double time;      /* the dynamical time: sqrt(R^3 / M) of the larger of gravitational radius and
                       * `most`, or the crossing time if that is shorter */
    double virial;    /* 2 K / |W|, relative to the centre of mass; 0 without a potential */
    double turn;      /* orbital period in the dense part: sqrt(3 pi / rho), with the density that
                       * the densest quarter of the bodies exceeds */
    double softening; /* half the mean distance of neighbours, (V / N)^(1/3), at the density around
                       * the densest quarter of the bodies; at most half / 10 */
    double dt;        /* 0.2 sqrt(softening / a), where a is the acceleration that 98 % of the
                       * bodies do not exceed (C. Power et al., MNRAS 338:14, 2003); 98 % of them
                       * move at most one and a half softening lengths in it */
};

/* false if nothing can be estimated: fewer than two bodies with mass, or all at one place.
 * `softening` is the scene's, for which dt is suitable; 0: the one found. */
bool motion_measure(const struct bodies *bodies, double softening, struct motion *out);

/* The smallest sqrt(softening^3 / 2 m) of all components, where m is a component's heaviest body:
 * the time in which two such bodies, bound within the softening, rotate by a radian. A leapfrog
 * with longer steps does not conserve their energy, and with twice as long ones they fly apart.
 * `softening` is for components without their own. INFINITY without mass. */
double motion_pair_time(const struct bodies *bodies, double softening);

/* Orbits around a body that has nearly all of the mass, such as those of planets and moons. */
struct orbits {
    size_t count;    /* planets: bodies that are drawn and bound to the heaviest body */
    double longest;  /* period of a planet */
    double shortest; /* period of a planet, or of a moon around its planet */
    double closest;  /* the smallest semi-major axis of any of them */
};

/* false unless there are at most 1,024 bodies, one has at least nine tenths of the mass, and most
 * of the others that are drawn are bound to it. */
bool motion_orbits(const struct bodies *bodies, struct orbits *out);
