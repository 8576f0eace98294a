#include "sim/models/profile.h"

#include <math.h>
#include <stddef.h>

enum { BULGE_EXTENT = 10, HALO_EXTENT = 6 }; /* edges, in scale lengths */

/* Mass fraction of the uncut sphere. */
static double hernquist_fraction(double r, double scale)
{
    double x = r / (r + scale);
    return x * x;
}

double sphere_mass(const struct sphere *sphere, double r)
{
    if (!(sphere->mass > 0))
        return 0;
    return sphere->mass * hernquist_fraction(fmin(r, sphere->edge), sphere->scale) /
           hernquist_fraction(sphere->edge, sphere->scale);
}

/* Up to a constant factor, which the Jeans equation does not see. */
static double sphere_density(const struct sphere *sphere, double r)
{
    double x = r / sphere->scale;
    return r < sphere->edge ? 1 / (x * pow(1 + x, 3)) : 0;
}

static double profile_mass(const struct profile *profile, double r)
{
    double x = profile->disk_mass > 0 ? r / profile->disk_scale : 0;
    return profile->disk_mass * (1 - (1 + x) * exp(-x)) + sphere_mass(&profile->bulge, r) +
           sphere_mass(&profile->halo, r);
}

/* The width of the Maxwellian that has, cut off at `limit`, the dispersion sigma2: with s the limit
 * in widths, sigma2 / limit^2 = (1 - s^3 exp(-s^2/2) / (3 D)) / s^2, where
 * D = sqrt(pi/2) erf(s / sqrt 2) - s exp(-s^2/2). It falls from 1/5 at s = 0 to 1 / s^2. */
static double maxwell_width(double sigma2, double limit)
{
    const double want = sigma2 / (limit * limit);
    double low = 1, high = 20;
    for (int i = 0; i < 40; i++) {
        double s = 0.5 * (low + high), e = s * exp(-0.5 * s * s);
        double kept = 1 - s * s * e / (3 * (sqrt(M_PI / 2) * erf(s / sqrt(2)) - e));
        if (kept / (s * s) > want)
            low = s;
        else
            high = s;
    }
    return high < 19 ? limit / high : sqrt(sigma2);
}

/* Isotropic Jeans equation: rho sigma^2 = integral from r to the edge of rho G M / r^2 dr. */
static void solve_jeans(const struct profile *profile, const struct sphere *sphere, double *width)
{
    double step = log(profile->radius[1] / profile->radius[0]), pressure = 0, outer = 0;
    for (size_t i = PROFILE_POINTS; i-- > 0;) {
        double r = profile->radius[i];
        double density = sphere->mass > 0 ? sphere_density(sphere, r) : 0;
        double inner = density * profile_mass(profile, r) / r;
        pressure += 0.5 * step * (inner + outer);
        outer = inner;
        width[i] = density > 0 ? maxwell_width(pressure / density, profile_limit(profile, r)) : 0;
    }
}

void profile_make(const struct galaxy_params *galaxy, struct profile *out)
{
    out->disk_mass = galaxy->disk_mass;
    out->disk_scale = galaxy->disk_scale;
    out->bulge = (struct sphere){galaxy->bulge_mass, galaxy->bulge_scale,
                                 BULGE_EXTENT * galaxy->bulge_scale};
    out->halo =
        (struct sphere){galaxy->halo_mass, galaxy->halo_scale, HALO_EXTENT * galaxy->halo_scale};

    double smallest = INFINITY, largest = 0;
    const double mass[3] = {galaxy->disk_mass, galaxy->bulge_mass, galaxy->halo_mass};
    const double scale[3] = {galaxy->disk_scale, galaxy->bulge_scale, galaxy->halo_scale};
    for (int i = 0; i < 3; i++) {
        if (mass[i] > 0) {
            smallest = fmin(smallest, scale[i]);
            largest = fmax(largest, scale[i]);
        }
    }
    double first = 1e-3 * smallest, growth = log(20 * largest / first) / (PROFILE_POINTS - 1);
    for (size_t i = 0; i < PROFILE_POINTS; i++)
        out->radius[i] = first * exp(growth * (double)i);

    double last = out->radius[PROFILE_POINTS - 1], outer = profile_mass(out, last) / last;
    double potential = -outer;
    for (size_t i = PROFILE_POINTS; i-- > 0;) {
        double inner = profile_mass(out, out->radius[i]) / out->radius[i];
        potential -= 0.5 * growth * (inner + outer);
        outer = inner;
        out->potential[i] = potential;
    }
    solve_jeans(out, &out->bulge, out->bulge_width);
    solve_jeans(out, &out->halo, out->halo_width);
}

double profile_value(const struct profile *profile, const double *table, double r)
{
    const double *radius = profile->radius;
    if (!(r > radius[0]))
        return table[0];
    double at = log(r / radius[0]) / log(radius[1] / radius[0]);
    if (!(at < PROFILE_POINTS - 1))
        return table[PROFILE_POINTS - 1];
    size_t i = (size_t)at;
    double part = at - (double)i;
    return (1 - part) * table[i] + part * table[i + 1];
}

double profile_limit(const struct profile *profile, double r)
{
    return 0.95 * sqrt(-2 * profile_value(profile, profile->potential, r));
}
