#include "cmd/regression/report/summary.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/escape.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a stage is judged frame by frame. The physics of a single film is not: it is
 * judged by the film's last state. */
static bool has_frames(const struct case_report *one, enum judged stage)
{
    const bool of_state = stage == JUDGED_PHYSICS && one->stages[stage].planned == 1;
    return stage != JUDGED_SCENE && stage != JUDGED_START && stage != JUDGED_CONTAINER && !of_state;
}

struct compared summary_case(const struct case_report *one)
{
    struct compared compared = {.frames_planned = one->frames};
    bool of_frames = false;
    for (int s = 0; s < JUDGED_COUNT; s++) {
        const struct stage_report *stage = &one->stages[s];
        compared.stages_planned += stage->verdict != VERDICT_NOT_APPLICABLE;
        if (stage->verdict == VERDICT_NOT_JUDGED || stage->verdict == VERDICT_NOT_APPLICABLE)
            continue;
        compared.stages++;
        if (!has_frames(one, (enum judged)s) || stage->planned == 0 || stage->substituted)
            continue;
        if (!of_frames || stage->compared < compared.frames)
            compared.frames = stage->compared;
        of_frames = true;
    }
    compared.alone = compared.stages > 0 && one->a && !one->b && !one->baseline;
    return compared;
}

struct compared summary_report(const struct report *report)
{
    struct compared sum = {.alone = report->case_count > 0};
    for (uint32_t c = 0; c < report->case_count; c++) {
        struct compared one = summary_case(&report->cases[c]);
        sum.frames += one.frames;
        sum.frames_planned += one.frames_planned;
        sum.stages += one.stages;
        sum.stages_planned += one.stages_planned;
        sum.alone = sum.alone && one.alone;
    }
    return sum;
}

char *summary_compared(struct compared compared)
{
    const char *verb = compared.alone ? "examined" : "compared";
    /* Stages may have been judged even if the film was refused before its frames were read. */
    if (compared.frames == 0 && compared.frames_planned > 0)
        return text_format("%s none of %llu frames, judged %llu of %llu stages", verb,
                           (unsigned long long)compared.frames_planned,
                           (unsigned long long)compared.stages,
                           (unsigned long long)compared.stages_planned);
    return text_format(
        "%s %llu of %llu frames, %llu of %llu stages", verb, (unsigned long long)compared.frames,
        (unsigned long long)compared.frames_planned, (unsigned long long)compared.stages,
        (unsigned long long)compared.stages_planned);
}

uint32_t summary_passing(const struct report *report)
{
    uint32_t passing = 0;
    for (uint32_t c = 0; c < report->case_count; c++)
        passing += verdict_passes(report->cases[c].verdict);
    return passing;
}

char *summary_sentence(const struct report *report)
{
    const unsigned all = report->case_count, good = summary_passing(report);
    if (all == 0)
        return memory_text("nothing was compared, which does not pass");
    if (good == all && !verdict_passes(report->verdict))
        return text_format("does not pass, although %u of %u cases do", good, all);
    if (good == all)
        return text_format(all == 1 ? "the case passes" : "all %u cases pass", all);
    return all == 1 ? memory_text("the case does not pass")
                    : text_format("%u of %u cases do%s not pass", all - good, all,
                                  all - good == 1 ? "es" : "");
}

uint32_t *summary_order(const struct report *report)
{
    uint32_t *order = memory_new(report->case_count, sizeof *order), at = 0;
    for (int passes = 0; passes < 2; passes++)
        for (uint32_t c = 0; c < report->case_count; c++)
            if (verdict_passes(report->cases[c].verdict) == passes)
                order[at++] = c;
    return order;
}

double summary_share(const struct finding *finding)
{
    if (isnan(finding->value) || isnan(finding->fail))
        return INFINITY;
    if (isinf(finding->fail))
        return 0;
    if (finding->fail > 0)
        return finding->value / finding->fail;
    return finding->value > finding->fail ? INFINITY : 0;
}

double summary_worst(const struct case_report *one, const struct shown_frame *shown)
{
    double most = isnan(shown->worst) ? INFINITY : shown->worst;
    if (most > 0 || shown->frame < 0 || (uint64_t)shown->frame >= one->frames)
        return most;
    for (uint32_t s = 0; s < one->series_count; s++) {
        const struct series *series = &one->series[s];
        const double share = fabs(series->value[shown->frame]) / series->rule->fail;
        if (series->rule->fail > 0 && share > most)
            most = share;
    }
    return most;
}

/* Returns whether a rule only says that something differs, or that other rules failed. */
static bool says_little(const struct finding *finding)
{
    const char *dot = strrchr(finding->rule->name, '.');
    return finding->rule == &rules[RULE_SEQUENCE_FAILED] || (dot && strcmp(dot, ".bits") == 0);
}

static int by_weight(const void *a, const void *b)
{
    const struct finding *one = *(const struct finding *const *)a;
    const struct finding *other = *(const struct finding *const *)b;
    if (one->verdict != other->verdict)
        return one->verdict > other->verdict ? -1 : 1;
    if (says_little(one) != says_little(other))
        return says_little(one) ? 1 : -1;
    double share = summary_share(one), than = summary_share(other);
    if (share != than)
        return share > than ? -1 : 1;
    return one < other ? -1 : one > other;
}

const struct finding **summary_findings(const struct stage_report *stage)
{
    const struct finding **sorted = memory_new(stage->finding_count, sizeof *sorted);
    for (uint32_t f = 0; f < stage->finding_count; f++)
        sorted[f] = &stage->findings[f];
    qsort(sorted, stage->finding_count, sizeof *sorted, by_weight);
    return sorted;
}

char *summary_share_text(const struct finding *finding)
{
    double share = summary_share(finding);
    if (isnan(finding->value))
        return memory_text("not a number");
    if (isinf(finding->fail))
        return memory_text("no limit");
    if (finding->fail <= 0)
        return memory_text(isinf(share) ? "none is allowed" : "none found");
    char times[32];
    if (share >= 10 && share < 1e9)
        text_whole(times, sizeof times, share);
    else
        snprintf(times, sizeof times, "%.2g", share);
    if (share > 1)
        return text_format("%s x the limit", times);
    if (share > 0 && share < 0.005)
        return memory_text("under 1 % of the limit");
    return text_format("%.0f %% of the limit", 100 * share);
}

bool summary_has_two(const struct case_report *one)
{
    return one->a && one->b && one->stages[JUDGED_SCENE].verdict == VERDICT_NOT_APPLICABLE;
}

const char *summary_reproduce(const struct case_report *one)
{
    static const char still[] = "gravreel still ";
    return one->reproduce && strncmp(one->reproduce, still, sizeof still - 1) == 0 ? "frame now"
                                                                                   : "run again";
}

char *summary_environment(const struct case_report *one)
{
    char *text = NULL;
    for (uint32_t e = 0; e < one->environment_count; e++) {
        const struct environment_change *change = &one->environment[e];
        text_append(&text, ", ", "%s %s %s %s", change->what ? change->what : "",
                    change->before ? change->before : "none", summary_has_two(one) ? "and" : ">",
                    change->now ? change->now : "none");
    }
    return text;
}

void summary_number(double value, char *text, size_t size)
{
    if (isnan(value))
        snprintf(text, size, "not a number");
    else if (isinf(value))
        snprintf(text, size, "none");
    else
        snprintf(text, size, "%.4g", value);
}

/* ---- names ---- */

enum { ID_MAX = 80 };

/* Returns the next character of an id; '\0' at the end. */
static char next_letter(const char **name)
{
    const uint32_t found = escape_next(name);
    const bool kept = found < 0x80 && (isalnum((int)found) || strchr("._-", (int)found));
    return kept ? (char)found : '-';
}

static void write_id(const char *name, char out[ID_MAX + 1])
{
    int length = 0;
    while (length < ID_MAX && (out[length] = next_letter(&name)))
        length++;
    out[length] = '\0';
}

static const char *name_of(const struct report *report, uint32_t index)
{
    const char *name = report->cases[index].name;
    return name && *name ? name : "case";
}

char *names_case(const struct report *report, uint32_t index)
{
    uint32_t before = 0;
    char id[ID_MAX + 1], other[ID_MAX + 1];
    write_id(name_of(report, index), id);
    for (uint32_t c = 0; c < index; c++) {
        write_id(name_of(report, c), other);
        before += strcmp(id, other) == 0;
    }
    return before == 0 ? memory_text(id) : text_format("%s~%u", id, (unsigned)before + 1);
}

char *names_finding(const char *of_case, const struct finding *finding)
{
    if (finding->frame < 0)
        return text_format("%s/%s", of_case, finding->rule->name);
    return text_format("%s/%s@%lld", of_case, finding->rule->name, (long long)finding->frame);
}

/* ---- drafts ---- */

void draft_open(struct draft *draft)
{
    *draft = (struct draft){0};
    draft->file = text_begin(&draft->text, &draft->size);
}

char *draft_text(struct draft *draft, size_t *size)
{
    text_end(draft->file);
    if (size)
        *size = draft->size;
    return draft->text;
}

enum status draft_save(struct draft *draft, const char *path)
{
    size_t size;
    char *text = draft_text(draft, &size);
    enum status status = STATUS_OK;
    if (path)
        status = file_write(path, text, size);
    else if (fwrite(text, 1, size, stdout) != size || fflush(stdout) != 0)
        status = status_fail(STATUS_IO, "cannot write to the standard output");
    free(text);
    return status;
}
