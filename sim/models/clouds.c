#include "sim/models/models.h"

#include "base/functions/fn.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/ranks/ranks.h"
#include "sim/bodies/bodies.h"
#include "sim/bodies/edit.h"
#include "sim/bodies/bodies_whole.h"
#include "sim/params.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Shared by the models of a single cloud: one component of bodies of equal mass, in N-body units,
 * with the virial ratio of the scene. */

/* The number among all of the first body. */
static inline size_t cloud_first(const struct bodies *bodies)
{
    return (size_t)bodies->components[0].before;
}

static const double cloud_potential = -0.5;

/* Makes params->count bodies with a total mass of 1 in one component of that name; everything else
 * is zero. With params->divide, makes this rank's share of them. STATUS_USAGE without a count,
 * STATUS_RUNTIME when they do not fit in memory. */
static enum status cloud_create(const struct bodies_params *params, const char *name,
                                struct bodies **out)
{
    *out = NULL;
    if (params->count == 0)
        return status_fail(STATUS_USAGE,
                           "bodies.count is 0, and the model '%s' needs a number; give -n", name);
    struct component component = {.count = params->count, .draw = true, .light = 1};
    snprintf(component.name, BODIES_NAME_MAX, "%s", name);
    if (params->divide)
        whole_divide(&component, 0, (unsigned)ranks_own(), (unsigned)ranks_count());
    enum status status = bodies_create(out, component.count, 1);
    if (status != STATUS_OK)
        return status;
    struct bodies *bodies = *out;
    bodies->components[0] = component;
    bodies->shared = params->divide;
    for (size_t i = 0; i < bodies->count; i++)
        bodies->mass[i] = 1 / (double)params->count;
    return STATUS_OK;
}

static void add_kinetic(const void *user, const struct bodies *bodies, size_t first, size_t count,
                        double *sum)
{
    (void)user;
    for (size_t i = first; i < first + count; i++)
        for (int k = 0; k < 3; k++)
            *sum += bodies->mass[i] * bodies->velocity[i][k] * bodies->velocity[i][k] / 2;
}

/* Collective with params->divide: moves the centre of mass to the origin and to rest, and scales
 * the velocities to the scene's virial ratio 2T / |W|, or else to `usual`, for a potential energy
 * of -1/2; if both are 0, the velocities stay. */
static enum status cloud_settle(const struct bodies_params *params, double usual,
                                struct bodies *bodies)
{
    const double ratio = params->virial_ratio > 0 ? params->virial_ratio : usual;
    double kinetic = 0;
    enum status status = whole_centre(bodies, 0, 1);
    if (status == STATUS_OK)
        status = whole_continue(bodies, 0, add_kinetic, NULL, &kinetic, 1);
    if (status == STATUS_OK && ratio > 0 && kinetic > 0)
        bodies_scale(bodies, 1, sqrt(ratio * -cloud_potential / (2 * kinetic)), 1);
    return status;
}

/* The potential energy is -3/5 M^2 / R. No distribution function keeps a uniform sphere stationary;
 * the Jeans equations give the dispersion M (R^2 - r^2) / (2 R^3), which balances it initially. */
static enum status uniform_make(const struct bodies_params *params, struct bodies **out)
{
    static const double radius = 1.2;
    enum status status = cloud_create(params, "uniform", out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random = random_of(params->seed, 0, cloud_first(*out) + i);
        const double r = fn_cbrt(random_uniform(&random));
        random_direction3(&random, (*out)->position[i]);
        for (int k = 0; k < 3; k++) {
            (*out)->position[i][k] *= r * radius;
            (*out)->velocity[i][k] = random_normal(&random) * sqrt((1 - r * r) / (2 * radius));
        }
    }
    return status == STATUS_OK ? cloud_settle(params, 0, *out) : status;
}

const struct bodies_model model_uniform = {
    .name = "uniform",
    .doc = "a sphere of even density, N-body units; with a small bodies.virial_ratio it collapses",
    .make = uniform_make,
};

/* Two points of a unit cube have a mean inverse distance of
 *     2/5 (1 + sqrt(2) - 2 sqrt(3) + 5 ln((1 + sqrt(2)) (2 + sqrt(3)))) - 2 pi / 3 = 1.8823,
 *   (Bailey, Borwein and Crandall 2007, J. Comput. Appl. Math. 206, 196). A cube with this side has
 *   a potential energy of -1/2. */
static enum status cube_make(const struct bodies_params *params, struct bodies **out)
{
    static const double side = 1.88231264438966;
    enum status status = cloud_create(params, "cube", out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random = random_of(params->seed, 0, cloud_first(*out) + i);
        for (int k = 0; k < 3; k++) {
            (*out)->position[i][k] = (random_uniform(&random) - 0.5) * side;
            if (params->virial_ratio > 0)
                (*out)->velocity[i][k] = random_normal(&random);
        }
    }
    return status == STATUS_OK ? cloud_settle(params, 0, *out) : status;
}

const struct bodies_model model_cube = {
    .name = "cube",
    .doc = "an evenly filled cube, N-body units, at rest unless bodies.virial_ratio is given",
    .make = cube_make,
};

/* A shell of radius 1 has the potential energy -M^2 / 2R = -1/2. */
static enum status shell_make(const struct bodies_params *params, struct bodies **out)
{
    enum status status = cloud_create(params, "shell", out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random = random_of(params->seed, 0, cloud_first(*out) + i);
        double *x = (*out)->position[i], *v = (*out)->velocity[i];
        random_direction3(&random, x);
        v[0] = -x[1];
        v[1] = x[0];
    }
    return status == STATUS_OK ? cloud_settle(params, 0.3, *out) : status;
}

const struct bodies_model model_shell = {
    .name = "shell",
    .doc = "a thin spherical shell that rotates about the z axis, N-body units; "
           "bodies.virial_ratio, 0.3 by default, sets the speed",
    .make = shell_make,
};

enum { N = ISOTROPIC_POINTS, BINS = 16 };

/* The density and its first two derivatives by ln(r), by fourth-order differences. */
static void derive(double (*density)(double radius, const void *user), const void *user, double r,
                   double rho[3])
{
    const double h = 0.01;
    double at[5];
    for (int k = 0; k < 5; k++)
        at[k] = density(r * fn_exp((k - 2) * h), user);
    rho[0] = at[2];
    rho[1] = (at[0] - 8 * at[1] + 8 * at[3] - at[4]) / (12 * h);
    rho[2] = (-at[0] + 16 * at[1] - 30 * at[2] + 16 * at[3] - at[4]) / (12 * h * h);
}

/* d^2 rho / d psi^2 with d psi / d ln(r) = -M / r. */
static double curvature(const double rho[3], double r, double mass)
{
    const double slope = r / mass, bend = 1 - 4 * M_PI * r * r * r * rho[0] / mass;
    return slope * slope * (rho[2] + rho[1] * bend);
}

/* The integral (models.h), with curvature linear in psi between two radii. */
static double invert(const struct isotropic *s, const double *g, int k)
{
    double sum = 0;
    for (int j = k; j + 1 < N; j++) {
        const double a = s->psi[k] - s->psi[j], b = s->psi[k] - s->psi[j + 1];
        const double slope = (g[j + 1] - g[j]) / (b - a), level = g[j] - slope * a;
        sum += 2 * level * (sqrt(b) - sqrt(a)) + 2 * slope / 3 * (b * sqrt(b) - a * sqrt(a));
    }
    return fmax(sum, 0);
}

void isotropic_make(double (*density)(double radius, const void *user), const void *user,
                    double first, double last, struct isotropic *out)
{
    const double step = fn_log(last / first) / (N - 1);
    double rho[N][3], g[N];
    for (int k = 0; k < N; k++) {
        const double r = out->radius[k] = first * fn_exp(k * step);
        derive(density, user, r, rho[k]);
        const double shell = 4 * M_PI * r * r * r * rho[k][0];
        /* Inside the first radius the density is extrapolated; then the trapezoid rule in ln(r),
         * with the slopes at both ends (Euler-Maclaurin). */
        if (k == 0) {
            out->mass[k] = shell / (3 + rho[k][1] / rho[k][0]);
            continue;
        }
        const double p = out->radius[k - 1], before = 4 * M_PI * p * p * p * rho[k - 1][0];
        const double bend = (before * (3 + rho[k - 1][1] / rho[k - 1][0]) -
                             shell * (3 + rho[k][1] / fmax(rho[k][0], 1e-300)));
        out->mass[k] = out->mass[k - 1] + step / 2 * (before + shell) + step * step / 12 * bend;
    }
    out->psi[N - 1] = 0;
    for (int k = N - 1; k-- > 0;)
        out->psi[k] =
            out->psi[k + 1] +
            step / 2 * (out->mass[k] / out->radius[k] + out->mass[k + 1] / out->radius[k + 1]);
    for (int k = 0; k < N; k++)
        g[k] = curvature(rho[k], out->radius[k], out->mass[k]);
    for (int k = 0; k < N; k++)
        out->f[k] = invert(out, g, k);
}

/* The interval of a monotonic table that contains the value. */
static int find(const double *table, double value)
{
    const double sign = table[N - 1] > table[0] ? 1 : -1;
    int low = 0, high = N - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        *(sign * table[middle] <= sign * value ? &low : &high) = middle;
    }
    return low;
}

static double between(const double *x, const double *y, double at)
{
    const int k = find(x, at);
    const double part = (at - x[k]) / (x[k + 1] - x[k]);
    return y[k] + fmin(fmax(part, 0), 1) * (y[k + 1] - y[k]);
}

/* rise[k]: log(f[k + 1] / f[k]), where both are positive. */
static double f_of(const struct isotropic *s, const double *rise, double energy)
{
    const int k = find(s->psi, energy);
    const double part = fmin(fmax((energy - s->psi[k]) / (s->psi[k + 1] - s->psi[k]), 0), 1);
    return s->f[k + 1] > 0 ? s->f[k] * fn_exp(part * rise[k]) : (1 - part) * s->f[k];
}

/* Draws the speed q, in units of the escape speed, from q^2 f(psi (1 - q^2)). Because f grows with
 * energy, the product in a bin of q is bounded by combining the larger factors of its two ends. */
static double draw_speed(const struct isotropic *s, const double *rise, double psi,
                         struct random *random)
{
    double bound[BINS], total = 0;
    for (int k = 0; k < BINS; k++) {
        const double low = (double)k / BINS, high = (k + 1.0) / BINS;
        total += bound[k] = high * high * f_of(s, rise, psi * (1 - low * low));
    }
    for (;;) {
        double pick = total * random_uniform(random);
        int k = 0;
        while (k + 1 < BINS && pick >= bound[k])
            pick -= bound[k++];
        const double q = (k + random_uniform(random)) / BINS;
        if (bound[k] * random_uniform(random) <= q * q * f_of(s, rise, psi * (1 - q * q)))
            return q * sqrt(2 * psi);
    }
}

/* The potential energy of an isotropic cloud: the mass of each shell in the field of the mass that
 * it encloses. */
static double isotropic_potential(const struct isotropic *s)
{
    double sum = s->mass[0] * s->mass[0] / s->radius[0] / 2;
    for (int k = 1; k < N; k++)
        sum += (s->mass[k] - s->mass[k - 1]) / 2 *
               (s->mass[k] / s->radius[k] + s->mass[k - 1] / s->radius[k - 1]);
    return -sum;
}

/* params->count bodies in one component `name`. STATUS_RUNTIME when they do not fit in memory. */
static enum status isotropic_bodies(const struct bodies_params *params, const char *name,
                                    const struct isotropic *sphere, struct bodies **out)
{
    const double mass = sphere->mass[N - 1];
    const double length = -2 * isotropic_potential(sphere) / (mass * mass),
                 speed = sqrt(1 / (mass * length));
    double rise[N] = {0};
    for (int k = 0; k + 1 < N; k++)
        if (sphere->f[k + 1] > 0 && sphere->f[k] > 0)
            rise[k] = fn_log(sphere->f[k + 1] / sphere->f[k]);
    enum status status = cloud_create(params, name, out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random = random_of(params->seed, 0, cloud_first(*out) + i);
        double *x = (*out)->position[i], *v = (*out)->velocity[i];
        const double r = between(sphere->mass, sphere->radius, mass * random_uniform(&random));
        const double fast =
            draw_speed(sphere, rise, between(sphere->radius, sphere->psi, r), &random);
        random_direction3(&random, x);
        random_direction3(&random, v);
        for (int k = 0; k < 3; k++) {
            x[k] *= r * length;
            v[k] *= fast * speed;
        }
    }
    return status == STATUS_OK ? cloud_settle(params, 0, *out) : status;
}

/* Aarseth, Henon and Wielen (1974), A&A 37, 183, in units G = M = 1, E = -1/4, also leaving out the
 * outermost thousandth of the mass. */
static void draw(struct random *random, double x[3], double v[3])
{
    const double length = 3 * M_PI / 16, fraction = 0.999 * random_uniform(random);
    const double r = 1 / sqrt(fn_pow(fraction, -2.0 / 3) - 1);
    double q, y, p;
    do {
        q = random_uniform(random);
        y = 0.1 * random_uniform(random);
        p = 1 - q * q;
    } while (y > q * q * p * p * p * sqrt(p));
    double speed = q * sqrt(2) / sqrt(sqrt(1 + r * r));
    random_direction3(random, x);
    random_direction3(random, v);
    for (int k = 0; k < 3; k++) {
        x[k] *= r * length;
        v[k] *= speed / sqrt(length);
    }
}

static enum status plummer_make(const struct bodies_params *params, struct bodies **out)
{
    enum status status = cloud_create(params, "plummer", out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random = random_of(params->seed, 0, cloud_first(*out) + i);
        draw(&random, (*out)->position[i], (*out)->velocity[i]);
    }
    return status == STATUS_OK ? cloud_settle(params, 0, *out) : status;
}

const struct bodies_model model_plummer = {
    .name = "plummer",
    .doc = "a Plummer sphere in virial equilibrium, mass 1, energy -1/4",
    .make = plummer_make,
};

/* L. Hernquist (1990), ApJ 356, 359, faded out by sech(r / 20 a) as in P. J. McMillan and W. Dehnen
 * (2007), MNRAS 378, 541. */
static double hernquist_density(double r, const void *user)
{
    (void)user;
    return 1 / (r * fn_pow(1 + r, 3) * fn_cosh(r / 20));
}

static enum status hernquist_make(const struct bodies_params *params, struct bodies **out)
{
    struct isotropic *sphere = memory_new(1, sizeof *sphere);
    isotropic_make(hernquist_density, NULL, 1e-4, 500, sphere);
    enum status status = isotropic_bodies(params, "hernquist", sphere, out);
    free(sphere);
    return status;
}

const struct bodies_model model_hernquist = {
    .name = "hernquist",
    .doc = "a Hernquist sphere in equilibrium, as a bulge or an elliptical galaxy, N-body units",
    .make = hernquist_make,
};

/* J. F. Navarro, C. S. Frenk and S. D. M. White (1996), ApJ 462, 563, faded out by sech(r / the
 * virial radius) as in P. J. McMillan and W. Dehnen (2007), MNRAS 378, 541. */
static double nfw_density(double r, const void *concentration)
{
    return 1 / (r * (1 + r) * (1 + r) * fn_cosh(r / *(const double *)concentration));
}

static enum status nfw_make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    const double c = params->concentration;
    if (!(c >= 1 && c <= 100))
        return status_fail(STATUS_USAGE,
                           "bodies.concentration of an NFW sphere is %g; give 1 to 100", c);
    struct isotropic *sphere = memory_new(1, sizeof *sphere);
    isotropic_make(nfw_density, &c, 1e-4, 25 * c, sphere);
    enum status status = isotropic_bodies(params, "nfw", sphere, out);
    free(sphere);
    return status;
}

const struct bodies_model model_nfw = {
    .name = "nfw",
    .doc = "a halo after Navarro, Frenk and White in equilibrium, N-body units",
    .make = nfw_make,
};

/* I. R. King (1966), AJ 71, 64; J. Binney and S. Tremaine, Galactic Dynamics, 2008, section 4.3.3:
 * of the lowered Maxwellian f = exp(E) - 1 for E > 0, at the potential W in units of sigma^2, the
 * density is, up to a factor, */
static double king_density(double w)
{
    return w > 0 ? fn_exp(w) * fn_erf(sqrt(w)) - sqrt(4 * w / M_PI) * (1 + 2 * w / 3) : 0;
}

/* W'' + 2 W' / r = -9 rho / rho(0) in King radii, as dW/dr and dM/dr with W' = -M / r^2. */
struct state {
    double w, mass;
};

static struct state slope(double r, struct state s, double centre)
{
    return (struct state){r > 0 ? -s.mass / (r * r) : 0,
                          9 * king_density(s.w) / king_density(centre) * r * r};
}

static struct state step(double r, struct state s, double h, double centre)
{
    static const double part[4] = {0, 0.5, 0.5, 1}, weight[4] = {1, 2, 2, 1};
    struct state sum = s, k = {0};
    for (int i = 0; i < 4; i++) {
        const struct state at = {s.w + part[i] * h * k.w, s.mass + part[i] * h * k.mass};
        k = slope(r + part[i] * h, at, centre);
        sum.w += h / 6 * weight[i] * k.w;
        sum.mass += h / 6 * weight[i] * k.mass;
    }
    return sum;
}

/* The radius at which W is 0. */
static double edge(double centre)
{
    double r = 1e-4;
    struct state s = {centre - 1.5 * r * r, 3 * r * r * r};
    for (;;) {
        double h = 0.002 * r;
        const struct state next = step(r, s, h, centre);
        if (next.w <= 0)
            return r + h * s.w / (s.w - next.w);
        s = next;
        r += h;
    }
}

static void tabulate(double centre, struct isotropic *out)
{
    enum { STEPS = 16 };
    const double first = 1e-3, grow = fn_log(edge(centre) / first) / (N - 1);
    double r = first;
    struct state s = {centre - 1.5 * r * r, 3 * r * r * r};
    for (int k = 0; k < N; k++) {
        out->radius[k] = r;
        out->mass[k] = s.mass;
        out->psi[k] = fmax(s.w, 0);
        out->f[k] = fn_expm1(out->psi[k]);
        for (int j = 0; j < STEPS; j++) {
            const double h = r * fn_expm1(grow / STEPS);
            s = step(r, s, h, centre);
            r += h;
        }
    }
    out->psi[N - 1] = out->f[N - 1] = 0;
}

static enum status king_make(const struct bodies_params *params, struct bodies **out)
{
    *out = NULL;
    if (!(params->king_w0 >= 0.5 && params->king_w0 <= 12))
        return status_fail(STATUS_USAGE, "bodies.king_w0 is %g; give 0.5 to 12", params->king_w0);
    struct isotropic *sphere = memory_new(1, sizeof *sphere);
    tabulate(params->king_w0, sphere);
    enum status status = isotropic_bodies(params, "king", sphere, out);
    free(sphere);
    return status;
}

const struct bodies_model model_king = {
    .name = "king",
    .doc = "a King sphere in equilibrium, as a globular cluster, N-body units",
    .make = king_make,
};
