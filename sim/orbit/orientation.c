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
    struct orientation o;
    fn_sincos(i, &o.sin_i, &o.cos_i);
    fn_sincos(n, &o.sin_n, &o.cos_n);
    return o;
}
