#include "sim/galaxy/orbits.h"

#include "base/functions/fn.h"
#include "sim/galaxy/search.h"

#include <math.h>

void orbits_radii(double end, double radius[ORBITS])
{
    for (int i = 0; i < ORBITS; i++) {
        const double q = (i + 0.5) / ORBITS;
        radius[i] = end * q * q;
    }
}

/* Integral of the cubic over the first `t` of a cell. */
static double integral(const struct orbits *o, size_t i, double t)
{
    const double d = o->radius[i + 1] - o->radius[i], t2 = t * t, t3 = t2 * t, t4 = t2 * t2;
    return d * (o->pull[i] * (t - t3 + t4 / 2) + o->pull[i + 1] * (t3 - t4 / 2) +
                d * (o->slope[i] * (t2 / 2 - 2 * t3 / 3 + t4 / 4) +
                     o->slope[i + 1] * (t4 / 4 - t3 / 3)));
}

static double pull_in(const struct orbits *o, size_t i, double t)
{
    const double d = o->radius[i + 1] - o->radius[i], t2 = t * t, t3 = t2 * t;
    return o->pull[i] * (1 - 3 * t2 + 2 * t3) + o->pull[i + 1] * (3 * t2 - 2 * t3) +
           d * (o->slope[i] * (t - 2 * t2 + t3) + o->slope[i + 1] * (t3 - t2));
}

void orbits_make(double end, const double pull[ORBITS], struct orbits *out)
{
    out->end = end;
    orbits_radii(end, out->radius);
    for (int i = 0; i < ORBITS; i++)
        out->pull[i] = pull[i];
    for (int i = 0; i < ORBITS; i++) {
        const int before = i > 0 ? i - 1 : i, after = i < ORBITS - 1 ? i + 1 : i;
        const double q = (i + 0.5) / ORBITS, per = 2.0 * end * q / ORBITS; /* per: dR of a step */
        out->slope[i] = i == 0 ? pull[0] / out->radius[0]
                               : (pull[after] - pull[before]) / ((after - before) * per);
        const double turn2 = pull[i] / out->radius[i];
        out->epicyclic[i] = sqrt(fmax(out->slope[i] + 3 * turn2, turn2 / 4));
        out->spin2[i] = fn_pow(out->radius[i], 3) * pull[i];
        if (i > 0 && out->spin2[i] <= out->spin2[i - 1]) /* no stable orbits */
            out->spin2[i] = out->spin2[i - 1] * (1 + 1e-9);
    }
    out->potential[0] = 0;
    for (size_t i = 0; i + 1 < ORBITS; i++)
        out->potential[i + 1] = out->potential[i] + integral(out, i, 1);
}

size_t orbits_cell(const struct orbits *orbits, double radius, double *part)
{
    const double at = ORBITS * sqrt(radius / orbits->end) - 0.5;
    const double inside = at > 0 ? (at < ORBITS - 1 ? at : ORBITS - 1) : 0;
    const size_t i = inside < ORBITS - 1 ? (size_t)inside : ORBITS - 2;
    *part = inside - (double)i;
    return i;
}

double orbits_at(const struct orbits *orbits, const double values[ORBITS], double radius)
{
    double part;
    const size_t i = orbits_cell(orbits, radius, &part);
    return (1 - part) * values[i] + part * values[i + 1];
}

/* The cell of R, and R's position in it. */
static size_t cell_of(const struct orbits *o, double radius, double *t)
{
    double part;
    size_t i = orbits_cell(o, radius, &part);
    *t = fmin(fmax((radius - o->radius[i]) / (o->radius[i + 1] - o->radius[i]), 0), 1);
    return i;
}

double orbits_potential(const struct orbits *orbits, double radius)
{
    double t;
    const size_t i = cell_of(orbits, radius, &t);
    return orbits->potential[i] + integral(orbits, i, t);
}

double orbits_guiding(const struct orbits *orbits, double spin)
{
    const double *table = orbits->spin2, want = spin * spin;
    if (!(want > table[0])) /* a homogeneous core */
        return orbits->radius[0] * sqrt(spin / sqrt(table[0]));
    if (!(want < table[ORBITS - 1]))
        return orbits->end;
    const size_t low = search_cell(table, ORBITS, want), high = low + 1;
    const double inner = orbits->radius[low], width = orbits->radius[high] - inner;
    double t = (want - table[low]) / (table[high] - table[low]);
    for (int i = 0; i < 2; i++) { /* Newton's method */
        const double r = inner + t * width, k = orbits->epicyclic[low];
        t -= (r * r * r * pull_in(orbits, low, t) - want) / (r * r * r * k * k) / width;
        t = fmin(fmax(t, 0), 1);
    }
    return inner + t * width;
}
