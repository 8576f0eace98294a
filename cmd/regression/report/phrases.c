#include "cmd/regression/report/phrases.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- texts from outside ---- */

enum { REPLACEMENT = 0xfffd };

static uint32_t decode(const char **text)
{
    const uint32_t character = text_character(text);
    return character == TEXT_NO_CHARACTER ? REPLACEMENT : character;
}

/* Returns whether a display would obey the character instead of showing it: C0, C1, direction
 * marks, and noncharacters. */
static bool is_control(uint32_t character)
{
    static const uint32_t ranges[][2] = {{0x01, 0x1f},     {0x7f, 0x9f},      {0x200b, 0x200f},
                                         {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfeff, 0xfeff},
                                         {0xfff9, 0xfffb}, {0xe0000, 0xe007f}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (character >= ranges[i][0] && character <= ranges[i][1])
            return true;
    return (character & 0xfffe) == 0xfffe || (character >= 0xfdd0 && character <= 0xfdef);
}

uint32_t escape_next(const char **text)
{
    if (!*text)
        return 0;
    uint32_t character = decode(text);
    if (character == '\n' || character == '\r' || character == '\t')
        return ' ';
    return is_control(character) ? REPLACEMENT : character;
}

void escape_put(FILE *out, uint32_t character)
{
    if (character < 0x80) {
        putc((int)character, out);
        return;
    }
    int more = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    putc((int)((0xff00U >> (more + 1) & 0xffU) | character >> 6 * more), out);
    while (more-- > 0)
        putc((int)(0x80 | (character >> 6 * more & 0x3f)), out);
}

int escape_columns(const char *text)
{
    int count = 0;
    while (escape_next(&text) && count < INT_MAX)
        count++;
    return count;
}

int escape_terminal(FILE *out, const char *text, int room)
{
    const int all = escape_columns(text);
    const bool cut = all > room;
    const int shown = cut ? (room > 3 ? room - 3 : 0) : all;
    for (int i = 0; i < shown; i++) {
        uint32_t character = escape_next(&text);
        escape_put(out, character == REPLACEMENT ? '?' : character);
    }
    int dots = 0;
    while (cut && shown + dots < room && dots < 3) {
        putc('.', out);
        dots++;
    }
    return shown + dots;
}

void escape_markup(FILE *out, const char *text)
{
    for (uint32_t character; (character = escape_next(&text));)
        if (character < 0x80 && strchr("&<>\"'`", (int)character))
            fprintf(out, "&#%u;", (unsigned)character);
        else
            escape_put(out, character);
}

void escape_markdown(FILE *out, const char *text)
{
    for (uint32_t character; (character = escape_next(&text));) {
        if (character < 0x80 && strchr("\\`*_[]<>&#|~!@$", (int)character))
            fprintf(out, "&#%u;", (unsigned)character);
        else
            escape_put(out, character);
        if (character == '@' || character == '#' || (character == ':' && text[0] == '/'))
            escape_put(out, 0x2060); /* mentions are recognized after entities are decoded */
    }
}

char *escape_utf8(const char *text)
{
    size_t size;
    char *copy = NULL;
    FILE *memory = text_begin(&copy, &size);
    for (uint32_t character; (character = decode(&text));)
        escape_put(memory, character);
    text_end(memory);
    return copy;
}

/* ---- what was compared ---- */

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
    bool of_frames = false, of_changed = false;
    for (int s = 0; s < JUDGED_COUNT; s++) {
        const struct stage_report *stage = &one->stages[s];
        compared.stages_planned += stage->verdict != VERDICT_NOT_APPLICABLE;
        of_changed |= stage->verdict == VERDICT_NOT_COMPARED;
        if (stage->verdict == VERDICT_NOT_JUDGED || stage->verdict == VERDICT_NOT_APPLICABLE ||
            stage->verdict == VERDICT_NOT_COMPARED)
            continue;
        compared.stages++;
        if (!has_frames(one, (enum judged)s) || stage->planned == 0 || stage->substituted)
            continue;
        if (!of_frames || stage->compared < compared.frames)
            compared.frames = stage->compared;
        of_frames = true;
    }
    compared.alone = compared.stages > 0 && one->a && !one->b && !one->baseline;
    compared.scene = of_changed && compared.stages == 1;
    return compared;
}

bool summary_gave_up(const struct case_report *one)
{
    const struct compared compared = summary_case(one);
    return one->verdict == VERDICT_NOT_JUDGED && compared.stages == 0 &&
           compared.frames_planned == 0;
}

struct compared summary_report(const struct report *report)
{
    struct compared sum = {.alone = report->case_count > 0, .scene = report->case_count > 0};
    for (uint32_t c = 0; c < report->case_count; c++) {
        struct compared one = summary_case(&report->cases[c]);
        sum.frames += one.frames;
        sum.frames_planned += one.frames_planned;
        sum.stages += one.stages;
        sum.stages_planned += one.stages_planned;
        sum.alone = sum.alone && one.alone;
        sum.scene = sum.scene && one.scene;
    }
    return sum;
}

char *summary_compared(struct compared compared)
{
    const char *verb = compared.alone ? "examined" : "compared";
    if (compared.frames_planned == 0 && compared.stages == 0)
        return memory_text("nothing was compared");
    if (compared.scene)
        return memory_text("nothing but the scene was compared");
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

char *summary_outcome(const struct report *report, const char *between)
{
    char *text = summary_sentence(report), *compared = summary_compared(summary_report(report));
    text_append(&text, between, "%s", report->case_count > 0 ? compared : "");
    free(compared);
    return text;
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

/* Returns the share of the limit that a value uses: 1 at the limit, INFINITY above a limit of 0 and
 * for NaN. */
static double share_of(const struct finding *finding)
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
    return finding->rule == &rules[RULE_SEQUENCE_FAILED] || finding_tells_bits(finding);
}

static int by_weight(const void *a, const void *b)
{
    const struct finding *one = *(const struct finding *const *)a;
    const struct finding *other = *(const struct finding *const *)b;
    if (one->verdict != other->verdict)
        return one->verdict > other->verdict ? -1 : 1;
    if (says_little(one) != says_little(other))
        return says_little(one) ? 1 : -1;
    double share = share_of(one), than = share_of(other);
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

/* Returns "31 % of the limit", "309 x the limit", "none found" for a limit of 0, "not a number". */
static char *share_text(const struct finding *finding)
{
    double share = share_of(finding);
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

/* Formats a number with 4 digits; "none" for a limit that is never reached. */
static void number_text(double value, char *text, size_t size)
{
    if (isnan(value))
        snprintf(text, size, "not a number");
    else if (isinf(value))
        snprintf(text, size, "none");
    else
        snprintf(text, size, "%.4g", value);
}

/* Returns whether keys of the scene are counted, which have no limit. */
static bool is_key(const struct finding *finding)
{
    return finding->rule == &rules[RULE_SCENE_KEYS];
}

char *summary_value(const struct finding *finding)
{
    char value[32], limit[32], word[TEXT_WORD];
    const char *unit = text_of_count(finding->rule->unit, finding->value, word);
    number_text(finding->value, value, sizeof value);
    number_text(finding->fail, limit, sizeof limit);
    if (is_key(finding))
        return text_format("%s %s %s", finding->rule->name, value, unit);
    return text_format("%s %s%s%s, limit %s", finding->rule->name, value, *unit ? " " : "", unit,
                       limit);
}

char *summary_finding(const struct finding *finding)
{
    char *text = summary_value(finding), *share = share_text(finding);
    if (!is_key(finding))
        text_append(&text, " ", "(%s)", share);
    if (finding->frame >= 0)
        text_append(&text, ", ", "frame %lld", (long long)finding->frame);
    if (finding->x >= 0)
        text_append(&text, ", ", "pixel %d,%d", (int)finding->x, (int)finding->y);
    free(share);
    return text;
}

bool summary_has_two(const struct case_report *one)
{
    return one->a && one->b && one->stages[JUDGED_SCENE].verdict == VERDICT_NOT_APPLICABLE;
}

const char *summary_reproduce(const struct case_report *one)
{
    static const char still[] = "gravreel still ", record[] = "gravreel baseline ";
    const char *line = one->reproduce ? one->reproduce : "";
    return strncmp(line, still, sizeof still - 1) == 0     ? "frame now"
           : strncmp(line, record, sizeof record - 1) == 0 ? "record"
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
