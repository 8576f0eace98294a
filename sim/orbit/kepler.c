#include "sim/orbit/kepler.h"

#include "base/functions/fn.h"

#include <math.h>

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
