#include "sim/orbit/orientation.h"

#include "base/functions/fn.h"

#include <math.h>

double orientation_node(double omega, double pericentre)
{
    return remainder(pericentre - omega + 180, 360);
}

struct orientation orientation_of(double inclination, double node)
{
    const double i = inclination * M_PI / 180, n = node * M_PI / 180;
    return (struct orientation){fn_cos(i), fn_sin(i), fn_cos(n), fn_sin(n)};
}

void orientation_tilt(const struct orientation *o, double x[3])
{
    double y = x[1] * o->cos_i - x[2] * o->sin_i, z = x[1] * o->sin_i + x[2] * o->cos_i;
    double a = x[0] * o->cos_n - y * o->sin_n, b = x[0] * o->sin_n + y * o->cos_n;
    x[0] = a;
    x[1] = b;
    x[2] = z;
}
