#include "sim/motion.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/sort.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLE = 1024, NEIGHBOURS = 8 };

struct sample {
    size_t count;
    double all; /* number of bodies with mass */
    double mass[SAMPLE], position[SAMPLE][3], velocity[SAMPLE][3];
};

static double length(const double v[3])
{
    return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
}

/* Samples every k-th body with mass, and scales the sample to the total mass. */
static double take(struct sample *sample, const struct bodies *bodies)
{
    size_t massive = 0, seen = 0;
    double all = 0, taken = 0;
    for (size_t i = 0; i < bodies->count; i++) {
        massive += bodies->mass[i] > 0;
        all += bodies->mass[i];
    }
    /* An odd stride, because two galaxies may alternate in a table. */
    const size_t every = (massive + SAMPLE - 1) / SAMPLE | 1;
    sample->count = 0;
    sample->all = (double)massive;
    for (size_t i = 0; i < bodies->count; i++) {
        if (!(bodies->mass[i] > 0) || seen++ % every != 0)
            continue;
        const size_t n = sample->count++;
        taken += sample->mass[n] = bodies->mass[i];
        memcpy(sample->position[n], bodies->position[i], sizeof sample->position[n]);
        memcpy(sample->velocity[n], bodies->velocity[i], sizeof sample->velocity[n]);
    }
    for (size_t n = 0; n < sample->count; n++)
        sample->mass[n] *= all / taken;
    return all;
}

static void centre(struct sample *sample, double (*vectors)[3], double mass)
{
    double mean[3] = {0};
    for (size_t n = 0; n < sample->count; n++)
        for (int c = 0; c < 3; c++)
            mean[c] += sample->mass[n] * vectors[n][c] / mass;
    for (size_t n = 0; n < sample->count; n++)
        for (int c = 0; c < 3; c++)
            vectors[n][c] -= mean[c];
}

struct weighed {
    double length, mass;
};

static int by_length(const void *a, const void *b)
{
    const double x = ((const struct weighed *)a)->length, y = ((const struct weighed *)b)->length;
    return (x > y) - (x < y);
}

/* The length below which vectors have `part` of the mass. */
static double holding(const struct sample *sample, double (*vectors)[3], double part)
{
    struct weighed *list = memory_new(sample->count, sizeof *list);
    double all = 0, sum = 0, found = 0;
    for (size_t n = 0; n < sample->count; n++) {
        list[n] = (struct weighed){length(vectors[n]), sample->mass[n]};
        all += sample->mass[n];
    }
    qsort(list, sample->count, sizeof *list, by_length);
    for (size_t n = 0; n < sample->count && sum < part * all * (1 - 1e-9); n++) {
        sum += list[n].mass;
        found = list[n].length;
    }
    free(list);
    return found;
}

static double kinetic(const struct sample *sample)
{
    double sum = 0;
    for (size_t n = 0; n < sample->count; n++) {
        const double v = length(sample->velocity[n]);
        sum += sample->mass[n] * v * v / 2;
    }
    return sum;
}

/* The magnitude of the potential energy, and the accelerations. */
static double attract(const struct sample *sample, double eps, double (*acceleration)[3])
{
    double sum = 0;
    memset(acceleration, 0, sample->count * sizeof *acceleration);
    for (size_t i = 0; i < sample->count; i++)
        for (size_t j = 0; j < i; j++) {
            double d[3];
            for (int c = 0; c < 3; c++)
                d[c] = sample->position[j][c] - sample->position[i][c];
            const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + eps * eps);
            sum += sample->mass[i] * sample->mass[j] / r;
            for (int c = 0; c < 3; c++) {
                acceleration[i][c] += sample->mass[j] * d[c] / (r * r * r);
                acceleration[j][c] -= sample->mass[i] * d[c] / (r * r * r);
            }
        }
    return sum;
}

/* Around body i: the sphere of its nearest neighbours in the sample, by its radius and their mass.
 * Returns how many they are. */
static size_t find_neighbourhood(const struct sample *sample, size_t i, double *radius,
                                 double *mass)
{
    struct weighed near[NEIGHBOURS];
    size_t count = 0;
    for (size_t j = 0; j < sample->count; j++) {
        double d[3];
        for (int c = 0; c < 3; c++)
            d[c] = sample->position[j][c] - sample->position[i][c];
        const struct weighed next = {length(d), sample->mass[j]};
        if (j == i || (count == NEIGHBOURS && !(next.length < near[count - 1].length)))
            continue;
        size_t place = count < NEIGHBOURS ? count++ : count - 1;
        for (; place > 0 && near[place - 1].length > next.length; place--)
            near[place] = near[place - 1];
        near[place] = next;
    }
    *radius = near[count - 1].length;
    *mass = 0;
    for (size_t k = 0; k < count; k++)
        *mass += near[k].mass;
    return count;
}

/* The mean distance of neighbours, and the density, at the densest quarter of the bodies; bodies at
 * a single place are ignored. */
static void measure_density(const struct sample *sample, double *spacing, double *density)
{
    double *distances = memory_new(sample->count, sizeof *distances),
           *densities = memory_new(sample->count, sizeof *densities);
    const double each = sample->all / (double)sample->count; /* bodies per sample */
    size_t count = 0;
    for (size_t i = 0; i < sample->count; i++) {
        double radius, mass;
        const size_t near = find_neighbourhood(sample, i, &radius, &mass);
        const double volume = 4 * M_PI / 3 * radius * radius * radius;
        if (!(volume > 0))
            continue;
        distances[count] = fn_cbrt(volume / ((double)near * each));
        densities[count++] = mass / volume;
    }
    sort_doubles(distances, count);
    sort_doubles(densities, count);
    *spacing = count > 0 ? distances[count / 4] : 0;
    *density = count > 0 ? densities[count - 1 - count / 4] : 0;
    free(distances);
    free(densities);
}

static double least_positive(double a, double b)
{
    return !(a > 0) ? b : !(b > 0) ? a : fmin(a, b);
}

static void judge(const struct sample *sample, double mass, double softening, struct motion *out)
{
    double(*acceleration)[3] = memory_new(sample->count, sizeof *acceleration);
    const double k = kinetic(sample), speed = sqrt(2 * k / mass);
    const double w = attract(sample, 0.3 * out->half / fn_cbrt(sample->all), acceleration),
                 radius = mass * mass / w;
    const double size = fmax(radius, out->most);
    out->virial = 2 * k / w;
    out->time =
        least_positive(sqrt(size * size * size / mass), speed > 0 ? 2 * out->most / speed : 0);
    double spacing, density;
    measure_density(sample, &spacing, &density);
    out->turn = density > 0 ? sqrt(3 * M_PI / density) : out->time;
    out->softening = least_positive(spacing / 2, out->half / 10);
    const double eps = softening > 0 ? softening : out->softening;
    attract(sample, eps, acceleration);
    const double pull = holding(sample, acceleration, 0.98);
    const double fast = holding(sample, (double(*)[3])sample->velocity, 0.98);
    out->dt =
        least_positive(pull > 0 ? 0.2 * sqrt(eps / pull) : 0, fast > 0 ? 1.5 * eps / fast : 0);
    free(acceleration);
}

bool motion_measure(const struct bodies *bodies, double softening, struct motion *out)
{
    struct sample *sample = memory_new(1, sizeof *sample);
    const double mass = take(sample, bodies);
    *out = (struct motion){0};
    bool good = sample->count >= 2;
    if (good) {
        centre(sample, sample->position, mass);
        centre(sample, sample->velocity, mass);
        out->half = holding(sample, sample->position, 0.5);
        out->most = holding(sample, sample->position, 0.9);
        good = out->half > 0;
    }
    if (good)
        judge(sample, mass, softening, out);
    free(sample);
    return good && isfinite(out->time) && isfinite(out->dt) && out->time > 0 && out->dt > 0 &&
           isfinite(out->virial) && out->softening > 0;
}

double motion_pair_time(const struct bodies *bodies, double softening)
{
    double least = INFINITY;
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        const double eps = component->softening > 0 ? component->softening : softening;
        double heaviest = 0;
        for (size_t i = component->first; i < component->first + component->count; i++)
            heaviest = fmax(heaviest, bodies->mass[i]);
        if (heaviest > 0)
            least = fmin(least, sqrt(eps * eps * eps / (2 * heaviest)));
    }
    return least;
}

/* The semi-major axis of two bodies' orbit; 0: they are not bound. */
static double axis_of(const struct bodies *bodies, size_t a, size_t b)
{
    double apart[3], fast[3];
    for (int c = 0; c < 3; c++) {
        apart[c] = bodies->position[a][c] - bodies->position[b][c];
        fast[c] = bodies->velocity[a][c] - bodies->velocity[b][c];
    }
    const double mass = bodies->mass[a] + bodies->mass[b], r = length(apart), v = length(fast);
    const double energy = v * v / 2 - mass / r;
    return r > 0 && energy < 0 ? -mass / (2 * energy) : 0;
}

static void take_orbit(struct orbits *orbits, double axis, double mass)
{
    const double period = 2 * M_PI * sqrt(axis * axis * axis / mass);
    orbits->shortest = least_positive(orbits->shortest, period);
    orbits->closest = least_positive(orbits->closest, axis);
}

/* Takes the orbits of bodies that are bound to another one within its Hill sphere, and marks
 * them. */
static void take_moons(const struct bodies *bodies, size_t heaviest, struct orbits *orbits,
                       bool *moon)
{
    for (size_t i = 0; i < bodies->count; i++)
        for (size_t j = 0; j < i; j++) {
            const size_t planet = bodies->mass[i] > bodies->mass[j] ? i : j;
            const double mass = bodies->mass[i] + bodies->mass[j], axis = axis_of(bodies, i, j);
            const double hill =
                axis_of(bodies, planet, heaviest) * fn_cbrt(mass / (3 * bodies->mass[heaviest]));
            if (i == heaviest || j == heaviest || !(axis > 0 && axis < hill))
                continue;
            take_orbit(orbits, axis, mass);
            moon[planet == i ? j : i] = true;
        }
}

bool motion_orbits(const struct bodies *bodies, struct orbits *out)
{
    size_t heaviest = 0, others = 0;
    double all = 0;
    bool moon[SAMPLE] = {false};
    *out = (struct orbits){0};
    for (size_t i = 0; i < bodies->count; i++) {
        all += bodies->mass[i];
        heaviest = bodies->mass[i] > bodies->mass[heaviest] ? i : heaviest;
    }
    if (bodies->count < 2 || bodies->count > SAMPLE ||
        !(bodies->mass[heaviest] >= 0.9 * all && all > 0))
        return false;
    take_moons(bodies, heaviest, out, moon);
    for (size_t c = 0; c < bodies->component_count; c++) {
        const struct component *component = &bodies->components[c];
        for (size_t i = component->first; i < component->first + component->count; i++) {
            const double axis = axis_of(bodies, i, heaviest);
            const double mass = bodies->mass[i] + bodies->mass[heaviest];
            if (i == heaviest || !component->draw || moon[i])
                continue;
            others++;
            if (!(axis > 0))
                continue;
            out->count++;
            take_orbit(out, axis, mass);
            out->longest = fmax(out->longest, 2 * M_PI * sqrt(axis * axis * axis / mass));
        }
    }
    return out->count > 0 && 2 * out->count > others && isfinite(out->longest);
}
