#include "sim/orbit/orientation.h"

#include <math.h>

double orientation_node(double omega, double pericentre)
{
    return remainder(pericentre - omega + 180, 360);
}

void orientation_tilt(double inclination, double node, double x[3])
{
    const double i = inclination * M_PI / 180, n = node * M_PI / 180;
    double y = x[1] * cos(i) - x[2] * sin(i), z = x[1] * sin(i) + x[2] * cos(i);
    double a = x[0] * cos(n) - y * sin(n), b = x[0] * sin(n) + y * cos(n);
    x[0] = a;
    x[1] = b;
    x[2] = z;
}
