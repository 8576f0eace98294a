#include "cmd/regression/baseline/variants.h"

#include "base/clock.h"
#include "base/text.h"
#include "cmd/regression/baseline/baseline.h"
#include "cmd/regression/baseline/same.h"
#include "cmd/regression/judge/comparison.h"

#include <string.h>

static bool same_platform(const struct platform *a, const struct platform *b)
{
    const bool same_start = !a->start || !*a->start || comparison_same_text(a->start, b->start);
    return same_start && comparison_same_text(a->physics, b->physics) &&
           comparison_same_text(a->drawing, b->drawing) &&
           comparison_same_text(a->encoder, b->encoder) && comparison_same_text(a->muxer, b->muxer);
}

static bool holds(const struct variant *variant)
{
    char today[16];
    clock_today(today);
    return strcmp(today, variant->expires) <= 0;
}

/* Counts the valid variants of the platform; *same: the first one with the same bits. */
static enum status walk(const struct baseline *baseline, const struct record *record,
                        uint32_t *count, const struct variant **same)
{
    enum status status = STATUS_OK;
    *count = 0;
    *same = NULL;
    for (uint32_t i = 0; i < baseline->variant_count && status == STATUS_OK; i++) {
        const struct variant *variant = &baseline->variants[i];
        struct record other;
        struct first_difference first;
        if (!holds(variant))
            continue;
        status = baseline_get_record(baseline, variant->object, &other);
        if (status == STATUS_OK && same_platform(&other.platform, &record->platform)) {
            ++*count;
            if (!*same && !same_find_difference(&other, record, &first))
                *same = variant;
        }
        record_free(&other);
        if (status == STATUS_IO) /* the case is then judged by the baseline alone */
            status = STATUS_OK;
    }
    return status;
}

enum status variants_of_platform(const struct baseline *baseline, const struct record *record,
                                 uint32_t *count)
{
    const struct variant *same;
    return walk(baseline, record, count, &same);
}

enum status variants_apply(const struct baseline *baseline, const struct record *now,
                           struct case_report *one)
{
    const struct variant *same;
    uint32_t count;
    enum status status = walk(baseline, now, &count, &same);
    if (status != STATUS_OK)
        return status;
    /* A film of another scene is another film, even if it looks the same. */
    if (same && one->stages[JUDGED_SCENE].verdict == VERDICT_SAME) {
        case_say(one, text_format("same bits as a variant that %s accepted on %s until %s: %s",
                                  same->author, same->date, same->expires, same->because));
        for (int s = JUDGED_START; s < JUDGED_COUNT; s++) {
            struct stage_report *stage = &one->stages[s];
            if (stage->verdict == VERDICT_SAME || stage->verdict == VERDICT_NOT_APPLICABLE)
                continue;
            stage->verdict = VERDICT_SAME;
            stage->follows = false;
            stage->compared = stage->planned;
            stage_say(stage, "same bits as the variant accepted on %s", same->date);
        }
        one->verdict = VERDICT_SAME;
        one->stage = -1;
    } else if (count >= BASELINE_VARIANTS_MAX) {
        case_say(one, text_format("%s; unstable: %u variants are accepted on this platform already",
                                  one->sentence, count));
    }
    return STATUS_OK;
}
