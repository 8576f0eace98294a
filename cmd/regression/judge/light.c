#include "cmd/regression/judge/stages.h"

#include <inttypes.h>
#include <math.h>

/* Judges pixels without finite light: they are wrong even if both sides have them. */
static void judge_broken(const struct comparison *comparison, struct stage_report *stage)
{
    const struct frame_record *before, *now;
    uint64_t most = 0;
    int64_t frame = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now);) {
        const uint64_t broken =
            before->light_broken > now->light_broken ? before->light_broken : now->light_broken;
        if (broken > most) {
            most = broken;
            frame = (int64_t)now->frame;
        }
    }
    struct finding *finding =
        comparison_measured(comparison, stage, RULE_LIGHT_BROKEN, (double)most);
    finding->frame = frame;
    if (most == 0)
        return;
    finding_say(finding, "%" PRIu64 " pixels are infinite or NaN", most);
    stage->first_frame =
        stage->same_platform ? comparison_earlier(stage->first_frame, frame) : frame;
}

/* Returns the difference of the worst channel, in % of the larger value. */
static double difference(const struct frame_record *before, const struct frame_record *now)
{
    double worst = 0;
    for (int c = 0; c < 3; c++) {
        const double a = before->light_sum[c], b = now->light_sum[c],
                     one = a == b ? 0 : 100 * fabs(a - b) / fmax(fabs(a), fabs(b));
        if (!(one <= worst))
            worst = one;
        if (isnan(one))
            break;
    }
    return worst;
}

static void judge_sums(const struct comparison *comparison, struct stage_report *stage)
{
    const struct rule *rule = &rules[RULE_LIGHT_SUM];
    const double limit = limits_fail(comparison->limits, rule);
    const struct frame_record *before, *now;
    double worst = 0;
    int64_t frame = -1, over = -1;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &before, &now) && !isnan(worst);) {
        const double one = difference(before, now);
        if (over < 0 && !(one <= limit))
            over = (int64_t)now->frame;
        if (!(one <= worst)) {
            worst = one;
            frame = (int64_t)now->frame;
        }
    }
    struct finding *finding = stage_measured(stage, comparison->limits, rule, worst);
    finding->frame = frame;
    finding_say(finding, "the sum of linear light differs by %.2g %%", worst);
    if (!stage->same_platform && over >= 0)
        stage->first_frame = over;
}

enum status judge_light(const struct comparison *comparison, struct stage_report *stage)
{
    const struct record *before = comparison->before, *now = comparison->now;
    const struct hash_comparison hashes =
        comparison_hashes(comparison, offsetof(struct frame_record, light));
    stage->same_platform =
        comparison_same_bits(comparison, before->platform.drawing, now->platform.drawing);
    const bool settled = comparison_judge_bits(comparison, stage, &rules[RULE_LIGHT_BITS], &hashes);
    if (!settled)
        judge_sums(comparison, stage);
    if (hashes.compared > 0)
        judge_broken(comparison, stage);
    return STATUS_OK;
}
