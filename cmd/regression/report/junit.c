#include "cmd/regression/report/views.h"

#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/escape.h"
#include "cmd/regression/report/summary.h"

#include <stdlib.h>
#include <string.h>

/* Texts are shortened, and omitted altogether once the file is close to its largest size. */
enum { TEXT_MAX = 2000, FINDINGS_MAX = 20, PICTURES_MAX = 12, NEARLY = JUNIT_BYTES / 3 * 2 };

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

static void put_finding(FILE *out, const struct finding *finding)
{
    char value[32], limit[32], word[TEXT_WORD];
    summary_number(finding->value, value, sizeof value);
    summary_number(finding->fail, limit, sizeof limit);
    char *share = summary_share_text(finding);
    fprintf(out, "%s: %s %s, limit %s (%s)", finding->rule->name, value,
            text_of_count(finding->rule->unit, finding->value, word), limit, share);
    if (finding->frame >= 0)
        fprintf(out, ", frame %lld", (long long)finding->frame);
    if (finding->x >= 0)
        fprintf(out, ", pixel %d,%d", (int)finding->x, (int)finding->y);
    fputs(": ", out);
    put_text(out, finding->text);
    putc('\n', out);
    free(share);
}

/* Writes the findings with that verdict or a worse one. */
static void put_findings(FILE *out, const struct stage_report *stage, enum verdict least)
{
    const struct finding **sorted = summary_findings(stage);
    for (uint32_t f = 0; f < stage->finding_count && f < FINDINGS_MAX && !is_full(out); f++)
        if (sorted[f]->verdict >= least)
            put_finding(out, sorted[f]);
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
    put_findings(out, stage, VERDICT_WARNED);
    fprintf(out, "</%s>\n", kind);
}

static bool is_skipped(const struct stage_report *stage)
{
    return stage->verdict == VERDICT_NOT_APPLICABLE ||
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
    put_testcase(out, id, name, is_skipped(stage) ? 0 : seconds);
    if (stage->verdict == VERDICT_CHANGED) {
        put_outcome(out, "failure", "changed", one, stage);
    } else if (is_skipped(stage)) {
        fputs("<skipped message=\"", out);
        put_text(out, stage->sentence ? stage->sentence : "follows from an earlier stage");
        fputs("\"/>\n", out);
    } else if (stage->verdict == VERDICT_NOT_JUDGED) {
        put_outcome(out, "error", "not judged", one, stage);
    }
    fputs("<system-out>", out);
    if (stage->verdict == VERDICT_WARNED) {
        fputs("warning: ", out);
        put_findings(out, stage, VERDICT_WARNED);
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
};

static struct tally count(const struct case_report *one)
{
    struct tally tally = {.tests = JUDGED_COUNT};
    for (int s = 0; s < JUDGED_COUNT; s++) {
        const struct stage_report *stage = &one->stages[s];
        tally.failures += stage->verdict == VERDICT_CHANGED;
        tally.skipped += is_skipped(stage);
        tally.errors += stage->verdict == VERDICT_NOT_JUDGED && !stage->follows;
    }
    return tally;
}

static bool is_silent(const struct report *report, uint32_t index)
{
    struct tally tally = count(&report->cases[index]);
    return !verdict_passes(report->cases[index].verdict) && tally.failures + tally.errors == 0;
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
    struct tally tally = count(one);
    const bool silent = is_silent(report, index);
    char *id = names_case(report, index);
    tally.tests += silent;
    tally.errors += silent;
    fprintf(out, "<testsuite name=\"%s\"", id);
    const double seconds = seconds_of(one);
    const unsigned judged = tally.tests - silent - tally.skipped;
    put_counts(out, tally, seconds);
    fprintf(out, " skipped=\"%u\">\n", tally.skipped);
    for (int s = 0; s < JUDGED_COUNT; s++)
        put_stage(out, report, one, s, id, judged ? seconds / judged : 0);
    if (silent)
        put_error(out, id, one->sentence);
    fputs("<system-out>", out);
    put_text(out, one->sentence);
    fputs("</system-out>\n</testsuite>\n", out);
    free(id);
}

static struct tally count_all(const struct report *report, double *seconds)
{
    struct tally sum = {0};
    for (uint32_t c = 0; c < report->case_count; c++) {
        struct tally one = count(&report->cases[c]);
        const bool silent = is_silent(report, c);
        sum.tests += one.tests + silent;
        sum.failures += one.failures;
        sum.errors += one.errors + silent;
        *seconds += seconds_of(&report->cases[c]);
    }
    const bool nothing = report->case_count == 0;
    sum.tests += nothing;
    sum.errors += nothing;
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
