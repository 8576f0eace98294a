#include "tests/support/forces/potential.h"

#include "sim/gravity/force.h"

#include <math.h>

/* Of body i, from the bodies behind it. */
static double potential_behind(const struct bodies *bodies, size_t i, double fallback)
{
    const double(*x)[3] = (const double(*)[3])bodies->position;
    double own, other, phi = 0;
    softening_run(bodies, fallback, i, &own);
    for (size_t j = i + 1; j < bodies->count;) {
        size_t end = softening_run(bodies, fallback, j, &other);
        double softening2 = own * own / 2 + other * other / 2;
        for (; j < end; j++) {
            double dx = x[j][0] - x[i][0], dy = x[j][1] - x[i][1], dz = x[j][2] - x[i][2];
            phi -= bodies->mass[j] / sqrt(dx * dx + dy * dy + dz * dz + softening2);
        }
    }
    return phi;
}

double potential_by_pairs(const struct bodies *bodies, double softening)
{
    enum { CHUNK = 64 };
    double total = 0;
    size_t chunks = (bodies->count + CHUNK - 1) / CHUNK;

#pragma omp parallel for schedule(dynamic) ordered if (chunks > 8)
    for (size_t chunk = 0; chunk < chunks; chunk++) {
        size_t end = (chunk + 1) * CHUNK < bodies->count ? (chunk + 1) * CHUNK : bodies->count;
        double sum = 0;
        for (size_t i = chunk * CHUNK; i < end; i++)
            sum += bodies->mass[i] * potential_behind(bodies, i, softening);
#pragma omp ordered
        total += sum;
    }
    return total;
}
