#include "cmd/regression/judge/judge.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/judge/frame_join.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- frames ---- */

int64_t judge_earlier(int64_t a, int64_t b)
{
    return a < 0 ? b : b < 0 || a < b ? a : b;
}

bool walk_next(const struct walk *walk, uint64_t *i, struct met *met)
{
    met->walk = walk;
    while (*i < walk->now->count) {
        met->now = &walk->now->frames[(*i)++];
        met->before = record_frame(walk->before, met->now->frame);
        if (met->before)
            return true;
    }
    return false;
}

/* Writes the value in the rule's words; {one|more} is chosen by whether it is 1. */
static void say_value(struct finding *finding, const char *says, double value)
{
    char *format = memory_text(says), *open = strchr(format, '{');
    if (open) {
        char *bar = strchr(open, '|'), *close = strchr(open, '}');
        *open = *bar = *close = '\0';
        char *chosen = text_format("%s%s%s", format, value == 1 ? open + 1 : bar + 1, close + 1);
        free(format);
        format = chosen;
    }
    finding_say(finding, format, value);
    free(format);
}

struct finding *walk_found(struct walk *walk, const struct rule *rule, double value, int64_t frame)
{
    struct finding *finding = stage_measured(walk->stage, walk->limits, rule, value);
    finding->frame = frame;
    if (rule->says && value != 0)
        say_value(finding, rule->says, value);
    return finding;
}

double rule_member(const struct rule *rule, const struct frame_record *frame)
{
    double value;
    memcpy(&value, (const char *)frame + rule->member.offset, sizeof value);
    return value > rule->member.most ? rule->member.most : value;
}

static bool has_value(const struct rule *rule)
{
    return rule->of || rule->member.is;
}

/* Returns the value of a frame: the function's, or by how much the member differs. */
static double value_of(const struct rule *rule, const struct met *met)
{
    return rule->of ? rule->of(met)
                    : fabs(rule_member(rule, met->now) - rule_member(rule, met->before));
}

void judge_counted(struct walk *walk, const struct rule *rule)
{
    struct met met;
    double count = 0;
    int64_t first = -1;
    for (uint64_t i = 0; walk_next(walk, &i, &met);)
        if (value_of(rule, &met) > 0 && count++ == 0)
            first = (int64_t)met.now->frame;
    walk_found(walk, rule, count, first);
}

void judge_worst(struct walk *walk, const struct rule *rule)
{
    const double limit = limits_fail(walk->limits, rule);
    struct met met;
    double worst = 0;
    int64_t frame = -1, over = -1;
    for (uint64_t i = 0; !isnan(worst) && walk_next(walk, &i, &met);) {
        const double value = value_of(rule, &met);
        if (over < 0 && !(value <= limit))
            over = (int64_t)met.now->frame;
        if (!(value <= worst)) {
            worst = value;
            frame = (int64_t)met.now->frame;
        }
    }
    walk_found(walk, rule, worst, frame);
    walk->beyond = judge_earlier(walk->beyond, over);
}

void judge_spread(struct walk *walk, const struct rule *rule)
{
    struct met met;
    double count = 0, sum = 0, squares = 0;
    for (uint64_t i = 0; walk_next(walk, &i, &met);) {
        const double value = value_of(rule, &met);
        count++;
        sum += value;
        squares += value * value;
    }
    const double mean = sum / count, variance = squares / count - mean * mean;
    walk_found(walk, rule, sqrt(variance > 0 || isnan(variance) ? variance : 0), -1);
}

/* Returns whether the platform that determines the bits of a stage is the same. Records of older
 * programs do not name the platform of their start. */
static bool same_platform(const struct walk *walk, enum judged stage)
{
    for (int r = 0; r < RULE_COUNT; r++) {
        const size_t at = rules[r].bits.platform;
        const char *before =
                       *(char *const *)(const void *)((const char *)&walk->before->platform + at),
                   *now = *(char *const *)(const void *)((const char *)&walk->now->platform + at);
        if (rules[r].stage != stage || !rules[r].bits.are)
            continue;
        if (stage == JUDGED_START && (!before || !*before))
            return true;
        return strcmp(before ? before : "", now ? now : "") == 0;
    }
    return true;
}

/* Compares the hashes of all frames. Adds no finding if bits differ on another platform: limits
 * decide then. */
void judge_bits(struct walk *walk, const struct rule *rule)
{
    struct stage_report *stage = walk->stage;
    const size_t offset = rule->bits.hash;
    struct met met;
    uint64_t pairs = 0;
    for (uint64_t i = 0; walk_next(walk, &i, &met); pairs++) {
        const char *a = (const char *)met.before + offset, *b = (const char *)met.now + offset;
        if (!a[0] || !b[0])
            continue;
        stage->compared++;
        if (strcmp(a, b) != 0 && walk->differing++ == 0)
            stage->first_frame = (int64_t)met.now->frame;
    }
    stage->planned = walk->now->count;
    if (!walk->comparison->substituted)
        stage->planned += walk->before->count - pairs;
    const bool same = stage->compared > 0 && walk->differing == 0;
    walk->settled = same || stage->compared == 0;
    if (stage->compared == 0 || (!stage->same_platform && !same))
        return;
    struct finding *finding = walk_found(walk, rule, (double)walk->differing, stage->first_frame);
    if (same)
        finding_say(finding, "same bits in %" PRIu64 " of %" PRIu64 " frames", stage->compared,
                    stage->planned);
    else
        finding_say(finding, "%" PRIu64 " of %" PRIu64 " frames differ in bits", walk->differing,
                    stage->compared);
}

/* ---- causes ---- */

/* The causes that earlier stages give for a difference in a stage. */
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
    return verdict_is_same(one->stages[stage].verdict);
}

static bool is_like(const struct case_report *one, enum judged stage)
{
    return is_same(one, stage) || verdict_passes(one->stages[stage].verdict);
}

/* Returns whether all stages that a stage reads are the same (is_same) or alike (is_like). */
static bool inputs_are(const struct case_report *one, enum judged stage,
                       bool (*is)(const struct case_report *, enum judged))
{
    static const int first[JUDGED_COUNT] = {
        [JUDGED_PHYSICS] = JUDGED_START,     [JUDGED_LIGHT] = JUDGED_START,
        [JUDGED_PICTURE] = JUDGED_START,     [JUDGED_PACKETS] = JUDGED_PICTURE,
        [JUDGED_CONTAINER] = JUDGED_PACKETS,
    };
    bool all = true;
    for (int i = first[stage]; stage > JUDGED_START && i < (int)stage; i++)
        all = all && is(one, (enum judged)i);
    return all;
}

/* Finds what may explain a difference in a stage. Bodies that differ only by round-off may still
 * lead to other pictures once the difference has grown; light within its limits cannot explain a
 * picture beyond its own. */
static struct cause cause_for(const struct case_report *one, enum judged stage)
{
    struct cause cause = {.scene = stage != JUDGED_SCENE && !is_same(one, JUDGED_SCENE),
                          .changed = !inputs_are(one, stage, is_like),
                          .differs = (stage == JUDGED_LIGHT || stage == JUDGED_PICTURE) &&
                                     !is_same(one, JUDGED_PHYSICS)};
    const struct stage_report *packets = &one->stages[JUDGED_PACKETS];
    for (uint32_t i = 0; stage == JUDGED_CONTAINER && i < packets->finding_count; i++)
        cause.order |= packets->findings[i].rule == &rules[RULE_PACKETS_ORDER] &&
                       packets->findings[i].verdict == VERDICT_CHANGED;
    return cause;
}

/* Names the first stage that differs as the cause of the difference in this one. */
static void say_follows(const struct case_report *one, enum judged stage,
                        struct stage_report *report)
{
    int from = 0;
    while (from < (int)stage && (is_same(one, (enum judged)from) || one->stages[from].follows))
        from++;
    char *differs = report->sentence;
    report->sentence = NULL;
    stage_say(report, "follows from %s: %s",
              from < (int)stage ? judged_name((enum judged)from) : "what came before", differs);
    free(differs);
}

/* ---- stages ---- */

/* Sets the first frame: where bits must agree, or do, the first that differs; else the first beyond
 * a limit. Where limits decide on pictures, some must have been measured: light and thumbnails
 * alone cannot detect a single star. */
static void close_stage(const struct walk *walk, enum judged stage)
{
    struct stage_report *report = walk->stage;
    if (walk->beyond >= 0)
        report->first_frame = report->same_platform || walk->settled
                                  ? judge_earlier(report->first_frame, walk->beyond)
                                  : walk->beyond;
    if (stage != JUDGED_PICTURE || walk->settled || report->same_platform || walk->measured > 0 ||
        stage_has_changed(report, 0))
        return;
    report->compared -= walk->differing;
    stage_say(report,
              "%" PRIu64 " frames differ, and no pictures of them are kept to measure by how much",
              walk->differing);
}

static enum status judge_one(const struct comparison *comparison, enum judged stage,
                             bool same_input, struct stage_report *report,
                             const struct cause *cause)
{
    struct walk walk = {.comparison = comparison,
                        .before = comparison->before,
                        .now = comparison->now,
                        .limits = comparison->limits,
                        .stage = report,
                        .same_input = same_input,
                        .beyond = -1,
                        .status = STATUS_OK};
    report->same_platform = stage == JUDGED_SCENE || ((same_input || comparison->substituted) &&
                                                      same_platform(&walk, stage));
    if (!rules_set_aside(&walk, stage)) {
        for (int r = 0; r < RULE_COUNT; r++)
            if (rules[r].stage == stage && rules[r].judge &&
                (!rules[r].when || rules[r].when(&walk)))
                rules[r].judge(&walk, &rules[r]);
        close_stage(&walk, stage);
    }
    report->substituted = comparison->substituted;
    report->follows = !comparison->substituted && is_explained(report, cause);
    if (walk.status != STATUS_OK) {
        report->compared = 0;
        stage_say(report, "%s", status_text());
    }
    stage_conclude(report);
    return walk.status;
}

enum status judge_stage(const struct comparison *comparison, enum judged stage,
                        struct stage_report *report)
{
    const struct cause none = {0};
    stage_clear(report);
    return judge_one(comparison, stage, false, report, &none);
}

/* ---- timelines ---- */

/* Appends the series: the distance of the bodies as a share of what is allowed, NAN where only
 * statistics are compared, and the values of three rules. A frame that one side lacks has NAN. */
static void add_series(const struct comparison *comparison, struct case_report *one)
{
    static const enum rule_name followed[] = {RULE_PHYSICS_POSITIONS, RULE_PHYSICS_ENERGY,
                                              RULE_LIGHT_SUM, RULE_PICTURE_MEAN_LIGHT};
    enum { SERIES = sizeof followed / sizeof *followed };
    const struct record *before = comparison->before;
    const struct walk walk = {.comparison = comparison,
                              .before = before,
                              .now = comparison->now,
                              .limits = comparison->limits};
    one->series = memory_grow(one->series, one->series_count + (size_t)SERIES, sizeof *one->series);
    for (size_t k = 0; k < SERIES; k++) {
        const struct rule *rule = &rules[followed[k]];
        double *value = memory_new((size_t)before->count, sizeof *value);
        one->series[one->series_count++] = (struct series){.rule = rule, .value = value};
        for (uint64_t i = 0; i < before->count; i++) {
            const struct met met = {&walk, &before->frames[i],
                                    record_frame(walk.now, before->frames[i].frame)};
            value[i] = met.now && has_value(rule) ? value_of(rule, &met) : NAN;
        }
        if (!has_value(rule))
            bodies_series(&walk, value);
    }
}

/* ---- the environment ---- */

static void change(struct case_report *one, const char *what, const char *before, const char *now)
{
    for (uint32_t i = 0; i < one->environment_count; i++)
        if (strcmp(one->environment[i].what, what) == 0)
            return;
    case_add_environment(one, what, before[0] ? before : "nothing", now[0] ? now : "nothing");
}

/* Returns where the first word of a part that is a number begins, "164" or "r3095"; the part's
 * length if there is none. */
static size_t number_at(const char *part, size_t length)
{
    for (size_t i = 0; i < length; i += strcspn(part + i, " "), i += strspn(part + i, " "))
        if (isdigit((unsigned char)part[i + (part[i] == 'v' || part[i] == 'r')]))
            return i;
    return length;
}

/* Compares two texts part by part. A part is a name and what follows from its first number on,
 * "Mesa 22.3.6", or a number and its unit, "256 bits". Returns false if anything but the numbers
 * differs, or nothing. `one`: gets the numbers that differ; NULL: nothing does. */
static bool compare_parts(const char *a, const char *b, struct case_report *one)
{
    static const char ends[] = ",;()";
    bool found = false;
    for (;; a++, b++) {
        a += strspn(a, " ");
        b += strspn(b, " ");
        const size_t in_a = strcspn(a, ends), in_b = strcspn(b, ends), from = number_at(a, in_a),
                     to_a = from ? in_a : strcspn(a, " ,;()"),
                     to_b = from ? in_b : strcspn(b, " ,;()");
        if (number_at(b, in_b) != from || strncmp(a, b, from) != 0 || in_a - to_a != in_b - to_b ||
            strncmp(a + to_a, b + to_b, in_a - to_a) != 0 || a[in_a] != b[in_b])
            return false;
        if (to_a != to_b || strncmp(a + from, b + from, to_a - from) != 0) {
            const char *name = from ? a : a + to_a + strspn(a + to_a, " ");
            char *what =
                     text_format("%.*s", (int)(from ? from - 1 : in_a - (size_t)(name - a)), name),
                 *before = text_format("%.*s", (int)(to_a - from), a + from),
                 *now = text_format("%.*s", (int)(to_b - from), b + from);
            if (one)
                change(one, what, before, now);
            free(what);
            free(before);
            free(now);
            found = true;
        }
        a += in_a;
        b += in_b;
        if (!*a)
            return found;
    }
}

void environment_compare_text(const char *what, const char *before, const char *now,
                              struct case_report *one)
{
    before = before ? before : "";
    now = now ? now : "";
    if (strcmp(before, now) == 0)
        return;
    if (compare_parts(before, now, NULL))
        compare_parts(before, now, one);
    else
        change(one, what, before, now);
}

void environment_compare(const struct record *a, const struct record *b, struct case_report *one)
{
    const struct platform *in_a = &a->platform, *in_b = &b->platform;
    environment_compare_text("program", a->program, b->program, one);
    if (a->commit && *a->commit && b->commit && *b->commit && strcmp(a->commit, b->commit) != 0)
        change(one, "commit", a->commit, b->commit);
    if (in_a->start && *in_a->start)
        environment_compare_text("start", in_a->start, in_b->start, one);
    const uint32_t before = one->environment_count;
    environment_compare_text("physics", in_a->physics, in_b->physics, one);
    environment_compare_text("drawing", in_a->drawing, in_b->drawing, one);
    const bool alike = one->environment_count == before;
    environment_compare_text("encoder", in_a->encoder, in_b->encoder, one);
    environment_compare_text("muxer", in_a->muxer, in_b->muxer, one);
    environment_compare_text("libraries", a->libraries, b->libraries, one);
    /* This text names what computes and what draws, which the platforms' texts already cover. */
    if (alike)
        environment_compare_text("device", a->device, b->device, one);
}

enum status judge_records(const struct comparison *comparison, struct case_report *one)
{
    struct failure failure = {0};
    one->frames = comparison->before->count;
    for (int i = 0; i < JUDGED_COUNT; i++) {
        const enum judged stage = (enum judged)i;
        const struct cause cause = cause_for(one, stage);
        stage_clear(&one->stages[i]);
        failure_keep(&failure, judge_one(comparison, stage, inputs_are(one, stage, is_same),
                                         &one->stages[i], &cause));
        if (one->stages[i].follows)
            say_follows(one, stage, &one->stages[i]);
    }
    join_records(comparison->before, comparison->now, one);
    add_series(comparison, one);
    environment_compare(comparison->before, comparison->now, one);
    return failure_report(&failure);
}
