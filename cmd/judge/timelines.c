#include "cmd/judge/timelines.h"

#include "base/memory.h"
#include "cmd/judge/divergence.h"
#include "sim/conservation.h"

#include <math.h>

typedef double figure(const struct comparison *comparison, const struct frame_record *before,
                      const struct frame_record *now);

static double distance(const struct comparison *comparison, const struct frame_record *before,
                       const struct frame_record *now)
{
    const struct diagnostics *start = &comparison->before->frames[0].diagnostics;
    return record_distance(comparison->before, before, now) /
           (start->mass * start->mass / -start->potential);
}

static double energy(const struct comparison *comparison, const struct frame_record *before,
                     const struct frame_record *now)
{
    struct drift drift;
    (void)comparison;
    drift_measure(&before->diagnostics, &now->diagnostics, 0, &drift);
    return fabs(drift.energy);
}

static double percent(double before, double now)
{
    return before == now ? 0 : 100 * (now / before - 1);
}

static double light(const struct comparison *comparison, const struct frame_record *before,
                    const struct frame_record *now)
{
    (void)comparison;
    return percent(before->light_sum[0] + before->light_sum[1] + before->light_sum[2],
                   now->light_sum[0] + now->light_sum[1] + now->light_sum[2]);
}

static double picture(const struct comparison *comparison, const struct frame_record *before,
                      const struct frame_record *now)
{
    (void)comparison;
    return percent(before->picture_light, now->picture_light);
}

static const struct {
    enum rule_name rule;
    figure *of;
} figures[] = {
    {RULE_PHYSICS_BEGINS, distance},
    {RULE_PHYSICS_ENERGY, energy},
    {RULE_LIGHT_SUM, light},
    {RULE_PICTURE_MEAN_LIGHT, picture},
};

void timelines_add(const struct comparison *comparison, struct case_report *one)
{
    enum { COUNT = sizeof figures / sizeof *figures };
    const struct record *before = comparison->before;
    one->series = memory_grow(one->series, one->series_count + (size_t)COUNT, sizeof *one->series);
    for (int k = 0; k < COUNT; k++) {
        struct series *series = &one->series[one->series_count++];
        *series = (struct series){.rule = &rules[figures[k].rule],
                                  .value = memory_new((size_t)before->count, sizeof(double))};
        for (uint64_t i = 0; i < before->count; i++) {
            const struct frame_record *now = record_frame(comparison->now, before->frames[i].frame);
            series->value[i] = now ? figures[k].of(comparison, &before->frames[i], now) : NAN;
        }
    }
}
