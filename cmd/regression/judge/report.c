#include "cmd/regression/judge/report.h"

#include "base/memory.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool verdict_passes(enum verdict verdict)
{
    return verdict == VERDICT_SAME || verdict == VERDICT_WITHIN || verdict == VERDICT_WARNED;
}

bool verdict_is_same(enum verdict verdict)
{
    return verdict == VERDICT_SAME || verdict == VERDICT_NOT_APPLICABLE;
}

static const struct choice verdicts[] = {
    [VERDICT_NOT_APPLICABLE] = {"not applicable", NULL},
    [VERDICT_SAME] = {"same", NULL},
    [VERDICT_WITHIN] = {"within", NULL},
    [VERDICT_WARNED] = {"warned", NULL},
    [VERDICT_NOT_COMPARED] = {"not compared", NULL},
    [VERDICT_NOT_JUDGED] = {"not judged", NULL},
    [VERDICT_CHANGED] = {"changed", NULL},
};
const struct registry verdict_registry = REGISTRY_OF("verdict", verdicts);

const char *verdict_name(enum verdict verdict)
{
    return verdicts[verdict].name;
}

static enum verdict worse(enum verdict a, enum verdict b)
{
    return a > b ? a : b;
}

void stage_clear(struct stage_report *stage)
{
    for (uint32_t i = 0; i < stage->finding_count; i++) {
        free(stage->findings[i].because);
        free(stage->findings[i].text);
    }
    free(stage->findings);
    free(stage->sentence);
    *stage = (struct stage_report){.verdict = VERDICT_NOT_JUDGED, .first_frame = -1};
}

static void shown_free(struct shown_frame *shown)
{
    free(shown->a);
    free(shown->b);
    free(shown->difference);
    free(shown->why);
    free(shown->marks);
}

static void case_free(struct case_report *one)
{
    for (int i = 0; i < JUDGED_COUNT; i++)
        stage_clear(&one->stages[i]);
    for (uint32_t i = 0; i < one->series_count; i++) {
        free(one->series[i].value);
    }
    for (uint32_t i = 0; i < one->environment_count; i++) {
        free(one->environment[i].what);
        free(one->environment[i].before);
        free(one->environment[i].now);
    }
    for (uint32_t i = 0; i < one->shown_count; i++)
        shown_free(&one->shown[i]);
    char *const owned[] = {one->name,      one->a,         one->b,      one->sentence,
                           one->clip.path, one->reproduce, one->accept, one->author,
                           one->reason,    one->date,      one->anchor, one->baseline,
                           one->candidate};
    for (size_t i = 0; i < sizeof owned / sizeof *owned; i++)
        free(owned[i]);
    free(one->series);
    free(one->environment);
    free(one->alignment);
    free(one->shown);
    free(one->clip.frames);
}

void report_free(struct report *report)
{
    for (uint32_t i = 0; i < report->case_count; i++)
        case_free(&report->cases[i]);
    free(report->cases);
    free(report->command);
    free(report->program);
    *report = (struct report){0};
}

struct case_report *report_add_case(struct report *report, const char *name)
{
    struct case_report *one = MEMORY_ADD(report->cases, report->case_count);
    *one =
        (struct case_report){.name = memory_text(name), .verdict = VERDICT_NOT_JUDGED, .stage = -1};
    for (int i = 0; i < JUDGED_COUNT; i++)
        stage_clear(&one->stages[i]);
    return one;
}

void case_add_environment(struct case_report *one, const char *what, const char *before,
                          const char *now)
{
    *MEMORY_ADD(one->environment, one->environment_count) =
        (struct environment_change){memory_text(what), memory_text(before), memory_text(now)};
}

struct finding *stage_add_finding(struct stage_report *stage, const struct rule *rule)
{
    struct finding *finding = MEMORY_ADD(stage->findings, stage->finding_count);
    *finding = (struct finding){.rule = rule,
                                .verdict = VERDICT_NOT_JUDGED,
                                .warn = rule->warn,
                                .fail = rule->fail,
                                .frame = -1,
                                .x = -1,
                                .y = -1,
                                .tile_x = -1,
                                .tile_y = -1};
    return finding;
}

static enum verdict judge(double value, double warn, double fail)
{
    if (!(value <= fail))
        return VERDICT_CHANGED;
    if (!(value <= warn))
        return VERDICT_WARNED;
    return value == 0 ? VERDICT_SAME : VERDICT_WITHIN;
}

struct finding *stage_measured_within(struct stage_report *stage, const struct limits *limits,
                                      const struct rule *rule, double value, double warn,
                                      double fail)
{
    struct finding *finding = stage_add_finding(stage, rule);
    const char *because = limits_because(limits, rule);
    finding->value = value;
    finding->warn = warn;
    finding->fail = fail;
    finding->because = because ? memory_text(because) : NULL;
    finding->verdict = judge(value, warn, fail);
    return finding;
}

struct finding *stage_measured(struct stage_report *stage, const struct limits *limits,
                               const struct rule *rule, double value)
{
    return stage_measured_within(stage, limits, rule, value, limits_warn(limits, rule),
                                 limits_fail(limits, rule));
}

static void say(char **text, const char *format, va_list arguments)
{
    char *said = text_format_list(format, arguments);
    free(*text);
    *text = said;
}

void finding_say(struct finding *finding, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(&finding->text, format, arguments);
    va_end(arguments);
}

void stage_say(struct stage_report *stage, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(&stage->sentence, format, arguments);
    va_end(arguments);
}

bool stage_has_changed(const struct stage_report *stage, uint32_t from)
{
    for (uint32_t i = from; i < stage->finding_count; i++)
        if (stage->findings[i].verdict == VERDICT_CHANGED)
            return true;
    return false;
}

static void set_aside(struct stage_report *stage, enum verdict verdict, const char *format,
                      va_list arguments)
{
    say(&stage->sentence, format, arguments);
    stage->verdict = verdict;
    stage->planned = stage->compared = 0;
    stage->first_frame = -1;
}

void stage_not_judged(struct stage_report *stage, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_aside(stage, VERDICT_NOT_JUDGED, format, arguments);
    va_end(arguments);
}

void stage_not_applicable(struct stage_report *stage, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set_aside(stage, VERDICT_NOT_APPLICABLE, format, arguments);
    va_end(arguments);
}

/* Returns the first of the findings with the worst verdict. */
static const struct finding *worst_finding(const struct stage_report *stage)
{
    const struct finding *worst = NULL;
    for (uint32_t i = 0; i < stage->finding_count; i++)
        if (!worst || stage->findings[i].verdict > worst->verdict)
            worst = &stage->findings[i];
    return worst;
}

bool finding_tells_bits(const struct finding *finding)
{
    return text_ends_with(finding->rule->name, ".bits");
}

/* Joins the first findings with that verdict, at most two: "412 pixels differ visibly; 3 stars
 * ...". */
static char *say_findings(const struct stage_report *stage, enum verdict verdict)
{
    char *said = NULL;
    int count = 0;
    for (uint32_t i = 0; i < stage->finding_count && count < 2; i++) {
        const struct finding *finding = &stage->findings[i];
        if (finding->verdict != verdict || !finding->text || finding_tells_bits(finding))
            continue;
        text_append(&said, "; ", "%s", finding->text);
        count++;
    }
    return said;
}

/* "12 of 48 frames differ in bits, within all limits: the sum of linear light differs by 1e-5 %" */
static char *say_bits(const struct stage_report *stage, const struct finding *bits)
{
    char *within = say_findings(stage, VERDICT_WITHIN);
    char *said = text_format("%s%s%s", bits->text, within ? ", within the limits: " : "",
                             within ? within : "");
    free(within);
    return said;
}

/* Returns the text of the first finding without a difference: "same bits in 48 of 48 frames". */
static const char *said_of_sameness(const struct stage_report *stage)
{
    for (uint32_t i = 0; i < stage->finding_count; i++)
        if (stage->findings[i].verdict == VERDICT_SAME && stage->findings[i].text)
            return stage->findings[i].text;
    return NULL;
}

static void say_outcome(struct stage_report *stage, const struct finding *worst)
{
    const char *frames = stage->planned == 1 ? "" : " frames", *same = said_of_sameness(stage);
    const bool passes = !worst || verdict_passes(worst->verdict);
    char *said = NULL, word[TEXT_WORD];
    if (passes && stage->compared == 0)
        stage_say(stage, "nothing was compared");
    else if (passes && stage->compared < stage->planned)
        stage_say(stage, "compared only %" PRIu64 " of %" PRIu64 "%s", stage->compared,
                  stage->planned, frames);
    else if (stage->first_frame >= 0 && (!worst || worst->verdict == VERDICT_SAME))
        stage_say(stage, "the bits differ, but no measured value does");
    else if (stage->verdict == VERDICT_SAME && same)
        stage_say(stage, "%s", same);
    else if (stage->verdict == VERDICT_SAME)
        stage_say(stage, "the same in %" PRIu64 " of %" PRIu64 "%s", stage->compared,
                  stage->planned, frames);
    else if (worst && (said = say_findings(stage, worst->verdict)))
        stage_say(stage, "%s", said);
    else if (worst && worst->text && (said = say_bits(stage, worst)))
        stage_say(stage, "%s", said);
    else if (worst)
        stage_say(stage, "%s is %.3g%s%s, the limit %.3g", worst->rule->name, worst->value,
                  worst->rule->unit[0] ? " " : "",
                  text_of_count(worst->rule->unit, worst->value, word), worst->fail);
    free(said);
}

void stage_conclude(struct stage_report *stage)
{
    const struct finding *worst = worst_finding(stage);
    const bool whole = stage->compared > 0 && stage->compared >= stage->planned;
    if (stage->verdict == VERDICT_NOT_APPLICABLE && !worst)
        return;
    stage->verdict = worst ? worst->verdict : VERDICT_SAME;
    if (stage->verdict == VERDICT_SAME && stage->first_frame >= 0)
        stage->verdict = VERDICT_WITHIN;
    if (stage->follows || (!whole && stage->verdict != VERDICT_CHANGED))
        stage->verdict = VERDICT_NOT_JUDGED;
    if (!stage->sentence)
        say_outcome(stage, worst);
}

/* How the sentence of a case begins, by the stage that names the cause. */
static const struct {
    const char *what, *at; /* "physics changed at frame 17" */
    int evidence;          /* the stage that shows that earlier results are the same; -1: none */
    const char *same;      /* the word for those results */
} words[JUDGED_COUNT] = {
    [JUDGED_SCENE] = {"the scene differs", " from frame ", -1, ""},
    [JUDGED_START] = {"the initial state differs", " at frame ", -1, ""},
    [JUDGED_PHYSICS] = {"physics changed", " at frame ", -1, ""},
    [JUDGED_LIGHT] = {"light differs", " from frame ", JUDGED_PHYSICS, "bodies"},
    [JUDGED_PICTURE] = {"picture differs", " from frame ", JUDGED_PHYSICS, "bodies"},
    [JUDGED_PACKETS] = {"packets differ", " from frame ", JUDGED_PICTURE, "pictures"},
    [JUDGED_CONTAINER] = {"container differs", " from frame ", JUDGED_PACKETS, "packets"},
};

/* "same bodies, picture differs from frame 30: 412 pixels, worst tile 12,5". */
static char *say_cause(const struct case_report *one, int cause)
{
    const struct stage_report *stage = &one->stages[cause];
    const int evidence = words[cause].evidence;
    const enum verdict before = evidence < 0 ? VERDICT_NOT_JUDGED : one->stages[evidence].verdict;
    const char *how = before == VERDICT_SAME ? "same " : verdict_passes(before) ? "like " : NULL;
    char frame[32] = "", also[480] = "";
    const bool renewed = cause == JUDGED_SCENE && one->baseline;
    if (stage->first_frame >= 0)
        snprintf(frame, sizeof frame, "%s%" PRId64, words[cause].at, stage->first_frame);
    for (int i = cause + 1; i < JUDGED_COUNT; i++)
        if (one->stages[i].verdict == VERDICT_CHANGED) {
            const char *sentence = one->stages[i].sentence;
            char *changed =
                text_format("%s%s%s%s", judged_name((enum judged)i), sentence ? " (" : "",
                            sentence ? sentence : "", sentence ? ")" : "");
            text_list(also, sizeof also, changed);
            free(changed);
        }
    return text_format("%s%s%s%s%s%s%s%s%s%s", how ? how : "", how ? words[cause].same : "",
                       how ? ", " : "", words[cause].what, frame, stage->sentence ? ": " : "",
                       stage->sentence ? stage->sentence : "",
                       also[0] && renewed ? "; also changed, of the recorded scene: "
                       : also[0]          ? "; also changed: "
                                          : "",
                       also,
                       !also[0] && renewed
                           ? "; nothing else was compared; record the baseline again if the "
                             "change is meant"
                           : "");
}

static char *say_unjudged(const struct case_report *one, int stage)
{
    const char *sentence = stage < 0 ? NULL : one->stages[stage].sentence;
    return text_format("%s%s%s", stage < 0 ? "" : judged_name((enum judged)stage),
                       stage < 0 ? "" : ": ", sentence ? sentence : "nothing was compared");
}

static char *say_passed(const struct case_report *one)
{
    int judged = 0, warned = -1;
    for (int i = 0; i < JUDGED_COUNT; i++) {
        judged += verdict_passes(one->stages[i].verdict);
        if (one->stages[i].verdict == VERDICT_WARNED && warned < 0)
            warned = i;
    }
    const char *how = one->verdict == VERDICT_SAME ? "the same" : "within the limits";
    const char *sentence = warned < 0 ? NULL : one->stages[warned].sentence;
    return text_format(
        "%s in %d of %d stages%s%s%s%s", how, judged, judged,
        warned < 0 ? "" : "; warning: ", warned < 0 ? "" : judged_name((enum judged)warned),
        sentence ? ": " : "", sentence ? sentence : "");
}

/* Returns the first stage with that verdict; -1: none. */
static int first_of(const struct case_report *one, enum verdict verdict)
{
    for (int i = 0; i < JUDGED_COUNT; i++)
        if (one->stages[i].verdict == verdict)
            return i;
    return -1;
}

void case_say(struct case_report *one, char *sentence)
{
    free(one->sentence);
    one->sentence = sentence;
}

/* Frees the series of a stage. */
static void drop_series(struct case_report *one, enum judged stage)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < one->series_count; i++)
        if (one->series[i].rule->stage == stage)
            free(one->series[i].value);
        else
            one->series[kept++] = one->series[i];
    one->series_count = kept;
}

/* Marks the stages that pass with the recorded scene, and so say nothing about the changed one. */
static void set_recorded_aside(struct case_report *one)
{
    if (!one->baseline || one->stages[JUDGED_SCENE].verdict != VERDICT_CHANGED)
        return;
    for (int i = JUDGED_SCENE + 1; i < JUDGED_COUNT; i++) {
        struct stage_report *stage = &one->stages[i];
        const uint64_t planned = stage->planned;
        if (!verdict_passes(stage->verdict))
            continue;
        stage_clear(stage);
        stage->verdict = VERDICT_NOT_COMPARED;
        stage->planned = planned;
        stage_say(stage, "not compared, because the scene has changed");
        drop_series(one, (enum judged)i);
        if (i == JUDGED_PACKETS)
            one->alignment_count = 0;
    }
}

void case_conclude(struct case_report *one)
{
    set_recorded_aside(one);
    one->verdict = VERDICT_NOT_APPLICABLE;
    for (int i = 0; i < JUDGED_COUNT; i++)
        one->verdict = worse(one->verdict, one->stages[i].verdict);
    if (one->verdict == VERDICT_NOT_APPLICABLE)
        one->verdict = VERDICT_NOT_JUDGED;
    one->stage = first_of(one, VERDICT_CHANGED);
    if (one->verdict == VERDICT_CHANGED)
        case_say(one, say_cause(one, one->stage));
    else if (verdict_passes(one->verdict))
        case_say(one, say_passed(one));
    else
        case_say(one, say_unjudged(one, first_of(one, VERDICT_NOT_JUDGED)));
}

void case_give_up(struct case_report *one, const char *why)
{
    for (int i = 0; i < JUDGED_COUNT; i++) {
        struct stage_report *stage = &one->stages[i];
        stage_clear(stage);
        stage->planned = 1;
        stage->sentence = memory_text(why);
    }
    one->verdict = VERDICT_NOT_JUDGED;
    one->stage = -1;
    case_say(one, memory_text(why));
}

void report_conclude(struct report *report)
{
    report->verdict = report->case_count > 0 ? VERDICT_SAME : VERDICT_NOT_JUDGED;
    for (uint32_t i = 0; i < report->case_count; i++)
        report->verdict = worse(report->verdict, report->cases[i].verdict);
}

enum status report_status(const struct report *report)
{
    return report->case_count > 0 && verdict_passes(report->verdict) ? STATUS_OK : STATUS_MISMATCH;
}
