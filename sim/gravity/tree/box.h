/* Boxes around bodies, and distances to boxes. The distance to a box never exceeds the distance to
 * a body in it, not even by rounding, because both are rounded at the same steps. */
#pragma once

#include <math.h>

struct box {
    double low[3], high[3];
};

#define BOX_EMPTY ((struct box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}})

/* Extends a box to contain another, or a body at low == high. */
static inline void box_add(struct box *box, const double low[3], const double high[3])
{
    for (int a = 0; a < 3; a++) {
        box->low[a] = fmin(box->low[a], low[a]);
        box->high[a] = fmax(box->high[a], high[a]);
    }
}

static inline double box_larger(double a, double b)
{
    return a > b ? a : b;
}

/* Twice the distance outside the box along an axis, exactly, and without an unpredictable
 * branch. */
static inline double box_twice_outside(const struct box *box, const double low[3],
                                       const double high[3], int axis)
{
    const double away = box_larger(box->low[axis] - high[axis], low[axis] - box->high[axis]);
    return away + fabs(away);
}

/* The squared distance between a box and one from `low` to `high`, or a point at low == high. */
static inline double box_square(const struct box *box, const double low[3], const double high[3])
{
    const double x = box_twice_outside(box, low, high, 0), y = box_twice_outside(box, low, high, 1),
                 z = box_twice_outside(box, low, high, 2);
    return 0.25 * (x * x + y * y + z * z);
}
