#include "cmd/judge/statistics.h"

#include "sim/conservation.h"

#include <math.h>

/* Measured: the energies of two right films differ by up to 0.6 of what their bodies are apart, as
 * soon as that is above rounding, and half-mass radii by up to 24. */
static const double ENERGY_FOLLOWS = 2, HALF_MASS_FOLLOWS = 30;

/* The frame that uses most of a limit. */
struct worst {
    double share, value, limit;
    int64_t frame;
};

static void see(struct worst *worst, double value, double limit, int64_t frame)
{
    const double share = value == 0 ? 0 : value / limit;
    if (worst->frame < 0 || !(share <= worst->share)) {
        if (worst->frame < 0 || !isnan(worst->share))
            *worst = (struct worst){share, value, limit, frame};
    }
}

static void add(const struct comparison *comparison, struct stage_report *stage,
                enum rule_name name, const struct worst *worst, const char *what)
{
    const struct rule *rule = &rules[name];
    if (worst->frame < 0)
        return;
    const double warn = limits_warn(comparison->limits, rule);
    struct finding *finding =
        stage_measured_within(stage, comparison->limits, rule, worst->value,
                              warn < worst->limit ? warn : worst->limit, worst->limit);
    finding->frame = worst->frame;
    finding_say(finding, "%s differ by %.1e%s%s, allowed is %.1e", what, worst->value,
                rule->unit[0] ? " " : "", rule->unit, worst->limit);
}

/* Three standard deviations, wider where few members tell them. */
static double scatter(const struct envelope *envelope, const double *deviation, uint64_t i)
{
    return 3 * (1 + 4.0 / envelope->members) * deviation[i];
}

static const struct envelope *usable(const struct comparison *comparison)
{
    const struct envelope *envelope = comparison->envelope;
    return envelope && envelope->members > 1 ? envelope : NULL;
}

/* What the film itself lost since its start, the most so far. */
struct lost {
    double energy, momentum, angular_momentum, centre;
};

static void lose(struct lost *lost, const struct divergence *d, uint64_t i)
{
    const struct diagnostics *start = &d->before[0]->diagnostics, *at = &d->before[i]->diagnostics;
    struct drift drift;
    drift_measure(start, at, d->before[i]->time - d->before[0]->time, &drift);
    lost->energy = fmax(lost->energy, fabs(drift.energy));
    lost->momentum = fmax(lost->momentum, drift.momentum);
    lost->angular_momentum = fmax(lost->angular_momentum, drift.angular_momentum);
    lost->centre = fmax(lost->centre, drift.centre / d->size);
}

static double widened(const struct comparison *comparison, enum rule_name name, double apart,
                      double lost)
{
    return limits_fail(comparison->limits, &rules[name]) +
           fmin(ENERGY_FOLLOWS * apart, ENERGY_FOLLOWS * lost);
}

static double energy_limit(const struct comparison *comparison, double apart, double lost,
                           uint64_t i)
{
    const struct envelope *envelope = usable(comparison);
    const double rule = limits_fail(comparison->limits, &rules[RULE_PHYSICS_ENERGY]);
    if (envelope && envelope->energy)
        return fmax(rule, scatter(envelope, envelope->energy, i));
    return widened(comparison, RULE_PHYSICS_ENERGY, apart, lost);
}

static double half_mass_limit(const struct comparison *comparison, double apart, uint64_t i)
{
    const struct envelope *envelope = usable(comparison);
    const double rule = limits_fail(comparison->limits, &rules[RULE_PHYSICS_HALF_MASS]);
    if (envelope && envelope->half_mass)
        return fmax(rule, 100 * scatter(envelope, envelope->half_mass, i));
    return rule +
           100 * fmin(HALF_MASS_FOLLOWS * apart, 3 / sqrt((double)comparison->before->bodies));
}

void statistics_judge(const struct comparison *comparison, const struct divergence *d,
                      struct stage_report *stage)
{
    struct worst energy = {.frame = -1}, momentum = energy, angular = energy, centre = energy,
                 half_mass = energy;
    struct lost lost = {0};
    for (uint64_t i = 0; i < d->count; i++) {
        const struct frame_record *before = d->before[i], *now = d->now[i];
        const uint64_t row = (uint64_t)(before - comparison->before->frames);
        const int64_t frame = (int64_t)now->frame;
        const double apart = d->distance[i] / d->size;
        struct drift drift;
        drift_measure(&before->diagnostics, &now->diagnostics, 0, &drift);
        lose(&lost, d, i);
        see(&energy, fabs(drift.energy), energy_limit(comparison, apart, lost.energy, row), frame);
        see(&momentum, drift.momentum,
            widened(comparison, RULE_PHYSICS_MOMENTUM, apart, lost.momentum), frame);
        see(&angular, drift.angular_momentum,
            widened(comparison, RULE_PHYSICS_ANGULAR_MOMENTUM, apart, lost.angular_momentum),
            frame);
        see(&centre, drift.centre / d->size,
            widened(comparison, RULE_PHYSICS_CENTRE, apart, lost.centre), frame);
        see(&half_mass, 100 * fabs(now->half_mass / before->half_mass - 1),
            half_mass_limit(comparison, apart, row), frame);
    }
    add(comparison, stage, RULE_PHYSICS_ENERGY, &energy, "the energies");
    add(comparison, stage, RULE_PHYSICS_MOMENTUM, &momentum, "the momenta");
    add(comparison, stage, RULE_PHYSICS_ANGULAR_MOMENTUM, &angular, "the angular momenta");
    add(comparison, stage, RULE_PHYSICS_CENTRE, &centre, "the centres of mass");
    add(comparison, stage, RULE_PHYSICS_HALF_MASS, &half_mass, "the half-mass radii");
}
