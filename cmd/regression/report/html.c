#include "cmd/regression/report/html.h"

#include "base/text.h"
#include "base/file.h"
#include "base/memory.h"
#include "cmd/regression/report/escape.h"
#include "cmd/regression/report/names.h"
#include "cmd/regression/report/draft.h"
#include "cmd/regression/report/exhibits.h"
#include "cmd/regression/report/pictures.h"
#include "cmd/regression/report/summary.h"
#include "cmd/regression/report/timeline.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const char report_html_page[], report_css[], report_js[];

enum { DETAILED_MAX = 256 };

/* The page being written, and what it is made from. */
struct page {
    FILE *out;
    const struct report *report;
    struct case_pictures *pictures; /* nothing is embedded while the page is measured */
    bool measured, brief;           /* brief: cases in one line are written without their numbers */
    const char *json;
    const uint32_t *order;
    uint32_t failing, detailed; /* cases that do not pass; those of them that are written in full */
};

static const struct {
    const char *symbol, *word, *name;
} marks[] = {
    [VERDICT_NOT_APPLICABLE] = {"–", "not applicable", "none"},
    [VERDICT_SAME] = {"✓", "same", "same"},
    [VERDICT_WITHIN] = {"✓", "within limits", "within"},
    [VERDICT_WARNED] = {"!", "warned", "warned"},
    [VERDICT_NOT_JUDGED] = {"?", "not judged", "unjudged"},
    [VERDICT_CHANGED] = {"✕", "changed", "changed"},
};

static void put_mark(FILE *out, enum verdict verdict)
{
    fprintf(out, "<span class=\"mark %s\" aria-hidden=\"true\">%s</span>", marks[verdict].name,
            marks[verdict].symbol);
}

/* Returns whether the stage follows from an earlier one: it was not judged, and is not shown as a
 * failure. */
static bool follows(const struct stage_report *stage)
{
    return stage->verdict == VERDICT_NOT_JUDGED && stage->follows;
}

static const char *stage_word(const struct stage_report *stage)
{
    return follows(stage) ? "follows" : marks[stage->verdict].word;
}

static void put_stage_mark(FILE *out, const struct stage_report *stage)
{
    if (follows(stage))
        fputs("<span class=\"mark follows\" aria-hidden=\"true\">↳</span>", out);
    else
        put_mark(out, stage->verdict);
}

/* Writes an element with that tag and class around an escaped text; nothing for NULL. */
static void put_text(FILE *out, const char *tag, const char *class, const char *text)
{
    if (!text)
        return;
    fprintf(out, "<%s%s%s%s>", tag, *class ? " class=\"" : "", class, *class ? "\"" : "");
    escape_markup(out, text);
    fprintf(out, "</%s>", tag);
}

/* ---- a case in words and numbers ---- */

static void put_stage_bar(FILE *out, const struct case_report *one)
{
    fputs("<ol class=\"stages\" aria-label=\"Stages\">", out);
    for (int s = 0; s < JUDGED_COUNT; s++) {
        const struct stage_report *stage = &one->stages[s];
        fprintf(out, "<li class=\"%s\">", follows(stage) ? "follows" : marks[stage->verdict].name);
        put_stage_mark(out, stage);
        fprintf(out, "<b>%s</b> <span class=\"how\">%s", judged_name((enum judged)s),
                stage_word(stage));
        if (stage->verdict == VERDICT_CHANGED && stage->first_frame >= 0)
            fprintf(out, " at %lld", (long long)stage->first_frame);
        if (stage->substituted)
            fprintf(out, "<span class=\"note\"> by stored %s</span>",
                    s < JUDGED_PACKETS ? "states" : "frames");
        fputs("</span></li>", out);
    }
    fputs("</ol>\n", out);
}

static void put_environment(FILE *out, const struct case_report *one)
{
    if (one->environment_count == 0)
        return;
    fputs("<ul class=\"around\" aria-label=\"Changed since the baseline\">", out);
    for (uint32_t e = 0; e < one->environment_count; e++) {
        const struct environment_change *change = &one->environment[e];
        fputs("<li>", out);
        put_text(out, "b", "", change->what ? change->what : "");
        escape_markup(out, change->before ? change->before : "none");
        fputs(" <span class=\"to\" role=\"img\" aria-label=\"became\">→</span> ", out);
        escape_markup(out, change->now ? change->now : "none");
        fputs("</li>", out);
    }
    fputs("</ul>\n", out);
}

static void put_command(FILE *out, const char *name, const char *command)
{
    if (!command)
        return;
    fprintf(out, "<div class=\"command\"><span>%s</span><code>", name);
    escape_markup(out, command);
    fprintf(out,
            "</code><button type=\"button\" class=\"copy\" hidden aria-label=\"Copy the line to "
            "%s\">Copy</button></div>",
            name);
}

static void put_baseline(FILE *out, const struct case_report *one)
{
    if (!one->baseline && !one->author && !one->reason && !one->date && !one->anchor)
        return;
    static const char *const names[] = {"file", "author", "reason", "date", "anchor"};
    const char *const values[] = {one->baseline, one->author, one->reason, one->date, one->anchor};
    fputs("<section class=\"baseline\"><h3>Baseline</h3><dl>", out);
    for (int i = 0; i < 5; i++)
        if (values[i] && *values[i]) {
            fprintf(out, "<dt>%s</dt>", names[i]);
            put_text(out, "dd", i == 3 ? "date" : "", values[i]);
        }
    fputs("</dl></section>\n", out);
}

static void put_sides(FILE *out, const struct case_report *one)
{
    if (!one->a || !one->b)
        return;
    fputs("<section class=\"sides\"><h3>What was compared</h3><dl><dt>A</dt>", out);
    put_text(out, "dd", "", one->a);
    fputs("<dt>B</dt>", out);
    put_text(out, "dd", "", one->b);
    fputs("</dl></section>", out);
}

static void put_share(FILE *out, const struct finding *finding)
{
    const double share = summary_share(finding);
    char *text = summary_share_text(finding);
    const bool drawn = isfinite(finding->fail) && finding->fail > 0 && isfinite(share);
    fputs("<td class=\"share\">", out);
    if (drawn)
        fprintf(out,
                "<span class=\"gauge%s\" style=\"--share:%.0f%%\" aria-hidden=\"true\"></span>",
                share > 1 ? " over" : "", 100 * fmin(fmax(share, 0), 1));
    fprintf(out, "%s</td>", text);
    free(text);
}

static void put_limit(FILE *out, double limit)
{
    char text[32];
    summary_number(limit, text, sizeof text);
    fprintf(out, "<td class=\"number\">%s</td>", isinf(limit) ? "–" : text);
}

/* Writes where a finding is, as a link to that place in the viewer. */
static void put_place(FILE *out, const struct finding *finding, const char *id)
{
    fputs("<td>", out);
    escape_markup(out, finding->text);
    if (finding->frame >= 0) {
        fprintf(out, " <a href=\"#%s/%lld", id, (long long)finding->frame);
        if (finding->tile_x >= 0)
            fprintf(out, "/%d,%d", (int)finding->tile_x, (int)finding->tile_y);
        fprintf(out, "\">frame %lld", (long long)finding->frame);
        if (finding->tile_x >= 0)
            fprintf(out, ", tile %d,%d", (int)finding->tile_x, (int)finding->tile_y);
        fputs("</a>", out);
    }
    if (finding->x >= 0)
        fprintf(out, "<span class=\"colour\">pixel %d,%d in 16 bits: A %u %u %u, B %u %u %u</span>",
                (int)finding->x, (int)finding->y, finding->a[0], finding->a[1], finding->a[2],
                finding->b[0], finding->b[1], finding->b[2]);
    if (finding->because) {
        fputs("<span class=\"because\">limit changed because: ", out);
        escape_markup(out, finding->because);
        fputs("</span>", out);
    }
    fputs("</td>", out);
}

static void put_finding(FILE *out, const struct finding *finding, const char *id)
{
    char word[TEXT_WORD];
    char value[32];
    summary_number(finding->value, value, sizeof value);
    fputs("<tr><th scope=\"row\">", out);
    put_mark(out, finding->verdict);
    fprintf(out, "<span class=\"sr\">%s: </span><code>%s</code>", marks[finding->verdict].word,
            finding->rule->name);
    put_text(out, "span", "doc", finding->rule->doc);
    fprintf(out, "</th><td class=\"number\">%s</td><td class=\"unit\">%s</td>", value,
            text_of_count(finding->rule->unit, finding->value, word));
    put_limit(out, finding->warn);
    put_limit(out, finding->fail);
    put_share(out, finding);
    put_place(out, finding, id);
    fputs("</tr>", out);
}

static void put_stage_rows(FILE *out, const struct case_report *one, int index, const char *id)
{
    const struct stage_report *stage = &one->stages[index];
    fputs("<tbody><tr class=\"stage\"><th colspan=\"7\" scope=\"rowgroup\"><div>", out);
    put_stage_mark(out, stage);
    fprintf(out, "<b>%s</b> <span class=\"sr\">%s</span>", judged_name((enum judged)index),
            stage_word(stage));
    put_text(out, "span", "sentence", stage->sentence);
    if (stage->planned > 0)
        fprintf(out, "<span class=\"count\">%llu of %llu compared</span>",
                (unsigned long long)stage->compared, (unsigned long long)stage->planned);
    fputs("</div></th></tr>", out);
    const struct finding **sorted = summary_findings(stage);
    for (uint32_t f = 0; f < stage->finding_count; f++)
        put_finding(out, sorted[f], id);
    free(sorted);
    fputs("</tbody>\n", out);
}

static void put_numbers(FILE *out, const struct case_report *one, const char *id)
{
    fprintf(out,
            "<section class=\"numbers\"><h3>Numbers</h3><div class=\"scroll\" tabindex=\"0\" "
            "role=\"region\" aria-label=\"Numbers of %s\">",
            id);
    fputs("<table><thead><tr>"
          "<th scope=\"col\">Rule</th><th scope=\"col\" class=\"number\">Value</th>"
          "<th scope=\"col\">Unit</th><th scope=\"col\" class=\"number\">Warns</th>"
          "<th scope=\"col\" class=\"number\">Fails</th><th scope=\"col\">Used</th>"
          "<th scope=\"col\">What and where</th></tr></thead>\n",
          out);
    for (int s = 0; s < JUDGED_COUNT; s++)
        put_stage_rows(out, one, s, id);
    fputs("</table></div></section>\n", out);
}

/* A series and its rank. */
struct ranked {
    const struct series *series;
    double share;
};

static int by_share(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->share != other->share)
        return one->share > other->share ? -1 : 1;
    return one->series < other->series ? -1 : one->series > other->series;
}

/* Writes the timelines: those nearest to or beyond their limit first, those without any difference
 * as one sentence. */
static void put_timelines(FILE *out, const struct case_report *one)
{
    if (one->series_count == 0 || one->frames == 0)
        return;
    struct ranked *ranked = memory_new(one->series_count, sizeof *ranked);
    for (uint32_t s = 0; s < one->series_count; s++)
        ranked[s] = (struct ranked){&one->series[s], timeline_share(one, &one->series[s])};
    qsort(ranked, one->series_count, sizeof *ranked, by_share);
    uint32_t drawn = 0;
    fputs("<section class=\"timelines\"><h3>Over the film</h3><div class=\"charts\">\n", out);
    while (drawn < one->series_count && ranked[drawn].share > 0)
        timeline_put(out, one, ranked[drawn++].series);
    fputs("</div>", out);
    for (uint32_t s = drawn; s < one->series_count; s++)
        fprintf(out, "%s<code>%s</code>", s == drawn ? "<p>0 wherever it was measured: " : ", ",
                ranked[s].series->rule->name);
    fputs(drawn < one->series_count ? "</p></section>\n" : "</section>\n", out);
    free(ranked);
}

/* ---- cases ---- */

static void put_compared(FILE *out, struct compared compared)
{
    char *text = summary_compared(compared);
    put_text(out, "span", "compared", text);
    free(text);
}

static void put_case(const struct page *page, uint32_t index)
{
    FILE *out = page->out;
    const struct case_report *one = &page->report->cases[index];
    char *id = names_case(page->report, index);
    fprintf(out, "<article class=\"case\" id=\"%s\" data-case=\"%s\" aria-labelledby=\"%s:name\"",
            id, id, id);
    exhibits_put_names(out, page->report, one);
    fputs(">\n", out);
    fprintf(out, "<header><h2 id=\"%s:name\">", id);
    put_mark(out, one->verdict);
    fprintf(out, "<span class=\"sr\">%s: </span>", marks[one->verdict].word);
    escape_markup(out, one->name);
    fputs("</h2>", out);
    put_text(out, "p", "sentence", one->sentence);
    fputs("<p class=\"facts\">", out);
    put_compared(out, summary_case(one));
    if (one->seconds > 0 && isfinite(one->seconds))
        fprintf(out, " <span>%.1f s</span>", one->seconds);
    fputs("</p>", out);
    put_stage_bar(out, one);
    put_environment(out, one);
    put_command(out, summary_reproduce(one), one->reproduce);
    put_command(out, "accept", one->accept);
    fputs("</header>\n", out);
    exhibits_put(out, page->report, one, &page->pictures[index], page->measured, id);
    put_timelines(out, one);
    timeline_put_alignment(out, one);
    put_numbers(out, one, id);
    fputs("<div class=\"two\">", out);
    put_baseline(out, one);
    put_sides(out, one);
    fputs("</div></article>\n", out);
    free(id);
}

/* Writes a case as one line that expands to its numbers. */
static void put_line(const struct page *page, uint32_t index)
{
    const struct case_report *one = &page->report->cases[index];
    char *id = names_case(page->report, index);
    fprintf(page->out, "<details class=\"line\" id=\"%s\"><summary>", id);
    put_mark(page->out, one->verdict);
    fprintf(page->out, "<span class=\"sr\">%s: </span>", marks[one->verdict].word);
    put_text(page->out, "b", "", one->name ? one->name : "");
    put_text(page->out, "span", "sentence", one->sentence);
    put_compared(page->out, summary_case(one));
    fputs("</summary>", page->out);
    if (!page->brief) {
        put_stage_bar(page->out, one);
        put_environment(page->out, one);
        put_numbers(page->out, one, id);
    }
    fputs("</details>\n", page->out);
    free(id);
}

static void put_navigation(const struct page *page)
{
    const struct report *report = page->report;
    fputs("<nav class=\"cases\" aria-label=\"Cases\"><ul>", page->out);
    for (uint32_t c = 0; c < report->case_count; c++) {
        const struct case_report *one = &report->cases[page->order[c]];
        char *id = names_case(report, page->order[c]);
        fprintf(page->out, "<li><a href=\"#%s\">", id);
        put_mark(page->out, one->verdict);
        fprintf(page->out, "<span class=\"sr\">%s: </span>", marks[one->verdict].word);
        put_text(page->out, "span", "name", one->name ? one->name : "");
        if (!verdict_passes(one->verdict))
            put_text(page->out, "span", "cause",
                     one->stage >= 0 ? judged_name((enum judged)one->stage) : "not judged");
        fputs("</a></li>", page->out);
        free(id);
    }
    fputs("</ul></nav>\n", page->out);
}

/* Writes a file's name as part of a URL. */
static void put_address(FILE *out, const char *name)
{
    for (; *name; name++)
        if (isalnum((unsigned char)*name) || strchr("._-~", *name))
            putc(*name, out);
        else
            fprintf(out, "%%%02X", (unsigned)(unsigned char)*name);
}

static void put_head(const struct page *page)
{
    FILE *out = page->out;
    const struct report *report = page->report;
    const bool good = report_status(report) == STATUS_OK;
    char *sentence = summary_sentence(report);
    fprintf(out, "<header class=\"top %s\"><p class=\"program\">", good ? "passes" : "fails");
    escape_markup(out, report->program);
    fputs(" ", out);
    escape_markup(out, report->command);
    fputs("</p><h1>", out);
    put_mark(out, report->case_count ? report->verdict : VERDICT_NOT_JUDGED);
    escape_markup(out, sentence);
    fputs("</h1><p class=\"facts\">", out);
    put_compared(out, summary_report(report));
    if (page->json) {
        fputs(" <a href=\"./", out);
        put_address(out, page->json);
        fputs("\">JSON</a>", out);
    }
    fputs(
        "<button type=\"button\" class=\"helper\" hidden>Keys <kbd>?</kbd></button></p></header>\n",
        out);
    free(sentence);
}

static void put_body(const struct page *page)
{
    const struct report *report = page->report;
    const uint32_t shown = page->failing < page->detailed ? page->failing : page->detailed;
    put_head(page);
    const bool listed = report->case_count > 1 && page->failing > 0;
    fprintf(page->out, "<div class=\"columns%s\">\n", listed ? "" : " alone");
    if (listed)
        put_navigation(page);
    fputs("<main id=\"main\" tabindex=\"-1\">\n", page->out);
    for (uint32_t c = 0; c < shown; c++)
        put_case(page, page->order[c]);
    if (shown < page->failing) {
        fprintf(
            page->out,
            "<section class=\"lines\"><h2>%u more that do not pass</h2><p>They are a line each, "
            "because the page would be too large; the JSON has all of them.</p>",
            page->failing - shown);
        for (uint32_t c = shown; c < page->failing; c++)
            put_line(page, page->order[c]);
        fputs("</section>\n", page->out);
    }
    if (page->failing < report->case_count) {
        fprintf(page->out, "<section class=\"lines\"><h2>%u that pass</h2>\n",
                report->case_count - page->failing);
        for (uint32_t c = page->failing; c < report->case_count; c++)
            put_line(page, page->order[c]);
        fputs("</section>\n", page->out);
    }
    if (report->case_count == 0)
        fputs("<p>There was no case to compare. A report without one never passes.</p>", page->out);
    fputs("</main></div>\n", page->out);
}

/* ---- the page: its frame with each {{name}} filled in ---- */

static void put_title(const struct page *page)
{
    char *sentence = summary_sentence(page->report);
    escape_markup(page->out, sentence);
    fputs(" – gravreel ", page->out);
    escape_markup(page->out, page->report->command);
    free(sentence);
}

static void put_style(const struct page *page)
{
    fputs(report_css, page->out);
}

static void put_script(const struct page *page)
{
    fputs(report_js, page->out);
}

static const struct {
    const char *name;
    void (*put)(const struct page *page);
} places[] = {
    {"{{title}}", put_title},
    {"{{style}}", put_style},
    {"{{body}}", put_body},
    {"{{script}}", put_script},
};

static char *write_page(struct page *page, size_t *size)
{
    struct draft draft;
    draft_open(&draft);
    page->out = draft.file;
    const char *rest = report_html_page;
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        const char *at = strstr(rest, places[p].name);
        fwrite(rest, 1, (size_t)(at - rest), page->out);
        places[p].put(page);
        rest = at + strlen(places[p].name);
    }
    fputs(rest, page->out);
    return draft_text(&draft, size);
}

/* Measures the page without pictures, and chooses how many of its cases can be written in full. */
static size_t measure(struct page *page, size_t budget)
{
    size_t size;
    page->pictures = pictures_choose(page->report, 0, 0);
    free(write_page(page, &size));
    while (size > budget && page->detailed > 1) {
        page->detailed /= page->brief ? 2 : 1;
        page->brief = true;
        free(write_page(page, &size));
    }
    pictures_free(page->report, page->pictures);
    page->measured = true;
    return size;
}

char *report_html(const struct report *report, const char *json, size_t budget, size_t *size)
{
    uint32_t *order = summary_order(report);
    struct page page = {.report = report,
                        .json = json,
                        .order = order,
                        .failing = report->case_count - summary_passing(report),
                        .detailed = DETAILED_MAX};
    const size_t text = measure(&page, budget);
    page.pictures = pictures_choose(report, budget > text ? budget - text : 0, HTML_CLIP_BYTES);
    char *whole = write_page(&page, size);
    pictures_free(report, page.pictures);
    free(order);
    return whole;
}

/* Returns the JSON file's name if it lies beside the page, so that both can be moved together. */
static char *name_beside(const char *json, const char *path)
{
    if (!json)
        return NULL;
    char *one = file_folder(json), *other = file_folder(path), *name = NULL;
    if (strcmp(one, other) == 0)
        name = memory_text(strrchr(json, '/') ? strrchr(json, '/') + 1 : json);
    free(one);
    free(other);
    return name;
}

enum status report_write_html(const struct report *report, const char *path, const char *json)
{
    size_t size;
    char *name = name_beside(json, path);
    char *text = report_html(report, name, HTML_BYTES, &size);
    enum status status = file_write(path, text, size);
    free(name);
    free(text);
    return status;
}
