#include "sim/formats/units.h"

#include "base/choice.h"
#include "base/functions/fn.h"

#include <math.h>

/* The solar mass from G and the IAU's nominal solar mass parameter, which is known far more
 * precisely than either; parsec and year as defined by the IAU. Centimetres, grams, seconds. */
#define SOLAR_PARAMETER 1.3271244e26
#define G_CGS           6.6743e-8
#define SOLAR_MASS      (SOLAR_PARAMETER / G_CGS)
#define KPC             3.0856775814913673e21
#define KMS             1e5
#define MYR             3.15576e13

#define GADGET                                                                                     \
    {                                                                                              \
        KPC, 1e10 * SOLAR_MASS, KMS                                                                \
    }

const struct snapshot_units units_gadget = GADGET;

static const struct unit_system systems[] = {
    {"gadget", UNITS_GADGET_TEXT ", as in GADGET's examples", GADGET},
    {"none", "the numbers are used unchanged, in the scene's own units", {0, 0, 0}},
};
const struct registry unit_system_registry = REGISTRY_OF("unit system", systems);

#define AU 1.495978707e13

/* Masses of one solar mass; velocities follow from G = 1. */
static const struct unit_system lengths[] = {
    {"km", "kilometres", {1e5, SOLAR_MASS, 0}},
    {"au", "astronomical units", {AU, SOLAR_MASS, 0}},
    {"ly", "light years", {9.4607304725808e17, SOLAR_MASS, 0}},
    {"pc", "parsecs", {KPC / 1e3, SOLAR_MASS, 0}},
    {"kpc", "kiloparsecs", {KPC, SOLAR_MASS, 0}},
    {"Mpc", "megaparsecs", {KPC * 1e3, SOLAR_MASS, 0}},
};
const struct registry unit_of_length_registry = REGISTRY_OF("unit of length", lengths);

struct snapshot_units units_of_file(const struct snapshot *snapshot,
                                    const struct bodies_params *params)
{
    if (params->file_units)
        return params->file_units->units;
    if (!params->length_unit)
        return snapshot->units;
    struct snapshot_units units = params->length_unit->units;
    units.velocity_cms = sqrt(SOLAR_PARAMETER / units.length_cm);
    return units;
}

static bool are_known(const struct snapshot_units *units)
{
    return units->length_cm > 0 && units->velocity_cms > 0;
}

/* The velocity stated by the scene, or derived from its length and time or mass; 0: neither. */
static double stated_velocity(const struct units_params *stated, double length_cm)
{
    if (stated->velocity_kms > 0)
        return stated->velocity_kms * KMS;
    if (stated->time_myr > 0)
        return length_cm / (stated->time_myr * MYR);
    return sqrt(G_CGS * stated->mass_msun * SOLAR_MASS / length_cm);
}

struct units_params units_for_scene(const struct units_params *stated,
                                    const struct snapshot_units *file)
{
    struct units_params units = *stated;
    if (!are_known(file))
        return units;
    if (!(units.length_kpc > 0))
        units.length_kpc = file->length_cm / KPC;
    const double length = units.length_kpc * KPC, velocity = stated_velocity(stated, length);
    if (!(units.velocity_kms > 0))
        units.velocity_kms = (velocity > 0 ? velocity : file->velocity_cms) / KMS;
    const double speed = units.velocity_kms * KMS;
    if (!(units.time_myr > 0))
        units.time_myr = length / speed / MYR;
    if (!(units.mass_msun > 0))
        units.mass_msun = speed * speed * length / SOLAR_PARAMETER;
    return units;
}

static double length_without(const struct units_params *stated)
{
    const double velocity = stated->velocity_kms * KMS, time = stated->time_myr * MYR;
    const double gravity = G_CGS * stated->mass_msun * SOLAR_MASS;
    if (velocity > 0)
        return time > 0 ? velocity * time : gravity / (velocity * velocity);
    return fn_cbrt(gravity * time * time);
}

struct units_params units_complete(const struct units_params *stated)
{
    const double given = stated->length_kpc * KPC;
    const double length = given > 0 ? given : length_without(stated);
    if (!(length > 0))
        return *stated;
    const struct snapshot_units all = {.length_cm = length,
                                       .velocity_cms = stated_velocity(stated, length)};
    return units_for_scene(stated, &all);
}

/* 1 within rounding, so that bodies already in the scene's units do not move. */
static double factor(double from, double to)
{
    return fabs(from / to - 1) < 1e-12 ? 1 : from / to;
}

struct unit_factors units_factors(const struct units_params *stated,
                                  const struct snapshot_units *file)
{
    if (!are_known(file))
        return (struct unit_factors){1, 1, 1};
    const struct units_params units = units_for_scene(stated, file);
    const double length = units.length_kpc * KPC, velocity = units.velocity_kms * KMS;
    const double mass = velocity * velocity * length / G_CGS; /* so that G = 1 */
    return (struct unit_factors){
        .position = factor(file->length_cm, length),
        .velocity = factor(file->velocity_cms, velocity),
        .mass = file->mass_g > 0 ? factor(file->mass_g, mass)
                                 : factor(file->velocity_cms * file->velocity_cms * file->length_cm,
                                          velocity * velocity * length),
    };
}

double units_mass_g(const struct snapshot_units *units)
{
    return units->velocity_cms * units->velocity_cms * units->length_cm / G_CGS;
}

struct snapshot_units units_of_scene(const struct units_params *units)
{
    const double length = units->length_kpc * KPC;
    const double velocity = length > 0 ? stated_velocity(units, length) : units->velocity_kms * KMS;
    return (struct snapshot_units){length, velocity * velocity * length / G_CGS, velocity};
}
