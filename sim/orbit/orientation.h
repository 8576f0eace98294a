/* The orientation of a disk relative to its orbit. The disk is made in the x-y plane, its spin
 * along +z; the spin is tilted by the inclination i about the x axis, then turned by the node about
 * the z axis.
 *
 * Toomre and Toomre (1972, ApJ 178, 623, section III) give i and the argument of pericentre omega
 * instead: seen from the disk, its companion rises through the disk's plane at an angle omega,
 * measured along the orbit, before it is at its pericentre. A disk tilted as above is crossed
 * upwards in the direction node + 180 degrees, so that node = (direction of the companion's
 * pericentre) - omega + 180. Pure; thread-safe. */
#pragma once

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
