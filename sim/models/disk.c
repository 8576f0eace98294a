#include "sim/models/disk.h"

#include <math.h>

enum { DISK_EXTENT = 8, BESSEL_POINTS = 64, MOTION_POINTS = 512, TRIES = 100 };

/* Modified Bessel functions by the trapezoid rule on their integral forms, which converges
 * geometrically: I_n = 1/pi int_0^pi exp(x cos t) cos(n t) dt, K_n = int_0^inf exp(-x cosh t)
 * cosh(n t) dt. Both carry a factor exp(-x) or exp(x), which cancels in the products. */
static void bessel(double x, double i[2], double k[2])
{
    i[0] = i[1] = k[0] = k[1] = 0;
    for (int s = 0; s <= BESSEL_POINTS; s++) {
        double t = M_PI * s / BESSEL_POINTS, e = exp(x * (cos(t) - 1)) / BESSEL_POINTS;
        double weight = s == 0 || s == BESSEL_POINTS ? 0.5 : 1;
        i[0] += weight * e;
        i[1] += weight * e * cos(t);
    }
    double end = acosh(1 + 40 / x), step = end / BESSEL_POINTS;
    for (int s = 0; s <= BESSEL_POINTS; s++) {
        double t = step * s, e = step * exp(x * (1 - cosh(t)));
        double weight = s == 0 ? 0.5 : 1;
        k[0] += weight * e;
        k[1] += weight * e * cosh(t);
    }
}

/* Square of the circular velocity: Freeman (1970) for the thin disk, enclosed mass for the rest. */
static double circular2(const struct profile *profile, double radius)
{
    double y = radius / (2 * profile->disk_scale), i[2], k[2];
    bessel(y, i, k);
    double disk =
        2 * profile->disk_mass / profile->disk_scale * y * y * (i[0] * k[0] - i[1] * k[1]);
    return disk +
           (sphere_mass(&profile->bulge, radius) + sphere_mass(&profile->halo, radius)) / radius;
}

/* Square of the epicyclic frequency. */
static double epicyclic2(const struct profile *profile, double radius)
{
    double h = 0.01 * fmin(radius, profile->disk_scale);
    double slope = (circular2(profile, radius + h) - circular2(profile, radius - h)) / (2 * h);
    return fmax(slope / radius + 2 * circular2(profile, radius) / (radius * radius), 0);
}

static double surface_density(const struct profile *profile, double radius)
{
    return profile->disk_mass / (2 * M_PI * profile->disk_scale * profile->disk_scale) *
           exp(-radius / profile->disk_scale);
}

/* Solves 1 - (1 + x) exp(-x) = fraction, the enclosed mass of the exponential disk. */
static double disk_radius(double fraction)
{
    double low = 0, high = DISK_EXTENT;
    for (int i = 0; i < 60; i++) {
        double x = 0.5 * (low + high);
        if (1 - (1 + x) * exp(-x) < fraction)
            low = x;
        else
            high = x;
    }
    return 0.5 * (low + high);
}

struct motion {
    double mean, sigma_r, sigma_phi, sigma_z;
};

/* Hernquist (1993), section 2.2.3: sigma_R^2 falls as the surface density, softened in the centre,
 * and is set by Toomre's Q at 2.43 scale lengths (the Sun's place); the mean rotation follows from
 * the asymmetric drift. */
static struct motion disk_motion(const struct galaxy_params *galaxy, const struct profile *profile,
                                 double radius)
{
    const double scale = galaxy->disk_scale, sun = 2.43 * scale, core2 = scale * scale / 8;
    double at_sun =
        3.36 * galaxy->toomre_q * surface_density(profile, sun) / sqrt(epicyclic2(profile, sun));
    double soft = sqrt(radius * radius + core2), soft_sun = sqrt(sun * sun + core2);
    double sigma2 = at_sun * at_sun * exp((soft_sun - soft) / scale);
    double vc2 = circular2(profile, radius);
    double ratio = fmin(epicyclic2(profile, radius) * radius * radius / (4 * vc2), 1);
    double falloff = radius / scale * (1 + radius / soft);
    return (struct motion){
        .mean = sqrt(fmax(vc2 + sigma2 * (1 - ratio - falloff), 0)),
        .sigma_r = sqrt(sigma2),
        .sigma_phi = sqrt(sigma2 * ratio),
        .sigma_z = sqrt(M_PI * surface_density(profile, radius) * galaxy->disk_height),
    };
}

static double between(double a, double b, double part)
{
    return (1 - part) * a + part * b;
}

/* Linear between rows half a cell off the centre. */
static struct motion motion_at(const struct motion *table, double cells)
{
    double at = fmin(fmax(cells - 0.5, 0), MOTION_POINTS - 1.001);
    size_t i = (size_t)at;
    const struct motion *a = &table[i], *b = a + 1;
    double part = at - (double)i;
    return (struct motion){between(a->mean, b->mean, part), between(a->sigma_r, b->sigma_r, part),
                           between(a->sigma_phi, b->sigma_phi, part),
                           between(a->sigma_z, b->sigma_z, part)};
}

void disk_fill(struct bodies *bodies, size_t first, size_t count,
               const struct galaxy_params *galaxy, const struct profile *profile,
               struct random *random)
{
    const double whole = 1 - (1 + DISK_EXTENT) * exp(-DISK_EXTENT);
    const double cell = galaxy->disk_scale * DISK_EXTENT / MOTION_POINTS;
    struct motion table[MOTION_POINTS];
    for (size_t i = 0; i < MOTION_POINTS; i++)
        table[i] = disk_motion(galaxy, profile, cell * ((double)i + 0.5));

    for (size_t i = 0; i < count; i++) {
        double *x = bodies->position[first + i], *v = bodies->velocity[first + i];
        double fraction = whole * ((double)i + random_uniform(random)) / (double)count;
        double radius = galaxy->disk_scale * disk_radius(fraction), e[2];
        random_direction2(random, e);
        x[0] = radius * e[0];
        x[1] = radius * e[1];
        x[2] = galaxy->disk_height * atanh(2 * random_uniform(random) - 1);

        struct motion motion = motion_at(table, radius / cell);
        double r = sqrt(radius * radius + x[2] * x[2]);
        double limit = profile_limit(profile, r), speed = INFINITY;
        for (int try = 0; try < TRIES && speed > limit; try++) {
            double vr = motion.sigma_r * random_normal(random);
            double vphi = motion.mean + motion.sigma_phi * random_normal(random);
            v[0] = vr * e[0] - vphi * e[1];
            v[1] = vr * e[1] + vphi * e[0];
            v[2] = motion.sigma_z * random_normal(random);
            speed = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        }
        for (int k = 0; k < 3 && speed > limit; k++)
            v[k] *= limit / speed;
    }
}
