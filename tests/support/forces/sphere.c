#include "tests/support/forces/sphere.h"
#include "tests/support/forces/uniform.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static struct bodies *create(size_t count)
{
    struct bodies *bodies;
    if (bodies_create(&bodies, count, 1) != STATUS_OK) {
        fprintf(stderr, "%s\n", status_text());
        abort();
    }
    bodies->components[0].count = count;
    return bodies;
}

struct bodies *pair_make(double softening, double speed, double *period)
{
    struct bodies *bodies = create(2);
    double v = sqrt(0.25 / pow(1 + softening * softening, 1.5));
    for (int i = 0; i < 2; i++) {
        double side = i == 0 ? 1 : -1;
        bodies->mass[i] = 0.5;
        bodies->position[i][0] = 0.5 * side;
        bodies->velocity[i][1] = v * side * speed;
    }
    *period = M_PI / v;
    return bodies;
}

struct bodies *sphere_make(size_t count, bool equal, uint64_t seed)
{
    struct bodies *bodies = create(count);
    double total = 0;
    for (size_t i = 0; i < count; i++) {
        double inside = 0.99 * uniform(&seed) + 0.001;
        double radius = 1 / sqrt(pow(inside, -2.0 / 3) - 1);
        double cosine = 2 * uniform(&seed) - 1, angle = 2 * M_PI * uniform(&seed);
        double across = radius * sqrt(1 - cosine * cosine);
        bodies->position[i][0] = across * cos(angle);
        bodies->position[i][1] = across * sin(angle);
        bodies->position[i][2] = radius * cosine;
        for (int c = 0; c < 3; c++)
            bodies->velocity[i][c] = 0.5 * (uniform(&seed) - 0.5);
        double mass = 1 + 9 * uniform(&seed);
        bodies->mass[i] = equal ? 1 : i % 7 == 6 ? 0 : mass;
        total += bodies->mass[i];
    }
    for (size_t i = 0; i < count; i++)
        bodies->mass[i] /= total;
    return bodies;
}

double relative_rms(size_t numbers, const double *a, const double *b)
{
    double error = 0, size = 0;
    for (size_t k = 0; k < numbers; k++) {
        error += (a[k] - b[k]) * (a[k] - b[k]);
        size += b[k] * b[k];
    }
    return error == 0 ? 0 : sqrt(error / size);
}
