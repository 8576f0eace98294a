#include "cmd/regression/judge/stages.h"

#include "base/memory.h"
#include "cmd/regression/judge/divergence.h"
#include "sim/diagnostics.h"

#include <math.h>

static double *nothing(uint64_t frames)
{
    double *values = memory_new((size_t)frames, sizeof *values);
    for (uint64_t i = 0; i < frames; i++)
        values[i] = NAN;
    return values;
}

static double *add_series(struct case_report *one, enum rule_name rule, uint64_t frames)
{
    one->series = memory_grow(one->series, one->series_count + (size_t)1, sizeof *one->series);
    struct series *series = &one->series[one->series_count++];
    *series = (struct series){.rule = &rules[rule], .value = nothing(frames)};
    return series->value;
}

static double energy(const struct frame_record *before, const struct frame_record *now)
{
    struct drift drift;
    drift_measure(&before->diagnostics, &now->diagnostics, 0, &drift);
    return fabs(drift.energy);
}

static double percent(double before, double now)
{
    return before == now ? 0 : 100 * fabs(now / before - 1);
}

static double light(const struct frame_record *before, const struct frame_record *now)
{
    return percent(before->light_sum[0] + before->light_sum[1] + before->light_sum[2],
                   now->light_sum[0] + now->light_sum[1] + now->light_sum[2]);
}

static double mean_light(const struct frame_record *before, const struct frame_record *now)
{
    return percent(before->picture_light, now->picture_light);
}

static void add_distances(const struct comparison *comparison, struct case_report *one)
{
    const uint64_t frames = comparison->before->count;
    double *value = add_series(one, RULE_PHYSICS_POSITIONS, frames);
    struct divergence d;
    divergence_measure(comparison->before, comparison->now, physics_force_limit(comparison), &d);
    for (uint64_t i = 0; i < d.count; i++) {
        const uint64_t row = (uint64_t)(d.before[i] - comparison->before->frames);
        const double allowed = physics_allowed(comparison, &d, i);
        if (isfinite(allowed))
            value[row] = d.distance[i] == 0 ? 0 : d.distance[i] / allowed;
    }
    divergence_free(&d);
}

void timelines_add(const struct comparison *comparison, struct case_report *one)
{
    static const struct {
        enum rule_name rule;
        double (*of)(const struct frame_record *before, const struct frame_record *now);
    } figures[] = {
        {RULE_PHYSICS_ENERGY, energy},
        {RULE_LIGHT_SUM, light},
        {RULE_PICTURE_MEAN_LIGHT, mean_light},
    };
    const struct record *before = comparison->before;
    add_distances(comparison, one);
    for (size_t k = 0; k < sizeof figures / sizeof *figures; k++) {
        double *value = add_series(one, figures[k].rule, before->count);
        for (uint64_t i = 0; i < before->count; i++) {
            const struct frame_record *now = record_frame(comparison->now, before->frames[i].frame);
            if (now)
                value[i] = figures[k].of(&before->frames[i], now);
        }
    }
}
