#include "cmd/regression/report/views.h"

#include "cmd/regression/report/escape.h"
#include "cmd/regression/report/summary.h"

#include <stdlib.h>

enum { ROWS = 6, SENTENCES = 3 };

static const struct {
    const char *symbol, *word;
} marks[] = {
    [VERDICT_NOT_APPLICABLE] = {"–", "none"},   [VERDICT_SAME] = {"✓", "same"},
    [VERDICT_WITHIN] = {"✓", "within limits"},  [VERDICT_WARNED] = {"⚠", "warned"},
    [VERDICT_NOT_JUDGED] = {"?", "not judged"}, [VERDICT_CHANGED] = {"✗", "changed"},
};

static void put_stage(FILE *out, const struct stage_report *stage)
{
    if (stage->verdict == VERDICT_NOT_JUDGED && stage->follows)
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
    fprintf(out, " | %s |", marks[one->verdict].word);
    for (int s = 0; s < JUDGED_COUNT; s++)
        put_stage(out, &one->stages[s]);
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
static void put_command(FILE *out, const char *command)
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
    char *sentence = summary_sentence(report), *compared = summary_compared(summary_report(report));
    fputs("**gravreel ", out);
    escape_markdown(out, report->command);
    fprintf(out, ": %s**; %s\n\n", sentence, compared);
    if (report->case_count > 0) {
        put_table(out, report, order);
        const struct case_report *first = &report->cases[order[0]];
        if (!verdict_passes(first->verdict)) {
            putc('\n', out);
            put_sentences(out, report, order);
            fputs("\n<!-- -->\n\n", out); /* otherwise the commands would continue the list */
            put_command(out, first->reproduce);
            put_command(out, first->accept);
        }
    }
    free(sentence);
    free(compared);
    free(order);
    return draft_save(&draft, path);
}
