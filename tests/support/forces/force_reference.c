#include "tests/support/forces/force_reference.h"

#include <math.h>

static double square(double a)
{
    return a * a;
}

/* stride 0: all bodies have softening[0]. */
static void reference(size_t count, const double *mass, const double (*position)[3],
                      const double *softening, size_t stride, double (*acceleration)[3],
                      double *potential)
{
#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++) {
        double ax = 0, ay = 0, az = 0, phi = 0;
        for (size_t j = 0; j < count; j++) {
            if (j == i)
                continue;
            double dx = position[j][0] - position[i][0];
            double dy = position[j][1] - position[i][1];
            double dz = position[j][2] - position[i][2];
            double softening2 = (square(softening[i * stride]) + square(softening[j * stride])) / 2;
            double inverse = 1 / sqrt(dx * dx + dy * dy + dz * dz + softening2);
            double pull = mass[j] * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
            phi -= mass[j] * inverse;
        }
        if (acceleration) {
            acceleration[i][0] = ax;
            acceleration[i][1] = ay;
            acceleration[i][2] = az;
        }
        if (potential)
            potential[i] = phi;
    }
}

void force_reference(size_t count, const double *mass, const double (*position)[3],
                     double softening, double (*acceleration)[3], double *potential)
{
    reference(count, mass, position, &softening, 0, acceleration, potential);
}

void force_reference_mixed(size_t count, const double *mass, const double (*position)[3],
                           const double *softening, double (*acceleration)[3], double *potential)
{
    reference(count, mass, position, softening, 1, acceleration, potential);
}
