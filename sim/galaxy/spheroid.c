#include "sim/galaxy/spheroid.h"

#include "base/choice.h"
#include "base/functions/fn.h"

#include <math.h>

void shells_init(struct shells *shells, double first, double last)
{
    shells->step = fn_log(last / first) / (SHELLS - 1);
    for (int i = 0; i < SHELLS; i++) {
        shells->radius[i] = first * fn_exp(shells->step * i);
        shells->mass[i] = 0;
    }
}

void shells_enclosed(const struct shells *shells, double enclosed[SHELLS])
{
    double below = 0;
    for (int i = 0; i < SHELLS; i++) {
        enclosed[i] = below + shells->mass[i] / 2;
        below += shells->mass[i];
    }
}

/* The force at r of a shell with mass 1 and radius s, written without cancellation. */
static double pull_of(double r, double s, double eps)
{
    const double p = r * r, q = s * s, e = eps * eps, far2 = (r + s) * (r + s) + e;
    const double near2 = (r - s) * (r - s) + e, both = sqrt(far2 * near2);
    if (!(both > 0))
        return 0.5;
    const double sum = sqrt(far2 + near2 + 2 * both);
    const double part = q < p + e ? p - q + e + both : 4 * q * e / (both + q - p - e);
    return 4 * p * r * part / (both * sum * sum * sum);
}

/* Coarse radii are APART shells apart; the last ones may lie outside. */
enum { APART = 4, COARSE = (SHELLS - 1) / APART + 2 };

/* Lagrange's cubic through four of `values`, in units of their spacing. */
static double cubic(const double values[COARSE], double at)
{
    const int i = at < 1 ? 0 : at < COARSE - 3 ? (int)at - 1 : COARSE - 4;
    const double t = at - i, a = t - 1, b = t - 2, c = t - 3, *v = values + i;
    return -a * b * c / 6 * v[0] + t * b * c / 2 * v[1] - t * a * c / 2 * v[2] +
           t * a * b / 6 * v[3];
}

void shells_pull(const struct shells *shells, double softening, double pull[SHELLS])
{
    double coarse[COARSE], enclosed[SHELLS];
    shells_enclosed(shells, enclosed);
    if (!(enclosed[SHELLS - 1] > 0))
        return;
    for (int i = 0; i < SHELLS && softening == 0; i++)
        pull[i] += enclosed[i];
    if (softening == 0)
        return;
    for (int i = 0; i < COARSE; i++) {
        const double r = shells->radius[0] * fn_exp(shells->step * APART * i);
        double sum = 0;
        for (int j = 0; j < SHELLS; j++)
            if (shells->mass[j] > 0)
                sum += shells->mass[j] * pull_of(r, shells->radius[j], softening);
        coarse[i] = fn_log(sum);
    }
    for (int i = 0; i < SHELLS; i++)
        pull[i] += fn_exp(cubic(coarse, (double)i / APART));
}

void shells_depth(const struct shells *shells, const double pull[SHELLS], double depth[SHELLS])
{
    double inner = pull[0] / shells->radius[0];
    depth[0] = inner / 2;
    for (int i = 1; i < SHELLS; i++) {
        const double outer = pull[i] / shells->radius[i];
        depth[i] = depth[i - 1] + 0.5 * shells->step * (inner + outer);
        inner = outer;
    }
}

double shells_place(const struct shells *shells, double r)
{
    return r > shells->radius[0] ? fn_log(r / shells->radius[0]) / shells->step : 0;
}

double shells_read(const double values[SHELLS], double at)
{
    if (!(at < SHELLS - 1))
        return values[SHELLS - 1];
    const size_t i = (size_t)at;
    const double part = at - (double)i;
    return (1 - part) * values[i] + part * values[i + 1];
}

double shells_at(const struct shells *shells, const double values[SHELLS], double r)
{
    return shells_read(values, shells_place(shells, r));
}

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
