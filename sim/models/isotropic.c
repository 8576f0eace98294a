#include "sim/models/isotropic.h"

#include "sim/models/cloud.h"
#include "base/functions/fn.h"
#include "base/random.h"

#include <math.h>

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

/* The integral above, with curvature linear in psi between two radii. */
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

/* The potential energy: the mass of each shell in the field of what it encloses. */
static double potential(const struct isotropic *s)
{
    double sum = s->mass[0] * s->mass[0] / s->radius[0] / 2;
    for (int k = 1; k < N; k++)
        sum += (s->mass[k] - s->mass[k - 1]) / 2 *
               (s->mass[k] / s->radius[k] + s->mass[k - 1] / s->radius[k - 1]);
    return -sum;
}

enum status isotropic_bodies(const struct bodies_params *params, const char *name,
                             const struct isotropic *sphere, struct bodies **out)
{
    const double mass = sphere->mass[N - 1];
    const double length = -2 * potential(sphere) / (mass * mass), speed = sqrt(1 / (mass * length));
    double rise[N] = {0};
    for (int k = 0; k + 1 < N; k++)
        if (sphere->f[k + 1] > 0 && sphere->f[k] > 0)
            rise[k] = fn_log(sphere->f[k + 1] / sphere->f[k]);
    enum status status = cloud_create(params, name, out);
    for (size_t i = 0; status == STATUS_OK && i < (*out)->count; i++) {
        struct random random;
        random = random_of(params->seed, 0, cloud_first(*out) + i);
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
