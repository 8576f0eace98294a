#include "cmd/regression/report/views.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/summary.h"
#include "cmd/regression/report/escape.h"
#include "cmd/regression/report/json.h"
#include "cmd/regression/report/pictures.h"

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
    bool brief;                     /* cases in one line are written without their numbers */
    const char *json;
    const uint32_t *order;
    uint32_t failing, detailed; /* cases that do not pass; those of them that are written in full */
};

/* ---- data for the script ---- */

/* Writes JSON inside an element: without characters that could end it or change the direction of
 * writing. */
static void put_data(FILE *out, const char *json)
{
    for (uint32_t next; (next = escape_next(&json));)
        if (next == '<')
            fputs("\\u003c", out);
        else
            escape_put(out, next);
}

static void put_string(FILE *out, const char *text)
{
    putc('"', out);
    for (uint32_t next; text && (next = escape_next(&text));)
        if (next == '<' || next == '"' || next == '\\')
            fprintf(out, "\\u%04x", (unsigned)next);
        else
            escape_put(out, next);
    putc('"', out);
}

/* Returns the case with what the page shows of it: all, its numbers, or one line. */
static struct case_report part_of(const struct page *page, uint32_t place)
{
    struct case_report one = page->report->cases[page->order[place]];
    if (place < page->failing && place < page->detailed)
        return one;
    one.series_count = one.alignment_count = one.shown_count = 0;
    for (int s = 0; page->brief && s < JUDGED_COUNT; s++)
        one.stages[s].finding_count = 0;
    return one;
}

static void put_report(const struct page *page)
{
    struct report shown = *page->report;
    shown.cases = memory_new(shown.case_count, sizeof *shown.cases);
    for (uint32_t c = 0; c < shown.case_count; c++)
        shown.cases[c] = part_of(page, c);
    char *text = report_to_json(&shown, true);
    put_data(page->out, text ? text : "null");
    free(text);
    free(shown.cases);
}

static void put_limit(FILE *out, double limit)
{
    if (isfinite(limit))
        fprintf(out, ",%.17g", limit);
    else
        fputs(",null", out);
}

/* Writes of each rule what the report does not say: doc, unit, warn, fail. */
static void put_rules(const struct page *page)
{
    for (int r = 0; r < RULE_COUNT; r++) {
        fprintf(page->out, "%s\"%s\":[", r ? ",\n" : "{", rules[r].name);
        put_string(page->out, rules[r].doc);
        putc(',', page->out);
        put_string(page->out, rules[r].unit);
        put_limit(page->out, rules[r].warn);
        put_limit(page->out, rules[r].fail);
        putc(']', page->out);
    }
    putc('}', page->out);
}

static const char *file_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

/* Returns "the baseline" or, for two films, their file names, with their folders if needed to tell
 * the files apart. */
static const char *name_of(const struct report *report, const struct case_report *one, int side)
{
    const char *path = side == SIDE_A ? one->a : one->b;
    const bool films = report->command && strcmp(report->command, "compare") == 0;
    if (!films || !path)
        return side == SIDE_A ? "the baseline" : "now";
    const char *other = side == SIDE_A ? one->b : one->a;
    return other && strcmp(file_of(path), file_of(other)) == 0 ? path : file_of(path);
}

/* Writes what the other views say in the same words, case by case. */
static void put_words(const struct page *page)
{
    FILE *out = page->out;
    const struct report *report = page->report;
    fprintf(out, "{\"failing\":%u,\"detailed\":%u,\"brief\":%s,\"cases\":[", page->failing,
            page->detailed, page->brief ? "true" : "false");
    for (uint32_t c = 0; c < report->case_count; c++) {
        const struct case_report *one = &report->cases[page->order[c]];
        char *id = names_case(report, page->order[c]),
             *compared = summary_compared(summary_case(one));
        const char *const texts[] = {id, compared, summary_reproduce(one),
                                     name_of(report, one, SIDE_A), name_of(report, one, SIDE_B)};
        for (int t = 0; t < 5; t++) {
            fputs(t ? "," : c ? ",\n[" : "[", out);
            put_string(out, texts[t]);
        }
        fprintf(out, ",%u,%u,[", page->order[c], page->pictures[page->order[c]].left_out);
        for (uint32_t s = 0; s < one->shown_count; s++)
            fprintf(out, "%s%.4g", s ? "," : "", fmin(summary_worst(one, &one->shown[s]), 1e9));
        fputs("]]", out);
        free(id);
        free(compared);
    }
    fputs("]}", out);
}

/* ---- what needs no script ---- */

static void put_text(const struct page *page)
{
    char *text, *rest = NULL;
    struct draft draft;
    draft_open(&draft);
    report_print(page->report, draft.file, (struct text_style){.symbols = true});
    text = draft_text(&draft, NULL);
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        escape_markup(page->out, line);
        putc('\n', page->out);
    }
    free(text);
}

/* Writes a picture, with the id by which the script finds it. */
static void put_picture(const struct page *page, uint32_t index, const struct shown_frame *shown,
                        int side)
{
    static const char *const names[] = {"A, ", "B, ", "difference"};
    const struct case_report *one = &page->report->cases[index];
    const uint32_t s = (uint32_t)(shown - one->shown);
    const struct embed *embed = &page->pictures[index].shown[s].side[side];
    if (!embed->type)
        return;
    fprintf(page->out,
            "<img id=\"p:%u:%u:%d\" loading=\"lazy\" decoding=\"async\" width=\"%u\" height=\"%u\" "
            "alt=\"Frame %lld, %s",
            index, s, side, embed->width, embed->height, (long long)shown->frame, names[side]);
    if (side != SIDE_DIFFERENCE)
        escape_markup(page->out, name_of(page->report, one, side));
    fputs("\" src=\"", page->out);
    embed_put(page->out, embed);
    fputs("\">\n", page->out);
}

static void put_pictures(const struct page *page)
{
    for (uint32_t c = 0; c < page->report->case_count; c++) {
        const struct case_report *one = &page->report->cases[c];
        const struct embed *clip = &page->pictures[c].clip;
        uint32_t frames = 0;
        for (uint32_t s = 0; s < one->shown_count; s++) {
            if (!pictures_has_sides(&page->pictures[c].shown[s]))
                continue;
            if (frames++ == 0 && one->name) {
                fputs("<h2>", page->out);
                escape_markup(page->out, one->name);
                fputs("</h2>", page->out);
            }
            fprintf(page->out, "<p>Frame %lld: A, B, difference</p>\n",
                    (long long)one->shown[s].frame);
            for (int side = 0; side < SIDE_COUNT; side++)
                put_picture(page, c, &one->shown[s], side);
        }
        if (!clip->type)
            continue;
        fprintf(page->out,
                "<p>Clip</p><video id=\"c:%u\" controls muted playsinline preload=\"auto\" "
                "aria-label=\"A, B and their difference side by side\" src=\"",
                c);
        embed_put(page->out, clip);
        fputs("\"></video>\n", page->out);
    }
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

static void put_sentence(const struct page *page)
{
    char *sentence = summary_sentence(page->report);
    escape_markup(page->out, sentence);
    free(sentence);
}

static void put_program(const struct page *page)
{
    escape_markup(page->out, page->report->program);
    putc(' ', page->out);
    escape_markup(page->out, page->report->command);
}

static void put_verdict(const struct page *page)
{
    fputs(report_status(page->report) == STATUS_OK ? "passes" : "fails", page->out);
}

static void put_compared(const struct page *page)
{
    char *text = summary_compared(summary_report(page->report));
    escape_markup(page->out, text);
    free(text);
    if (!page->json)
        return;
    fputs("</span> <a href=\"./", page->out);
    put_address(page->out, page->json);
    fputs("\">JSON</a><span>", page->out);
}

static void put_style(const struct page *page)
{
    fputs(report_css, page->out);
}

static void put_script(const struct page *page)
{
    fputs(report_js, page->out);
}

/* ---- the page: its frame with each {{name}} filled in ---- */

static const struct {
    const char *name;
    void (*put)(const struct page *page);
} places[] = {
    {"{{title}}", put_sentence},  {"{{style}}", put_style},       {"{{verdict}}", put_verdict},
    {"{{program}}", put_program}, {"{{sentence}}", put_sentence}, {"{{compared}}", put_compared},
    {"{{text}}", put_text},       {"{{pictures}}", put_pictures}, {"{{report}}", put_report},
    {"{{rules}}", put_rules},     {"{{words}}", put_words},       {"{{script}}", put_script},
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
