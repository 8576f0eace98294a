#include "sim/orbit/passage.h"

#include "base/functions/fn.h"

#include <math.h>

enum { QUADRATURE = 400, HALVINGS = 200 };

/* Nodes and weights of Gauss-Legendre quadrature of order eight. */
static const double node[4] = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                               0.9602898564975363};
static const double weight[4] = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                 0.1012285362903763};

/* The mean of the field's potential over a sphere of radius s at distance r. */
static double mean_over(const struct galaxy_field *field, double r, double s)
{
    const double low = fabs(r - s), high = r + s, half = (high - low) / 2;
    double sum = 0;
    for (int k = 0; k < 8; k++) {
        const double u = low + half * (1 + (k < 4 ? node[k] : -node[k - 4]));
        sum += half * weight[k % 4] * u * galaxy_field_potential(field, u);
    }
    return sum / (2 * r * s);
}

static void span(struct passage_potential *out, double nearest, double far)
{
    out->first = nearest;
    out->step = fn_log(far / nearest) / (PASSAGE_POINTS - 1);
}

static double radius(const struct passage_potential *potential, int i)
{
    return potential->first * fn_exp(i * potential->step);
}

void passage_potential_make(const struct galaxy_field *a, const struct galaxy_field *b, double far,
                            struct passage_potential *out)
{
    out->total = a->total + b->total;
    span(out, fmin(b->shells.radius[0], far / 1e6), far);
    for (int i = 0; i < PASSAGE_POINTS; i++) {
        const double r = radius(out, i);
        double sum = 0, mass = 0;
        for (int k = 0; k < SHELLS; k++) {
            mass += b->shells.mass[k];
            if (b->shells.mass[k] > 0)
                sum += b->shells.mass[k] * mean_over(a, r, b->shells.radius[k]);
        }
        out->value[i] = sum / mass * out->total / a->total;
    }
}

void passage_potential_points(double total, double nearest, double far,
                              struct passage_potential *out)
{
    out->total = total;
    span(out, nearest, far);
    for (int i = 0; i < PASSAGE_POINTS; i++)
        out->value[i] = -total / radius(out, i);
}

/* Cubic through four neighbours (Lagrange). */
double passage_potential_at(const struct passage_potential *potential, double r)
{
    const double at = r > 0 ? fn_log(r / potential->first) / potential->step : 0;
    if (at <= 0)
        return potential->value[0];
    int i = (int)at - 1;
    i = i < 0 ? 0 : i > PASSAGE_POINTS - 4 ? PASSAGE_POINTS - 4 : i;
    const double t = at - i, *v = &potential->value[i];
    return -v[0] * (t - 1) * (t - 2) * (t - 3) / 6 + v[1] * t * (t - 2) * (t - 3) / 2 -
           v[2] * t * (t - 1) * (t - 3) / 2 + v[3] * t * (t - 1) * (t - 2) / 6;
}

struct fall {
    const struct passage_potential *potential;
    double from, to, energy, spin2; /* spin2: squared angular momentum */
};

static struct fall fall_of(const struct passage_potential *potential, double from, double to,
                           double energy)
{
    const double kinetic = fmax(2 * (energy - passage_potential_at(potential, to)), 0);
    return (struct fall){potential, from, to, energy, to * to * kinetic};
}

static double inward2(const struct fall *fall, double r)
{
    return 2 * (fall->energy - passage_potential_at(fall->potential, r)) - fall->spin2 / (r * r);
}

/* Time and angle of the fall. The substitution r = to + (from - to) sin^2(x) removes the square
 * roots at both ends. */
static double fall_time(const struct fall *fall, double *angle)
{
    double time = 0, swept = 0;
    const double h = M_PI / 2 / QUADRATURE;
    for (int k = 0; k < QUADRATURE; k++) {
        double s, c;
        fn_sincos((k + 0.5) * h, &s, &c);
        const double r = fall->to + (fall->from - fall->to) * s * s;
        const double speed2 = inward2(fall, r);
        if (!(speed2 > 0))
            continue;
        const double t = 2 * (fall->from - fall->to) * s * c * h / sqrt(speed2);
        time += t;
        swept += t * sqrt(fall->spin2) / (r * r);
    }
    *angle = fall->to > 0 ? swept : M_PI;
    return time;
}

/* The lowest energy with which the orbit reaches the separation, as its apocentre. */
static double lowest(const struct passage_potential *potential, double r, double d)
{
    const double part = d * d / (r * r);
    return (passage_potential_at(potential, r) - part * passage_potential_at(potential, d)) /
           (1 - part);
}

static enum status check(double separation, double pericentre, double time)
{
    if (isfinite(separation) && isfinite(time) && time > 0 && pericentre >= 0 &&
        pericentre < separation)
        return STATUS_OK;
    return status_fail(STATUS_USAGE,
                       "no orbit comes from a separation of %g to a pericentre of %g within %g; "
                       "give a time above 0 and a pericentre below the separation",
                       separation, pericentre, time);
}

enum status passage_orbit(const struct passage_potential *potential, double separation,
                          double pericentre, double time, struct orbit *out)
{
    const double r = separation, d = pericentre;
    double angle;
    *out = (struct orbit){.pericentre = 0};
    enum status status = check(r, d, time);
    if (status != STATUS_OK)
        return status;
    double low = lowest(potential, r, d), high = fmax(2 * r * r / (time * time), 0) + fabs(low);
    struct fall fall = fall_of(potential, r, d, low);
    const double longest = fall_time(&fall, &angle);
    if (time > longest)
        return status_fail(STATUS_USAGE,
                           "from a separation of %g the galaxies are at a pericentre of %g after "
                           "%.4g at most, and not after %g; raise bodies.separation or lower "
                           "bodies.pericentre_time",
                           r, d, longest, time);
    for (int n = 0; n < HALVINGS && high - low > 1e-14 * fabs(high); n++) {
        const double middle = (low + high) / 2;
        fall = fall_of(potential, r, d, middle);
        *(fall_time(&fall, &angle) > time ? &low : &high) = middle;
    }
    fall = fall_of(potential, r, d, (low + high) / 2);
    fall_time(&fall, &angle);
    out->position[0] = r;
    out->velocity[0] = -sqrt(fmax(inward2(&fall, r), 0));
    out->velocity[1] = sqrt(fall.spin2) / r;
    out->pericentre = angle;
    return STATUS_OK;
}
