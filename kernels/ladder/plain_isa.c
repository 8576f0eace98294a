/* Idea: one array per coordinate, OpenMP over the bodies, and -O3 -ffast-math, with which the
 * compiler vectorizes the inner loop and turns the root into an estimate and a Newton step. Nothing
 * is written by hand. Compiled once per instruction set, see kernels/isa.h. Source: the loop that
 * most people have. Against serial: the arrays, the threads and the flags. */
#include "kernels/isa.h"
#include "kernels/ladder/ladder.h"

#include <math.h>

int OF_ISA(ladder_plain)(const struct ladder_bodies *bodies, void *stream)
{
    (void)stream;
    size_t count = bodies->count;
    const float *restrict x = bodies->x, *restrict y = bodies->y, *restrict z = bodies->z;
    const float *restrict mass = bodies->mass;
    float *restrict out = bodies->acceleration;
    float softening2 = bodies->softening * bodies->softening;

#pragma omp parallel for schedule(static)
    for (size_t i = 0; i < count; i++) {
        float xi = x[i], yi = y[i], zi = z[i], ax = 0, ay = 0, az = 0;
        for (size_t j = 0; j < count; j++) {
            float dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
            float inverse = 1 / sqrtf(dx * dx + dy * dy + dz * dz + softening2);
            float pull = mass[j] * inverse * inverse * inverse;
            ax += pull * dx;
            ay += pull * dy;
            az += pull * dz;
        }
        out[4 * i] = ax;
        out[4 * i + 1] = ay;
        out[4 * i + 2] = az;
    }
    return 0;
}
