#include "sim/galaxy/spheroid.h"

#include "base/choice.h"
#include "base/functions/fn.h"

#include <math.h>

enum { FAR = 20 }; /* in edges, where sech is 4e-9 */

static double hernquist(double x, double index)
{
    (void)index;
    return 1 / (x * (1 + x) * (1 + x) * (1 + x));
}

static double hernquist_slope(double x, double index)
{
    (void)index;
    return -1 - 3 * x / (1 + x);
}

static double nfw(double x, double index)
{
    (void)index;
    return 1 / (x * (1 + x) * (1 + x));
}

static double nfw_slope(double x, double index)
{
    (void)index;
    return -1 - 2 * x / (1 + x);
}

static double isothermal(double x, double index)
{
    (void)index;
    return 1 / (1 + x * x);
}

static double isothermal_slope(double x, double index)
{
    (void)index;
    return -2 * x * x / (1 + x * x);
}

/* The deprojected Sersic profile with effective radius 1: Prugniel and Simien (1997), with
 * exponents by Lima Neto, Gerbal and Marquez (1999) and Ciotti and Bertin (1999). */
static double sersic_cusp(double n)
{
    return 1 - 0.6097 / n + 0.05463 / (n * n);
}

static double sersic_rate(double n)
{
    return 2 * n - 1.0 / 3 + 0.009876 / n;
}

static double sersic(double x, double n)
{
    return fn_pow(x, -sersic_cusp(n)) * fn_exp(-sersic_rate(n) * fn_pow(x, 1 / n));
}

static double sersic_slope(double x, double n)
{
    return -sersic_cusp(n) - sersic_rate(n) / n * fn_pow(x, 1 / n);
}

static const struct spheroid bulges[] = {
    {"hernquist", "L. Hernquist's (1990): 1/r inside, 1/r^4 outside", 10, hernquist,
     hernquist_slope},
    {"sersic", "projects to Sersic's profile of sersic_index; the scale is the effective radius",
     10, sersic, sersic_slope},
};
const struct registry bulge_profile_registry = REGISTRY_OF("bulge profile", bulges);

static const struct spheroid haloes[] = {
    {"hernquist", "L. Hernquist's (1990): 1/r inside, 1/r^4 outside", 6, hernquist,
     hernquist_slope},
    {"nfw", "Navarro, Frenk and White's (1997): 1/r inside, 1/r^3 outside", 10, nfw, nfw_slope},
    {"isothermal", "a core of the scale length, 1/r^2 outside", 10, isothermal, isothermal_slope},
};
const struct registry halo_profile_registry = REGISTRY_OF("halo profile", haloes);

static double shape(const struct sphere *sphere, double r)
{
    return sphere->profile->density(r / sphere->scale, sphere->index) / fn_cosh(r / sphere->edge);
}

struct sphere sphere_of(const struct galaxy_params *galaxy, enum spheroid_part part)
{
    enum { POINTS = 400 };
    const bool bulge = part == SPHEROID_BULGE;
    const struct spheroid *profile = bulge ? galaxy->bulge_profile : galaxy->halo_profile;
    if (!profile)
        profile = bulge ? bulges : haloes;
    const double edge = bulge ? galaxy->bulge_edge : galaxy->halo_edge;
    struct sphere sphere = {
        .profile = profile,
        .mass = bulge ? galaxy->bulge_mass : galaxy->halo_mass,
        .scale = bulge ? galaxy->bulge_scale : galaxy->halo_scale,
        .index = galaxy->sersic_index > 0 ? galaxy->sersic_index : 4,
    };
    if (!(sphere.mass > 0))
        return sphere;
    sphere.edge = edge > 0 ? edge : profile->edge * sphere.scale;
    const double first = 1e-5 * fmin(sphere.scale, sphere.edge);
    const double step = fn_log(FAR * sphere.edge / first) / POINTS;
    double mass = 0;
    for (int i = 0; i <= POINTS; i++) {
        const double r = first * fn_exp(step * i);
        mass += 4 * M_PI * step * r * r * r * shape(&sphere, r);
    }
    sphere.unit = sphere.mass / mass;
    return sphere;
}

double sphere_density(const struct sphere *sphere, double r)
{
    return sphere->mass > 0 ? sphere->unit * shape(sphere, r) : 0;
}

double sphere_slope(const struct sphere *sphere, double r)
{
    if (!(sphere->mass > 0))
        return 0;
    const double slope = sphere->profile->slope(r / sphere->scale, sphere->index) / r;
    return sphere_density(sphere, r) * (slope - fn_tanh(r / sphere->edge) / sphere->edge);
}

double sphere_end(const struct sphere *sphere)
{
    return sphere->mass > 0 ? FAR * sphere->edge : 0;
}
