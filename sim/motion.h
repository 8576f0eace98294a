/* What bodies are about to do, from a sample of at most 1,024 of them: their extent, how long they
 * take to move, what step and softening suit them. G = 1. Pure and the same on every machine. */
#ifndef SIM_MOTION_H
#define SIM_MOTION_H

#include "sim/bodies/bodies.h"

struct motion {
    double half, most; /* distances from the centre of mass that hold half and 90 % of the mass */
    double time;      /* the dynamical time: sqrt(R^3 / M) of the larger of gravitational radius and
                         `most`, or what the bodies take to cross it, if that is shorter */
    double virial;    /* 2 K / |W|, about the centre of mass; 0 without a potential */
    double turn;      /* how long one takes to go round where it is dense: sqrt(3 pi / rho), with
                         the density that a quarter of the bodies have around them, or more */
    double softening; /* half the mean distance between neighbours, (V / N)^(1/3), where it is as
                         dense as around the densest quarter of the bodies; at most half / 10 */
    double dt;        /* 0.2 sqrt(softening / a), a being what 98 % of the bodies feel at most (C.
                         Power et al., MNRAS 338:14, 2003); 98 % of them move no farther in it than
                         one and a half softening lengths */
};

/* false where nothing can be said: fewer than two bodies with mass, or all in one place.
 * `softening` is that of the scene, for which dt is meant; 0: the one found. */
bool motion_measure(const struct bodies *bodies, double softening, struct motion *out);

/* The least sqrt(softening^3 / 2 m) of all components, m being a component's heaviest body: the
 * time in which two of them, bound within the softening, turn by a radian. A leapfrog whose steps
 * are longer does not keep their energy, and from twice that on they fly apart. `softening` is that
 * of the components which have none of their own. INFINITY without mass. */
double motion_pair_time(const struct bodies *bodies, double softening);

#endif
