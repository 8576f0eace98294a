#include "cmd/regression/judge/stages.h"

#include "sim/conservation.h"

#include <math.h>

/* Measured for pairs of correct films: relative differences of the energy reach 10 times the
 * relative distance of the bodies, and of half-mass radii 24 times; at most 2.6 times the film's
 * own drift, and 6.4 / sqrt(N). */
static const double DISTANCES = 30, DRIFTS = 8, BODIES = 15;

/* The frame that uses most of its limit. */
struct worst {
    double share, value, limit;
    int64_t frame, over; /* `over` is the first frame beyond the limit; -1: none */
};

static void see(struct worst *worst, double value, double limit, int64_t frame)
{
    const double share = value == 0 ? 0 : value / limit;
    if (worst->over < 0 && !(value <= limit))
        worst->over = frame;
    if (worst->frame < 0 || !(share <= worst->share)) {
        if (worst->frame < 0 || !isnan(worst->share))
            *worst = (struct worst){share, value, limit, frame, worst->over};
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

/* The largest change of each quantity in the film itself, from the start up to now. */
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

/* Returns the rule's limit plus what the distance of the bodies explains, the latter at most
 * `most`; `unit` is 100 for percentages. */
static double limit_at(const struct comparison *comparison, const struct divergence *d, uint64_t i,
                       enum rule_name name, double most, double unit)
{
    const double apart = d->resolved ? DISTANCES * d->distance[i] / d->size : most;
    return limits_fail(comparison->limits, &rules[name]) + unit * fmin(apart, most);
}

int64_t statistics_judge(const struct comparison *comparison, const struct divergence *d,
                         struct stage_report *stage)
{
    struct worst energy = {.frame = -1, .over = -1}, momentum = energy, angular = energy,
                 centre = energy, half_mass = energy;
    struct lost lost = {0};
    const double few = BODIES / sqrt((double)comparison->before->bodies);
    for (uint64_t i = 0; i < d->count; i++) {
        const struct frame_record *before = d->before[i], *now = d->now[i];
        const int64_t frame = (int64_t)now->frame;
        struct drift drift;
        drift_measure(&before->diagnostics, &now->diagnostics, 0, &drift);
        lose(&lost, d, i);
        see(&energy, fabs(drift.energy),
            limit_at(comparison, d, i, RULE_PHYSICS_ENERGY, DRIFTS * lost.energy, 1), frame);
        see(&momentum, drift.momentum,
            limit_at(comparison, d, i, RULE_PHYSICS_MOMENTUM, DRIFTS * lost.momentum, 1), frame);
        see(&angular, drift.angular_momentum,
            limit_at(comparison, d, i, RULE_PHYSICS_ANGULAR_MOMENTUM,
                     DRIFTS * lost.angular_momentum, 1),
            frame);
        see(&centre, drift.centre / d->size,
            limit_at(comparison, d, i, RULE_PHYSICS_CENTRE, DRIFTS * lost.centre, 1), frame);
        see(&half_mass, 100 * fabs(now->half_mass / before->half_mass - 1),
            limit_at(comparison, d, i, RULE_PHYSICS_HALF_MASS, few, 100), frame);
    }
    add(comparison, stage, RULE_PHYSICS_ENERGY, &energy, "the energies");
    add(comparison, stage, RULE_PHYSICS_MOMENTUM, &momentum, "the momenta");
    add(comparison, stage, RULE_PHYSICS_ANGULAR_MOMENTUM, &angular, "the angular momenta");
    add(comparison, stage, RULE_PHYSICS_CENTRE, &centre, "the centres of mass");
    add(comparison, stage, RULE_PHYSICS_HALF_MASS, &half_mass, "the half-mass radii");
    int64_t over = comparison_earlier(energy.over, momentum.over);
    over = comparison_earlier(over, comparison_earlier(angular.over, centre.over));
    return comparison_earlier(over, half_mass.over);
}
