#include "cmd/regression/report/views.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/escape.h"
#include "cmd/regression/report/summary.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static bool is_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value && *value)
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

struct text_style text_style_of(FILE *out)
{
    const char *term = getenv("TERM"), *off = getenv("NO_COLOR");
    struct winsize size;
    if (!isatty(fileno(out)))
        return (struct text_style){0};
    bool known = ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    bool rich = !(term && strcmp(term, "dumb") == 0) && !(off && *off);
    return (struct text_style){rich, rich && is_utf8(), known ? size.ws_col : 80};
}

static const struct {
    const char *word, *symbol, *colour;
} marks[] = {
    [VERDICT_NOT_APPLICABLE] = {"none", "–", ""},
    [VERDICT_SAME] = {"ok", "✓", "\033[32m"},
    [VERDICT_WITHIN] = {"ok", "✓", "\033[32m"},
    [VERDICT_WARNED] = {"warned", "!", "\033[33m"},
    [VERDICT_NOT_JUDGED] = {"not judged", "?", "\033[33m"},
    [VERDICT_CHANGED] = {"CHANGED", "✗", "\033[31m"},
};

static const char *mark_of(enum verdict verdict, struct text_style style)
{
    return style.symbols ? marks[verdict].symbol : marks[verdict].word;
}

static void put_mark(FILE *out, enum verdict verdict, struct text_style style)
{
    fprintf(out, "%s%s%s", style.colour ? marks[verdict].colour : "", mark_of(verdict, style),
            style.colour ? "\033[0m" : "");
}

static int columns(const char *text)
{
    int count = 0;
    while (escape_next(&text))
        count++;
    return count;
}

/* The lines that a case may have below its first one, in order. If there is not room for all, those
 * with the lowest ranks are chosen. */
struct detail {
    const char *label;
    char *text;
    int rank;
    bool whole, shown; /* whole: never shortened, for commands */
};
enum { DETAILS_MAX = 10, FINDINGS_MAX = 3, INDENT = 4, LABEL = 11 };

struct details {
    struct detail list[DETAILS_MAX];
    int count;
};

static void add(struct details *details, const char *label, char *text, int rank, bool whole)
{
    if (text && details->count < DETAILS_MAX)
        details->list[details->count++] = (struct detail){label, text, rank, whole, false};
    else
        free(text);
}

static char *copy(const char *text)
{
    return text ? memory_text(text) : NULL;
}

/* "scene ok, start ok, physics CHANGED at 17". */
static char *stage_bar(const struct case_report *one, struct text_style style)
{
    char *text = NULL;
    bool stored = false;
    for (int s = 0; s < JUDGED_COUNT; s++) {
        const struct stage_report *stage = &one->stages[s];
        char at[32] = "";
        const bool follows = stage->verdict == VERDICT_NOT_JUDGED && stage->follows;
        if ((stage->verdict == VERDICT_CHANGED || follows) && stage->first_frame >= 0)
            snprintf(at, sizeof at, " at %lld", (long long)stage->first_frame);
        stored |= stage->substituted;
        text_append(&text, style.symbols ? "  " : ", ", "%s %s%s%s", judged_name((enum judged)s),
                    follows ? "follows" : mark_of(stage->verdict, style), at,
                    stage->substituted ? "*" : "");
    }
    if (stored)
        text_append(&text, " ", "(*: judged from what the baseline stored)");
    return text;
}

static char *finding_text(const struct finding *finding)
{
    char value[32], limit[32], where[64] = "";
    summary_number(finding->value, value, sizeof value);
    summary_number(finding->fail, limit, sizeof limit);
    if (finding->frame >= 0)
        snprintf(where, sizeof where, ", frame %lld", (long long)finding->frame);
    char *share = summary_share_text(finding);
    char word[TEXT_WORD];
    const char *unit = text_of_count(finding->rule->unit, finding->value, word);
    char *text = text_format("%s %s%s%s, limit %s (%s)%s", finding->rule->name, value,
                             *unit ? " " : "", unit, limit, share, where);
    free(share);
    return text;
}

/* Returns "also picture.pixel 92 codes, limit 64; picture.bias ...": the findings beyond their
 * limits that have no line of their own. */
static char *more_findings(const struct finding *const *sorted, uint32_t from, uint32_t count)
{
    char *said = NULL;
    for (uint32_t f = from; f < count && sorted[f]->verdict == VERDICT_CHANGED; f++) {
        char value[32], limit[32];
        summary_number(sorted[f]->value, value, sizeof value);
        summary_number(sorted[f]->fail, limit, sizeof limit);
        text_append(&said, "; ", "%s%s %s, limit %s",
                    said ? "" : "also beyond their limits: ", sorted[f]->rule->name, value, limit);
    }
    return said;
}

static void add_findings(struct details *details, const struct case_report *one)
{
    if (one->stage < 0)
        return;
    const struct stage_report *stage = &one->stages[one->stage];
    const struct finding **sorted = summary_findings(stage);
    for (uint32_t f = 0; f < stage->finding_count && f < FINDINGS_MAX; f++)
        if (sorted[f]->verdict >= VERDICT_WARNED)
            add(details, f == 0 ? "worst" : "", finding_text(sorted[f]), f == 0 ? 3 : 7, false);
    if (stage->finding_count > FINDINGS_MAX)
        add(details, "", more_findings(sorted, FINDINGS_MAX, stage->finding_count), 3, true);
    free(sorted);
}

static struct details details_of(const struct case_report *one, struct text_style style)
{
    struct details details = {0};
    add(&details, "stages", stage_bar(one, style), 1, true);
    add_findings(&details, one);
    add(&details, summary_has_two(one) ? "A and B" : "since then", summary_environment(one), 5,
        false);
    add(&details, "", summary_compared(summary_case(one)), 6, false);
    add(&details, summary_reproduce(one), copy(one->reproduce), 2, true);
    add(&details, "accept", copy(one->accept), 4, true);
    return details;
}

static int lines_of(const struct detail *detail, struct text_style style)
{
    if (!detail->whole || style.width <= 0)
        return 1;
    return (INDENT + LABEL + columns(detail->text) + style.width - 1) / style.width;
}

/* Chooses details by rank; returns the number of lines that they take. */
static int choose(struct details *details, int room, struct text_style style)
{
    int used = 0;
    for (int rank = 1; rank <= 7; rank++)
        for (int d = 0; d < details->count; d++) {
            struct detail *detail = &details->list[d];
            int lines = lines_of(detail, style);
            if (detail->rank == rank && used + lines <= room) {
                detail->shown = true;
                used += lines;
            }
        }
    return used;
}

static int room_for(struct text_style style, int taken)
{
    return style.width > taken ? style.width - taken : style.width > 0 ? 0 : INT_MAX;
}

static void print_details(struct details *details, FILE *out, struct text_style style)
{
    for (int d = 0; d < details->count; d++) {
        const struct detail *detail = &details->list[d];
        if (detail->shown) {
            fprintf(out, "%*s%-*s", INDENT, "", LABEL, detail->label);
            escape_terminal(out, detail->text,
                            detail->whole ? INT_MAX : room_for(style, INDENT + LABEL));
            putc('\n', out);
        }
        free(detail->text);
    }
}

static void print_case(const struct case_report *one, FILE *out, struct text_style style)
{
    put_mark(out, one->verdict, style);
    putc(' ', out);
    int taken = columns(mark_of(one->verdict, style)) + 1;
    taken += escape_terminal(out, one->name, room_for(style, taken));
    if (room_for(style, taken) > 2) {
        fputs(": ", out);
        escape_terminal(out, one->sentence, room_for(style, taken + 2));
    }
    putc('\n', out);
}

/* Returns how many of the cases get a line of their own in `room` lines, one of which is kept for
 * counting the others. */
static uint32_t listed(uint32_t cases, uint32_t room)
{
    return cases <= room ? cases : room > 0 ? room - 1 : 0;
}

void report_print(const struct report *report, FILE *out, struct text_style style)
{
    const uint32_t passing = summary_passing(report), failing = report->case_count - passing;
    const uint32_t kept = passing > 0; /* a line for the cases that pass */
    uint32_t bad = listed(failing, TEXT_LINES - 1 - kept);
    uint32_t good = listed(passing, TEXT_LINES - 1 - bad - (bad < failing));
    int room = TEXT_LINES - 1 - (int)(bad + (bad < failing) + good + (good < passing));
    char *sentence = summary_sentence(report), *compared = summary_compared(summary_report(report));
    char *head =
        text_format("%s: %s; %s", report->command ? report->command : "report", sentence, compared);
    escape_terminal(out, head, room_for(style, 0));
    putc('\n', out);
    uint32_t *order = summary_order(report);
    for (uint32_t c = 0; c < report->case_count; c++) {
        const struct case_report *one = &report->cases[order[c]];
        if (c == failing && bad < failing)
            fprintf(out, "and %u more that do not pass\n", failing - bad);
        if (c < failing ? c >= bad : c - failing >= good)
            continue;
        print_case(one, out, style);
        if (c < failing) {
            struct details details = details_of(one, style);
            room -= choose(&details, room, style);
            print_details(&details, out, style);
        }
    }
    if (bad < failing && passing == 0)
        fprintf(out, "and %u more that do not pass\n", failing - bad);
    if (good < passing)
        fprintf(out, good ? "and %u more that pass\n" : "%u cases pass\n", passing - good);
    free(order);
    free(sentence);
    free(compared);
    free(head);
}
