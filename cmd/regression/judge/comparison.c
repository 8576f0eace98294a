#include "cmd/regression/judge/comparison.h"

#include <inttypes.h>
#include <string.h>

bool comparison_same_text(const char *before, const char *now)
{
    return strcmp(before ? before : "", now ? now : "") == 0;
}

int64_t comparison_earlier(int64_t a, int64_t b)
{
    return a < 0 ? b : b < 0 || a < b ? a : b;
}

bool comparison_pair(const struct comparison *comparison, uint64_t *i,
                     const struct frame_record **before, const struct frame_record **now)
{
    for (; *i < comparison->now->count; ++*i) {
        *now = &comparison->now->frames[*i];
        *before = record_frame(comparison->before, (*now)->frame);
        if (*before) {
            ++*i;
            return true;
        }
    }
    return false;
}

struct hash_comparison comparison_hashes(const struct comparison *comparison, size_t offset)
{
    const struct record *before = comparison->before, *now = comparison->now;
    struct hash_comparison out = {.planned = now->count, .first = -1};
    const struct frame_record *a, *b;
    uint64_t pairs = 0;
    for (uint64_t i = 0; comparison_pair(comparison, &i, &a, &b);) {
        const char *in_a = (const char *)a + offset, *in_b = (const char *)b + offset;
        pairs++;
        if (!in_a[0] || !in_b[0])
            continue;
        out.compared++;
        if (strcmp(in_a, in_b) == 0)
            continue;
        out.differing++;
        if (out.first < 0)
            out.first = (int64_t)b->frame;
    }
    if (!comparison->substituted)
        out.planned += before->count - pairs;
    return out;
}

bool comparison_same_bits(const struct comparison *comparison, const char *text_before,
                          const char *text_now)
{
    return (comparison->same_input || comparison->substituted) &&
           comparison_same_text(text_before, text_now);
}

struct finding *comparison_measured(const struct comparison *comparison, struct stage_report *stage,
                                    enum rule_name rule, double value)
{
    return stage_measured(stage, comparison->limits, &rules[rule], value);
}

bool comparison_judge_bits(const struct comparison *comparison, struct stage_report *stage,
                           const struct rule *rule, const struct hash_comparison *hashes)
{
    stage->planned = hashes->planned;
    stage->compared = hashes->compared;
    stage->first_frame = hashes->first;
    const bool same = hashes->compared > 0 && hashes->differing == 0;
    if (hashes->compared == 0 || (!stage->same_platform && !same))
        return hashes->compared == 0;
    struct finding *finding =
        stage_measured(stage, comparison->limits, rule, (double)hashes->differing);
    finding->frame = hashes->first;
    if (same)
        finding_say(finding, "same bits in %" PRIu64 " of %" PRIu64 " frames", hashes->compared,
                    hashes->planned);
    else
        finding_say(finding, "%" PRIu64 " of %" PRIu64 " frames differ in bits", hashes->differing,
                    hashes->compared);
    return same;
}
