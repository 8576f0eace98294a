#include "cmd/regression/report/writers.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/phrases.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- text ---- */

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

/* How a verdict is written: on a terminal, in a table, as a sign, and its colour. */
static const struct {
    const char *word, *told, *symbol, *colour;
} marks[] = {
    [VERDICT_NOT_APPLICABLE] = {"none", "none", "–", ""},
    [VERDICT_SAME] = {"ok", "same", "✓", "\033[32m"},
    [VERDICT_WITHIN] = {"ok", "within limits", "✓", "\033[32m"},
    [VERDICT_WARNED] = {"warned", "warned", "!", "\033[33m"},
    [VERDICT_NOT_COMPARED] = {"not compared", "not compared", "–", ""},
    [VERDICT_NOT_JUDGED] = {"not judged", "not judged", "?", "\033[33m"},
    [VERDICT_CHANGED] = {"CHANGED", "changed", "✗", "\033[31m"},
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
                    follows                                  ? "follows"
                    : stage->verdict == VERDICT_NOT_COMPARED ? marks[stage->verdict].word
                                                             : mark_of(stage->verdict, style),
                    at, stage->substituted ? "*" : "");
    }
    if (stored)
        text_append(&text, " ", "(*: judged from what the baseline stored)");
    return text;
}

/* Returns the findings beyond their limits that have no line of their own. */
static char *more_findings(const struct finding *const *sorted, uint32_t from, uint32_t count)
{
    char *said = NULL;
    for (uint32_t f = from; f < count && sorted[f]->verdict == VERDICT_CHANGED; f++) {
        char *value = summary_value(sorted[f]);
        text_append(&said, "; ", "%s%s", said ? "" : "also beyond their limits: ", value);
        free(value);
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
        if (sorted[f]->verdict >= VERDICT_WARNED && sorted[f]->rule != &rules[RULE_SCENE_KEYS])
            add(details, f == 0 ? "worst" : "", summary_finding(sorted[f]), f == 0 ? 3 : 7, false);
    if (stage->finding_count > FINDINGS_MAX)
        add(details, "", more_findings(sorted, FINDINGS_MAX, stage->finding_count), 3, true);
    free(sorted);
}

static struct details details_of(const struct case_report *one, struct text_style style)
{
    struct details details = {0};
    if (summary_gave_up(one))
        return details;
    add(&details, "stages", stage_bar(one, style), 1, true);
    add_findings(&details, one);
    add(&details, summary_has_two(one) ? "A and B" : "since then", summary_environment(one), 5,
        false);
    if (!summary_case(one).scene) /* the sentence says it */
        add(&details, "", summary_compared(summary_case(one)), 6, false);
    add(&details, summary_reproduce(one), copy(one->reproduce), 2, true);
    add(&details, "accept", copy(one->accept), 4, true);
    return details;
}

static int lines_of(const struct detail *detail, struct text_style style)
{
    if (!detail->whole || style.width <= 0)
        return 1;
    return (INDENT + LABEL + escape_columns(detail->text) + style.width - 1) / style.width;
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
    int taken = escape_columns(mark_of(one->verdict, style)) + 1;
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
    char *outcome = summary_outcome(report, "; "),
         *head = text_format("%s: %s", report->command ? report->command : "report", outcome);
    if (report->case_count != 1 || !summary_gave_up(&report->cases[0])) {
        escape_terminal(out, head, room_for(style, 0));
        putc('\n', out);
    }
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
    free(outcome);
    free(head);
}

/* ---- Markdown ---- */

enum { ROWS = 6, SENTENCES = 3 };

static void put_stage_cell(FILE *out, const struct stage_report *stage)
{
    if (stage->verdict == VERDICT_NOT_COMPARED)
        fprintf(out, " %s |", marks[stage->verdict].told);
    else if (stage->verdict == VERDICT_NOT_JUDGED && stage->follows)
        fputs(" follows |", out);
    else if (stage->verdict == VERDICT_CHANGED && stage->first_frame >= 0)
        fprintf(out, " ✗ at %lld |", (long long)stage->first_frame);
    else
        fprintf(out, " %s |", marks[stage->verdict].symbol);
}

static void put_row(FILE *out, const struct case_report *one)
{
    fprintf(out, "| %s ", marks[one->verdict].symbol);
    escape_markdown(out, one->name);
    fprintf(out, " | %s |", marks[one->verdict].told);
    for (int s = 0; s < JUDGED_COUNT; s++)
        put_stage_cell(out, &one->stages[s]);
    putc('\n', out);
}

static void put_table(FILE *out, const struct report *report, const uint32_t *order)
{
    fputs("| case | verdict |", out);
    for (int s = 0; s < JUDGED_COUNT; s++)
        fprintf(out, " %s |", judged_name((enum judged)s));
    fputs("\n|---|---|", out);
    for (int s = 0; s < JUDGED_COUNT; s++)
        fputs("---|", out);
    putc('\n', out);
    for (uint32_t c = 0; c < report->case_count && c < ROWS; c++)
        put_row(out, &report->cases[order[c]]);
    if (report->case_count > ROWS)
        fprintf(out, "| and %u more | |||||||\n", report->case_count - ROWS);
}

/* Writes an indented block, in which Markdown has no special characters. */
static void put_line(FILE *out, const char *command)
{
    if (!command)
        return;
    fputs("    ", out);
    for (uint32_t character; (character = escape_next(&command));)
        escape_put(out, character);
    putc('\n', out);
}

static void put_sentences(FILE *out, const struct report *report, const uint32_t *order)
{
    const uint32_t failing = report->case_count - summary_passing(report);
    for (uint32_t c = 0; c < failing && c < SENTENCES; c++) {
        const struct case_report *one = &report->cases[order[c]];
        char *environment = summary_environment(one);
        fputs("- **", out);
        escape_markdown(out, one->name);
        fputs("** ", out);
        escape_markdown(out, one->sentence);
        if (environment)
            fputs(summary_has_two(one) ? "; A and B: " : "; since the baseline: ", out);
        escape_markdown(out, environment);
        putc('\n', out);
        free(environment);
    }
}

enum status report_write_markdown(const struct report *report, const char *path)
{
    struct draft draft;
    draft_open(&draft);
    FILE *out = draft.file;
    uint32_t *order = summary_order(report);
    char *outcome = summary_outcome(report, "**; ");
    fputs("**gravreel ", out);
    escape_markdown(out, report->command);
    fprintf(out, ": %s\n\n", outcome);
    if (report->case_count > 0) {
        put_table(out, report, order);
        const struct case_report *first = &report->cases[order[0]];
        if (!verdict_passes(first->verdict)) {
            putc('\n', out);
            put_sentences(out, report, order);
            fputs("\n<!-- -->\n\n", out); /* otherwise the commands would continue the list */
            put_line(out, first->reproduce);
            put_line(out, first->accept);
        }
    }
    free(outcome);
    free(order);
    return draft_save(&draft, path);
}

/* ---- JUnit ---- */

/* Texts are shortened, and omitted altogether once the file is close to its largest size. */
enum { TEXT_MAX = 2000, LISTED_MAX = 20, PICTURES_MAX = 12, NEARLY = JUNIT_BYTES / 3 * 2 };

static bool is_full(FILE *out)
{
    return ftell(out) > NEARLY;
}

static void put_text(FILE *out, const char *text)
{
    char *shorter = memory_text(is_full(out) ? "left out: the file would be too large"
                                : text       ? text
                                             : "");
    if (strlen(shorter) > TEXT_MAX)
        shorter[TEXT_MAX] = '\0';
    escape_markup(out, shorter);
    free(shorter);
}

/* Writes the findings that warn or fail. */
static void put_findings(FILE *out, const struct stage_report *stage)
{
    const struct finding **sorted = summary_findings(stage);
    for (uint32_t f = 0; f < stage->finding_count && f < LISTED_MAX && !is_full(out); f++) {
        if (sorted[f]->verdict < VERDICT_WARNED)
            continue;
        char *text = summary_finding(sorted[f]);
        fprintf(out, "%s: ", text);
        put_text(out, sorted[f]->text);
        putc('\n', out);
        free(text);
    }
    free(sorted);
}

/* Writes a picture's path, unless it has brackets, which would end the attachment. */
static void put_picture(FILE *out, const char *path)
{
    if (!path || strchr(path, ']') || strchr(path, '\n') || is_full(out))
        return;
    fputs("[[ATTACHMENT|", out);
    put_text(out, path);
    fputs("]]\n", out);
}

static void put_pictures(FILE *out, const struct report *report, const struct case_report *one)
{
    for (uint32_t s = 0; s < one->shown_count && s < PICTURES_MAX && !report->fleeting; s++) {
        put_picture(out, one->shown[s].difference);
        put_picture(out, one->shown[s].a);
        put_picture(out, one->shown[s].b);
    }
}

static void put_outcome(FILE *out, const char *kind, const char *type,
                        const struct case_report *one, const struct stage_report *stage)
{
    const char *why = stage->sentence ? stage->sentence : one->sentence;
    fprintf(out, "<%s type=\"%s\" message=\"", kind, type);
    put_text(out, why);
    fputs("\">", out);
    put_text(out, why); /* some services show the attribute, others the text */
    putc('\n', out);
    put_findings(out, stage);
    fprintf(out, "</%s>\n", kind);
}

static bool is_skipped(const struct case_report *one, int index)
{
    const struct stage_report *stage = &one->stages[index];
    return stage->verdict == VERDICT_NOT_COMPARED || stage->verdict == VERDICT_NOT_APPLICABLE ||
           (stage->verdict == VERDICT_NOT_JUDGED && stage->follows);
}

static void put_testcase(FILE *out, const char *id, const char *name, double seconds)
{
    fprintf(out, "<testcase classname=\"gravreel.%s\" name=\"%s: %s\" time=\"%.3f\">\n", id, id,
            name, seconds);
}

static void put_stage(FILE *out, const struct report *report, const struct case_report *one,
                      int index, const char *id, double seconds)
{
    const struct stage_report *stage = &one->stages[index];
    const char *name = judged_name((enum judged)index);
    put_testcase(out, id, name, is_skipped(one, index) ? 0 : seconds);
    if (stage->verdict == VERDICT_CHANGED) {
        put_outcome(out, "failure", "changed", one, stage);
    } else if (is_skipped(one, index)) {
        fputs("<skipped message=\"", out);
        put_text(out, stage->sentence ? stage->sentence : "follows from an earlier stage");
        fputs("\"/>\n", out);
    } else if (stage->verdict == VERDICT_NOT_JUDGED) {
        put_outcome(out, "error", "not judged", one, stage);
    }
    fputs("<system-out>", out);
    if (stage->verdict == VERDICT_WARNED && !is_skipped(one, index)) {
        fputs("warning: ", out);
        put_findings(out, stage);
    }
    if (index == one->stage) {
        put_text(out, one->reproduce);
        putc('\n', out);
        put_pictures(out, report, one);
    }
    fputs("</system-out>\n</testcase>\n", out);
}

/* The counts in a suite's attributes. */
struct tally {
    unsigned tests, failures, errors, skipped;
    bool silent; /* it does not pass, and no stage says so */
};

static struct tally count(const struct case_report *one)
{
    struct tally tally = {.tests = JUDGED_COUNT};
    for (int s = 0; s < JUDGED_COUNT; s++) {
        const struct stage_report *stage = &one->stages[s];
        tally.failures += stage->verdict == VERDICT_CHANGED;
        tally.skipped += is_skipped(one, s);
        tally.errors += stage->verdict == VERDICT_NOT_JUDGED && !stage->follows;
    }
    tally.silent = !verdict_passes(one->verdict) && tally.failures + tally.errors == 0;
    tally.tests += tally.silent;
    tally.errors += tally.silent;
    return tally;
}

static void put_counts(FILE *out, struct tally tally, double seconds)
{
    fprintf(out, " tests=\"%u\" failures=\"%u\" errors=\"%u\" time=\"%.3f\"", tally.tests,
            tally.failures, tally.errors, seconds);
}

static double seconds_of(const struct case_report *one)
{
    return one->seconds >= 0 && one->seconds < 1e9 ? one->seconds : 0;
}

/* Writes a test case with an error, so that a report that does not pass cannot look as if it
 * did. */
static void put_error(FILE *out, const char *id, const char *sentence)
{
    put_testcase(out, id, "verdict", 0);
    fputs("<error type=\"not judged\" message=\"", out);
    put_text(out, sentence);
    fputs("\">", out);
    put_text(out, sentence);
    fputs("</error>\n</testcase>\n", out);
}

/* Writes a case. A film is rendered and read once for all stages, so each judged stage gets an
 * equal share of the time, and the test cases add up to the suite. */
static void put_suite(FILE *out, const struct report *report, uint32_t index)
{
    const struct case_report *one = &report->cases[index];
    const struct tally tally = count(one);
    char *id = names_case(report, index);
    fprintf(out, "<testsuite name=\"%s\"", id);
    const double seconds = seconds_of(one);
    const unsigned judged = tally.tests - tally.silent - tally.skipped;
    put_counts(out, tally, seconds);
    fprintf(out, " skipped=\"%u\">\n", tally.skipped);
    for (int s = 0; s < JUDGED_COUNT; s++)
        put_stage(out, report, one, s, id, judged ? seconds / judged : 0);
    if (tally.silent)
        put_error(out, id, one->sentence);
    fputs("<system-out>", out);
    put_text(out, one->sentence);
    fputs("</system-out>\n</testsuite>\n", out);
    free(id);
}

static struct tally count_all(const struct report *report, double *seconds)
{
    const bool nothing = report->case_count == 0;
    struct tally sum = {.tests = nothing, .errors = nothing};
    for (uint32_t c = 0; c < report->case_count; c++) {
        const struct tally one = count(&report->cases[c]);
        sum.tests += one.tests;
        sum.failures += one.failures;
        sum.errors += one.errors;
        *seconds += seconds_of(&report->cases[c]);
    }
    return sum;
}

enum status report_write_junit(const struct report *report, const char *path)
{
    struct draft draft;
    draft_open(&draft);
    double seconds = 0;
    struct tally sum = count_all(report, &seconds);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"gravreel ", draft.file);
    put_text(draft.file, report->command);
    putc('"', draft.file);
    put_counts(draft.file, sum, seconds);
    fputs(">\n", draft.file); /* only a suite has the attribute `skipped` */
    for (uint32_t c = 0; c < report->case_count; c++)
        put_suite(draft.file, report, c);
    if (report->case_count == 0) {
        fputs("<testsuite name=\"gravreel\"", draft.file);
        put_counts(draft.file, (struct tally){.tests = 1, .errors = 1}, 0);
        fputs(" skipped=\"0\">\n", draft.file);
        put_error(draft.file, "gravreel", "nothing was compared, which does not pass");
        fputs("</testsuite>\n", draft.file);
    }
    fputs("</testsuites>\n", draft.file);
    return draft_save(&draft, path);
}
