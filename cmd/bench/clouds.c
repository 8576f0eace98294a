#include "base/random.h"
#include "cmd/bench/clouds.h"

#include <math.h>
#include <string.h>

static double uniform(uint64_t *seed)
{
    *seed += SPLITMIX_STEP;
    return (double)(splitmix64(*seed) >> 11) * 0x1p-53;
}

static void put_on_sphere(struct bodies *bodies, size_t i, double radius, uint64_t *seed)
{
    double z = 2 * uniform(seed) - 1, turn = 2 * M_PI * uniform(seed), s = sqrt(1 - z * z);
    const double place[3] = {radius * s * cos(turn), radius * s * sin(turn), radius * z};
    memcpy(bodies->position[i], place, sizeof place);
}

static double plummer_radius(uint64_t *seed)
{
    double radius;
    do
        radius = 1 / sqrt(pow(uniform(seed), -2.0 / 3) - 1);
    while (!(radius < 20));
    return radius;
}

static void fill_sphere(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++)
        put_on_sphere(bodies, i, plummer_radius(seed), seed);
}

/* Half of the bodies, with a ninth of the mass, in an exponential disk of scale length 1. */
static void fill_disk(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++) {
        bodies->mass[i] *= i % 2 ? 16.0 / 9 : 2.0 / 9;
        if (i % 2) {
            put_on_sphere(bodies, i, 3 * plummer_radius(seed), seed);
        } else {
            double r = -log((1 - uniform(seed)) * (1 - uniform(seed)));
            double turn = 2 * M_PI * uniform(seed), u = 0.5 + 0.999 * (uniform(seed) - 0.5);
            const double place[3] = {r * cos(turn), r * sin(turn), 0.05 * log(u / (1 - u))};
            memcpy(bodies->position[i], place, sizeof place);
        }
    }
}

static void fill_cube(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++)
        for (int c = 0; c < 3; c++)
            bodies->position[i][c] = 2 * uniform(seed) - 1;
}

/* Three of four bodies in a small sphere, each with a thousandth of the mass of the others. */
static void fill_clusters(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++) {
        put_on_sphere(bodies, i, (i % 4 ? 0.1 : 1) * plummer_radius(seed), seed);
        bodies->position[i][0] += i % 4 ? 10 : 0;
        bodies->mass[i] *= i % 4 ? 1e-3 : 1;
    }
}

/* A cold collapse at its densest: density as r^(-8/3). */
static void fill_collapse(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++)
        put_on_sphere(bodies, i, pow(uniform(seed), 3), seed);
}

/* Two Plummer spheres that pass through each other, the second one half as large. */
static void fill_spheres(struct bodies *bodies, uint64_t *seed)
{
    for (size_t i = 0; i < bodies->count; i++) {
        put_on_sphere(bodies, i, (i % 2 ? 0.5 : 1) * plummer_radius(seed), seed);
        bodies->position[i][0] += i % 2 ? 3 : 0;
    }
}

/* A body of 10,000 times the mass of all others in the middle of a Plummer sphere. */
static void fill_heavy(struct bodies *bodies, uint64_t *seed)
{
    fill_sphere(bodies, seed);
    bodies->mass[0] = 1e4;
    memset(bodies->position[0], 0, sizeof bodies->position[0]);
}

const struct bench_cloud bench_clouds[] = {
    {"Plummer sphere", fill_sphere},     {"disk in a halo", fill_disk},
    {"uniform cube", fill_cube},         {"clusters 1:1000", fill_clusters},
    {"collapsed sphere", fill_collapse}, {"two spheres", fill_spheres},
    {"heavy body", fill_heavy},          {NULL, NULL},
};

enum status bench_cloud_make(const struct bench_cloud *cloud, size_t count, struct bodies **out)
{
    uint64_t seed = 1;
    enum status status = bodies_create(out, count, 1);
    if (status != STATUS_OK)
        return status;
    (*out)->components[0].count = count;
    for (size_t i = 0; i < count; i++)
        (*out)->mass[i] = 1.0 / (double)count;
    cloud->fill(*out, &seed);
    return STATUS_OK;
}
