#include "base/functions/fn.h"
#include "base/memory.h"
#include "sim/models/isotropic.h"

#include <math.h>
#include <stdlib.h>

/* I. R. King (1966), AJ 71, 64; J. Binney and S. Tremaine, Galactic Dynamics, 2008, section 4.3.3:
 * of the lowered Maxwellian f = exp(E) - 1 for E > 0, at the potential W in units of sigma^2, the
 * density is, up to a factor, */
static double density(double w)
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
                          9 * density(s.w) / density(centre) * r * r};
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
    const double first = 1e-3, grow = fn_log(edge(centre) / first) / (ISOTROPIC_POINTS - 1);
    double r = first;
    struct state s = {centre - 1.5 * r * r, 3 * r * r * r};
    for (int k = 0; k < ISOTROPIC_POINTS; k++) {
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
    out->psi[ISOTROPIC_POINTS - 1] = out->f[ISOTROPIC_POINTS - 1] = 0;
}

static enum status make(const struct bodies_params *params, struct bodies **out)
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
    .make = make,
};
