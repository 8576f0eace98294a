#include "cmd/regression/judge/judge.h"

#include "cmd/regression/judge/stages.h"

#include <stdlib.h>

static enum status (*const judges[JUDGED_COUNT])(const struct comparison *,
                                                 struct stage_report *) = {
    [JUDGED_SCENE] = judge_scene,         [JUDGED_START] = judge_start,
    [JUDGED_PHYSICS] = judge_physics,     [JUDGED_LIGHT] = judge_light,
    [JUDGED_PICTURE] = judge_frames,      [JUDGED_PACKETS] = judge_packets,
    [JUDGED_CONTAINER] = judge_container,
};

/* What the earlier stages say about why a stage differs. */
struct cause {
    bool scene;   /* the scene has changed: explains everything */
    bool changed; /* the stage's input has changed: explains any difference */
    bool differs; /* input differs, if only by round-off: explains values beyond a limit */
    bool order;   /* frames missing or repeated: explains the frame count and the times */
};

static bool is_explained(const struct stage_report *stage, const struct cause *cause)
{
    bool differs = stage->first_frame >= 0, changed = false;
    for (uint32_t i = 0; i < stage->finding_count; i++) {
        const struct finding *finding = &stage->findings[i];
        differs |= finding->verdict != VERDICT_SAME;
        changed |= finding->verdict == VERDICT_CHANGED;
        const unsigned flags = finding->rule->flags;
        const bool explained = cause->scene || (cause->order && flags & RULE_IS_TIED);
        if (finding->verdict == VERDICT_CHANGED && !explained && flags & RULE_IS_STRUCTURE)
            return false;
    }
    return cause->scene || cause->changed ? differs : cause->differs && changed;
}

/* Returns whether a stage has the same bits; is_like() also accepts differences within limits. */
static bool is_same(const struct case_report *one, enum judged stage)
{
    const enum verdict verdict = one->stages[stage].verdict;
    return verdict == VERDICT_SAME || verdict == VERDICT_NOT_APPLICABLE;
}

static bool is_like(const struct case_report *one, enum judged stage)
{
    return is_same(one, stage) || verdict_passes(one->stages[stage].verdict);
}

static bool has_changed(const struct stage_report *stage, enum rule_name rule)
{
    bool changed = false;
    for (uint32_t i = 0; i < stage->finding_count; i++)
        changed |= stage->findings[i].rule == &rules[rule] &&
                   stage->findings[i].verdict == VERDICT_CHANGED;
    return changed;
}

/* Finds what may explain a difference in a stage. Bodies that differ only by round-off may still
 * lead to other pictures once the difference has grown; light within its limits cannot explain a
 * picture beyond its own. */
static struct cause cause_for(const struct case_report *one, enum judged stage)
{
    const bool bodies = is_like(one, JUDGED_START) && is_like(one, JUDGED_PHYSICS);
    struct cause cause = {.scene = stage != JUDGED_SCENE && !is_same(one, JUDGED_SCENE)};
    switch (stage) {
    case JUDGED_PHYSICS:
        cause.changed = !is_like(one, JUDGED_START);
        break;
    case JUDGED_LIGHT:
        cause.changed = !bodies;
        cause.differs = !is_same(one, JUDGED_PHYSICS);
        break;
    case JUDGED_PICTURE:
        cause.changed = !bodies || !is_like(one, JUDGED_LIGHT);
        cause.differs = !is_same(one, JUDGED_PHYSICS);
        break;
    case JUDGED_PACKETS:
        cause.changed = !is_like(one, JUDGED_PICTURE);
        break;
    case JUDGED_CONTAINER:
        cause.changed = !is_like(one, JUDGED_PACKETS);
        cause.order = has_changed(&one->stages[JUDGED_PACKETS], RULE_PACKETS_ORDER);
        break;
    default:
        break;
    }
    return cause;
}

/* Returns whether the input of a stage has the same bits on both sides. */
static bool has_same_input(const struct case_report *one, enum judged stage)
{
    static const int first[JUDGED_COUNT] = {
        [JUDGED_PHYSICS] = JUDGED_START,     [JUDGED_LIGHT] = JUDGED_START,
        [JUDGED_PICTURE] = JUDGED_START,     [JUDGED_PACKETS] = JUDGED_PICTURE,
        [JUDGED_CONTAINER] = JUDGED_PACKETS,
    };
    bool same = true;
    for (int i = first[stage]; stage > JUDGED_START && i < (int)stage; i++)
        same &= is_same(one, (enum judged)i);
    return same;
}

static enum status judge_one(const struct comparison *comparison, enum judged stage,
                             struct stage_report *report, const struct cause *cause)
{
    enum status status = judges[stage](comparison, report);
    report->substituted = comparison->substituted;
    report->follows = !comparison->substituted && is_explained(report, cause);
    if (status != STATUS_OK) {
        report->compared = 0;
        stage_say(report, "%s", status_text());
    }
    stage_conclude(report);
    return status;
}

/* Returns the name of the first earlier stage that is not the same. */
static const char *cause_of(const struct case_report *one, enum judged stage)
{
    for (int i = 0; i < (int)stage; i++)
        if (!is_same(one, (enum judged)i) && !one->stages[i].follows)
            return judged_name((enum judged)i);
    return "what came before";
}

static void say_follows(struct stage_report *report, const char *cause)
{
    char *differs = report->sentence;
    report->sentence = NULL;
    stage_say(report, "follows from %s: %s", cause, differs);
    free(differs);
}

enum status judge_records(const struct comparison *comparison, struct case_report *one)
{
    struct comparison connected = *comparison;
    struct failure failure = {0};
    one->frames = comparison->before->count;
    for (int i = 0; i < JUDGED_COUNT; i++) {
        const enum judged stage = (enum judged)i;
        const struct cause cause = cause_for(one, stage);
        stage_clear(&one->stages[i]);
        connected.same_input = has_same_input(one, stage);
        failure_keep(&failure, judge_one(&connected, stage, &one->stages[i], &cause));
        if (one->stages[i].follows)
            say_follows(&one->stages[i], cause_of(one, stage));
    }
    frames_align(comparison, one);
    timelines_add(comparison, one);
    environment_compare(comparison, one);
    return failure_report(&failure);
}

enum status judge_stage(const struct comparison *comparison, enum judged stage,
                        struct stage_report *report)
{
    const struct cause none = {0};
    stage_clear(report);
    return judge_one(comparison, stage, report, &none);
}
