#include "sim/orbit/orbit.h"

#include "base/functions/fn.h"
#include "base/memory.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The angle from the start to the pericentre: minus the initial true anomaly. */
static double ahead(double r, double q, double e)
{
    if (q == 0)
        return M_PI;
    if (e == 0)
        return 0;
    const double cosine = (q * (1 + e) / r - 1) / e;
    return fn_acos(fmin(fmax(cosine, -1), 1));
}

static void follow(double mass, double r, double q, double e, double speed2, struct orbit *out)
{
    double across = sqrt(mass * q * (1 + e)) / r;
    out->position[0] = r;
    out->velocity[0] = -sqrt(fmax(speed2 - across * across, 0));
    out->velocity[1] = across;
    out->pericentre = ahead(r, q, e);
}

enum status kepler_orbit(double mass, double separation, double pericentre, double eccentricity,
                         struct orbit *out)
{
    const double r = separation, q = pericentre, e = eccentricity;
    *out = (struct orbit){.pericentre = 0};
    if (!(isfinite(r) && r > 0 && isfinite(q) && q >= 0 && isfinite(e) && e >= 0))
        return status_fail(STATUS_USAGE,
                           "separation %g, pericentre %g, eccentricity %g make no orbit; give a "
                           "separation above 0, the others not below 0",
                           r, q, e);
    if (q > r || (e < 1 && r * (1 - e) > q * (1 + e) * (1 + 1e-12)))
        return status_fail(STATUS_USAGE,
                           "an orbit of pericentre %g and eccentricity %g has no separation of %g; "
                           "give one from %g to %g",
                           q, e, r, q, e < 1 ? q * (1 + e) / (1 - e) : INFINITY);
    follow(mass, r, q, e, q > 0 ? mass * (2 / r - (1 - e) / q) : 2 * mass / r, out);
    return STATUS_OK;
}

enum status kepler_orbit_of_energy(double mass, double separation, double pericentre, double energy,
                                   struct orbit *out)
{
    const double r = separation, q = pericentre;
    *out = (struct orbit){.pericentre = 0};
    if (!(isfinite(r) && r > 0 && isfinite(q) && q >= 0 && q <= r && isfinite(energy)))
        return status_fail(STATUS_USAGE,
                           "separation %g, pericentre %g and energy %g make no orbit; give a "
                           "separation above 0 and a pericentre between 0 and that",
                           r, q, energy);
    const double least = -mass / (r + q); /* the separation is the apocentre */
    if (energy < least * (1 + 1e-12))
        return status_fail(STATUS_USAGE,
                           "an orbit of pericentre %g and energy %g does not reach a separation of "
                           "%g; give an energy of %g or more",
                           q, energy, r, least);
    follow(mass, r, q, fmax(1 + 2 * energy * q / mass, 0), 2 * (energy + mass / r), out);
    return STATUS_OK;
}

double orientation_node(double omega, double pericentre)
{
    return remainder(pericentre - omega + 180, 360);
}

struct orientation orientation_of(double inclination, double node)
{
    const double i = inclination * M_PI / 180, n = node * M_PI / 180;
    struct orientation o;
    fn_sincos(i, &o.sin_i, &o.cos_i);
    fn_sincos(n, &o.sin_n, &o.cos_n);
    return o;
}

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

static bool is_placed(const struct galaxy_params *galaxy)
{
    static const double nowhere[3];
    for (int k = 0; k < 3; k++)
        if (galaxy->position[k] != nowhere[k] || galaxy->velocity[k] != nowhere[k])
            return true;
    return false;
}

static bool are_placed(const struct bodies_params *params)
{
    bool placed = params->galaxy_count > 2;
    for (uint32_t g = 0; g < params->galaxy_count; g++)
        placed = placed || is_placed(&params->galaxies[g]);
    return placed;
}

static enum status check_places(const struct bodies_params *params)
{
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        const struct galaxy_params *galaxy = &params->galaxies[g];
        for (int k = 0; k < 3; k++)
            if (!isfinite(galaxy->position[k]) || !isfinite(galaxy->velocity[k]))
                return status_fail(STATUS_USAGE,
                                   "galaxy '%s': position and velocity must be finite numbers",
                                   galaxy->name);
        for (uint32_t other = 0; other < g; other++)
            if (memcmp(galaxy->position, params->galaxies[other].position,
                       sizeof galaxy->position) == 0)
                return status_fail(STATUS_USAGE,
                                   "the galaxies '%s' and '%s' begin in one place; give each of "
                                   "them its position",
                                   params->galaxies[other].name, galaxy->name);
    }
    return STATUS_OK;
}

static enum status place(const struct bodies_params *params, const double *mass,
                         struct start *start)
{
    double total = 0, x[3] = {0}, v[3] = {0};
    enum status status = check_places(params);
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        total += mass[g];
        for (int k = 0; k < 3; k++) {
            x[k] += mass[g] * params->galaxies[g].position[k];
            v[k] += mass[g] * params->galaxies[g].velocity[k];
        }
    }
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        for (int k = 0; k < 3; k++) {
            start[g].position[k] = params->galaxies[g].position[k] - x[k] / total;
            start[g].velocity[k] = params->galaxies[g].velocity[k] - v[k] / total;
        }
    }
    return status;
}

/* Finds the orbit from the time and distance of the first pericentre. */
static enum status timed_orbit(const struct bodies_params *params, enum starts_of of, double total,
                               struct orbit *orbit)
{
    struct passage_potential *potential = memory_new(1, sizeof *potential);
    const double far = params->separation;
    if (of == STARTS_OF_POINTS) {
        passage_potential_points(total, fmin(params->pericentre, far) / 10 + far / 1e6, far,
                                 potential);
    } else {
        struct galaxy_field *fields = memory_new(2, sizeof *fields);
        for (int g = 0; g < 2; g++)
            galaxy_field_make(&params->galaxies[g], 0, &fields[g]);
        passage_potential_make(&fields[0], &fields[1], far, potential);
        free(fields);
    }
    enum status status = passage_orbit(potential, params->separation, params->pericentre,
                                       params->pericentre_time, orbit);
    free(potential);
    return status;
}

/* An orbit of extended galaxies, and what it was found for; names are NULL. */
struct found_orbit {
    struct galaxy_params galaxies[2];
    double separation, pericentre, time;
    struct orbit orbit;
};

/* Like timed_orbit, but keeps the last orbit: a film makes its galaxies several times, and the
 * table of their potential takes longer than a small number of bodies. */
static enum status kept_orbit(const struct bodies_params *params, double total, struct orbit *orbit)
{
    static struct found_orbit last;
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* also while an orbit is found */
    struct found_orbit wanted;
    memset(&wanted, 0, sizeof wanted);
    memcpy(wanted.galaxies, params->galaxies, sizeof wanted.galaxies);
    wanted.galaxies[0].name = wanted.galaxies[1].name = NULL;
    wanted.separation = params->separation;
    wanted.pericentre = params->pericentre;
    wanted.time = params->pericentre_time;
    enum status status = STATUS_OK;
    pthread_mutex_lock(&lock);
    if (memcmp(&wanted, &last, offsetof(struct found_orbit, orbit)) != 0) {
        status = timed_orbit(params, STARTS_OF_GALAXIES, total, &wanted.orbit);
        if (status == STATUS_OK)
            memcpy(&last, &wanted, sizeof last);
    }
    *orbit = last.orbit;
    pthread_mutex_unlock(&lock);
    return status;
}

static enum status find_orbit(const struct bodies_params *params, enum starts_of of, double total,
                              struct orbit *orbit)
{
    const double r = params->separation, q = params->pericentre;
    if (params->pericentre_time > 0)
        return of == STARTS_OF_GALAXIES ? kept_orbit(params, total, orbit)
                                        : timed_orbit(params, of, total, orbit);
    if (params->orbit_energy != 0)
        return kepler_orbit_of_energy(total, r, q, params->orbit_energy, orbit);
    return kepler_orbit(total, r, q, params->eccentricity, orbit);
}

static enum status follow_orbit(const struct bodies_params *params, enum starts_of of,
                                const double *mass, struct start *start)
{
    struct orbit orbit;
    const double total = mass[0] + mass[1];
    enum status status = find_orbit(params, of, total, &orbit);
    for (int g = 0; g < 2 && status == STATUS_OK; g++) {
        const double part = g == 0 ? -mass[1] / total : mass[0] / total;
        for (int k = 0; k < 3; k++) {
            start[g].position[k] = part * orbit.position[k];
            start[g].velocity[k] = part * orbit.velocity[k];
        }
        if (params->galaxies[g].argument != ARGUMENT_NONE)
            start[g].node = orientation_node(params->galaxies[g].argument,
                                             orbit.pericentre * 180 / M_PI + (g == 0 ? 0 : 180));
    }
    return status;
}

enum status starts_find(const struct bodies_params *params, enum starts_of of, const double *mass,
                        struct start start[GALAXIES_MOST])
{
    memset(start, 0, GALAXIES_MOST * sizeof *start);
    for (uint32_t g = 0; g < params->galaxy_count; g++) {
        const struct galaxy_params *galaxy = &params->galaxies[g];
        start[g].inclination = galaxy->inclination;
        start[g].node = galaxy->node;
        if (galaxy->argument != ARGUMENT_NONE && are_placed(params))
            return status_fail(STATUS_USAGE,
                               "galaxy '%s' has an argument of pericentre, but only two galaxies "
                               "on an orbit have a pericentre; give its node instead",
                               galaxy->name);
    }
    if (are_placed(params))
        return place(params, mass, start);
    return params->galaxy_count == 2 ? follow_orbit(params, of, mass, start) : STATUS_OK;
}
