#include "sim/galaxy/speeds.h"

#include "sim/galaxy/search.h"

#include <math.h>
#include <stddef.h>

enum { TRIES = 100000 }; /* about ten suffice */

/* 4 pi int f v^2 dv at radius i; *square is the mean of v^2. Between energies f is the mean of its
 * neighbours. */
static double density_of(const struct speeds *speeds, const double f[SHELLS], int i, double *square)
{
    const double *e = speeds->depth;
    double sum = 0, warm = 0, inner = 0, inner5 = 0;
    for (int j = i + 1; j < SHELLS; j++) {
        const double v2 = 2 * (e[j] - e[i]), outer = v2 * sqrt(v2), outer5 = v2 * outer;
        const double mean = 0.5 * (f[j] + f[j - 1]);
        sum += 4 * M_PI / 3 * mean * (outer - inner);
        warm += 4 * M_PI / 5 * mean * (outer5 - inner5);
        inner = outer;
        inner5 = outer5;
    }
    *square = sum > 0 ? warm / sum : 0;
    return sum;
}

static void invert(const double slope[SHELLS], const double depth[SHELLS], double f[SHELLS])
{
    double bend[SHELLS];
    for (int j = 0; j + 1 < SHELLS; j++)
        bend[j] = (slope[j] - slope[j + 1]) / (depth[j + 1] - depth[j]) * 2;
    for (int i = 0; i < SHELLS; i++) {
        double sum = 0, inner = 0;
        for (int j = i; j + 1 < SHELLS; j++) {
            const double outer = sqrt(depth[j + 1] - depth[i]);
            sum += bend[j] * (outer - inner);
            inner = outer;
        }
        f[i] = sum / (sqrt(8) * M_PI * M_PI);
    }
}

/* Sets negative values to 0 and records the affected part of the mass. */
static void clip(struct speeds *speeds, const struct sphere *sphere)
{
    double below[SHELLS], mass = 0, square;
    bool any = false;
    for (int i = 0; i < SHELLS; i++) {
        below[i] = fmax(-speeds->f[i], 0);
        speeds->f[i] = fmax(speeds->f[i], 0);
        any = any || below[i] > 0;
    }
    for (int i = 0; any && i < SHELLS; i++) {
        const double r = speeds->radii->radius[i];
        mass += 4 * M_PI * r * r * r * speeds->radii->step * density_of(speeds, below, i, &square);
    }
    speeds->negative = mass / sphere->mass;
}

static void find_most(struct speeds *speeds)
{
    double larger[SHELLS]; /* the larger f of the ends of each interval */
    for (int j = 0; j + 1 < SHELLS; j++)
        larger[j] = fmax(speeds->f[j], speeds->f[j + 1]);
    for (int i = 0; i < SHELLS; i++) {
        double most = 0;
        for (int j = i; j + 1 < SHELLS; j++) {
            const double bound = larger[j] * 2 * (speeds->depth[j + 1] - speeds->depth[i]);
            most = bound > most ? bound : most;
        }
        speeds->most[i] = most;
    }
}

void speeds_make(const struct sphere *sphere, const struct shells *radii, const double pull[SHELLS],
                 struct speeds *out)
{
    double slope[SHELLS]; /* d rho / dPsi */
    out->radii = radii;
    shells_depth(radii, pull, out->depth);
    out->escape = out->depth[SHELLS - 1] + pull[SHELLS - 1] / radii->radius[SHELLS - 1];
    for (int i = 0; i < SHELLS; i++) {
        const double r = radii->radius[i];
        slope[i] = -sphere_slope(sphere, r) * r * r / pull[i];
    }
    invert(slope, out->depth, out->f);
    clip(out, sphere);
    find_most(out);
    for (int i = 0; i < SHELLS; i++)
        density_of(out, out->f, i, &out->square[i]);
}

double speeds_f(const struct speeds *speeds, double energy)
{
    const double *e = speeds->depth;
    if (!(energy > e[0]))
        return speeds->f[0];
    if (!(energy < e[SHELLS - 1]))
        return 0;
    const size_t low = search_cell(e, SHELLS, energy), high = low + 1;
    const double part = (energy - e[low]) / (e[high] - e[low]);
    return (1 - part) * speeds->f[low] + part * speeds->f[high];
}

double speeds_draw(const struct speeds *speeds, double r, struct random *random)
{
    const double at = shells_place(speeds->radii, r), depth = shells_read(speeds->depth, at);
    const double most = speeds->most[at < SHELLS - 1 ? (size_t)at : SHELLS - 1];
    if (!(most > 0))
        return 0;
    const double limit = sqrt(2 * (speeds->escape - depth));
    double v = 0;
    for (int try = 0; try < TRIES; try++) {
        v = limit * random_uniform(random);
        const double f = speeds_f(speeds, depth + v * v / 2);
        if (f * v * v > most * random_uniform(random))
            break;
    }
    return v;
}
