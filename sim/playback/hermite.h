/* Interpolates a body's motion between two moments: the cubic Hermite polynomial of positions and
 * velocities, whose derivatives are velocity and acceleration. Its error is at most h^4 / 384 times
 * the largest fourth derivative of the path. Pure. */
#pragma once

#include <math.h>

struct hermite {
    double position[2], velocity[2]; /* weights for the position: of both positions, and of h times
                                      * both velocities */
    double speed, slow[2]; /* for the velocity: of the displacement, and of both velocities */
    double bend, pull[2];  /* for the acceleration, likewise */
};

/* The weights at part u of an interval of length h: 0 is its start, 1 its end. */
static inline struct hermite hermite_at(double u, double h)
{
    const double v = 1 - u;
    return (struct hermite){
        .position = {v * v * (1 + 2 * u), u * u * (3 - 2 * u)},
        .velocity = {h * u * v * v, -h * u * u * v},
        .speed = 6 * u * v / h,
        .slow = {v * (1 - 3 * u), u * (3 * u - 2)},
        .bend = 6 * (1 - 2 * u) / (h * h),
        .pull = {(6 * u - 4) / h, (6 * u - 2) / h},
    };
}

/* One coordinate, from a to b with the velocities va and vb. */
static inline void hermite_move(const struct hermite *by, double a, double b, double va, double vb,
                                double out[3])
{
    const double way = b - a;
    out[0] =
        by->position[0] * a + by->position[1] * b + by->velocity[0] * va + by->velocity[1] * vb;
    out[1] = by->speed * way + by->slow[0] * va + by->slow[1] * vb;
    out[2] = by->bend * way + by->pull[0] * va + by->pull[1] * vb;
}

/* Counts the box edges crossed on the shortest way from `from` to `to`, for edges of these lengths;
 * 0 if there is no box. */
static inline double hermite_rounds(double from, double to, double from_box, double to_box)
{
    return from_box > 0 && to_box > 0 ? round(to / to_box - from / from_box) : 0;
}
