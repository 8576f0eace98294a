#include "cmd/regression/report/html_page.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/report_json.h"
#include "cmd/regression/report/writers.h"
#include "cmd/regression/report/phrases.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const char report_html_page[], report_css[], report_js[];

enum { DETAILED_MAX = 256, HEADER = 24, SIDE_MAX = 1 << 16 };
enum { MARKUP = 512 }; /* bytes around a picture, at most: its element, and headings */
enum { SIDE_A, SIDE_B, SIDE_DIFFERENCE, SIDES };

/* A file that is embedded as a data: URL. */
struct embed {
    const char *type; /* "image/png"; NULL: not embedded */
    char *data;
    size_t size;
    uint32_t width, height; /* of a picture */
};

struct case_files {
    struct embed (*shown)[SIDES]; /* [the case's shown frames] */
    struct embed clip;
};

struct page {
    FILE *out;
    const struct report *report;
    struct case_files *files; /* nothing is embedded while the page is measured */
    bool brief;               /* cases in one line are written without their numbers */
    uint32_t detailed;        /* cases that do not pass and are written in full */
    const char *json;
};

/* ---- embedded files ---- */

static uint32_t big_endian(const char *bytes)
{
    const unsigned char *at = (const unsigned char *)bytes;
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void embed_free(struct embed *embed)
{
    free(embed->data);
    *embed = (struct embed){0};
}

/* Returns the type that the first bytes of a file tell. They are checked before the file is read,
 * so that a device or an unrelated file is never read whole. */
static const char *type_of(const char *path, bool film, struct embed *embed)
{
    char head[HEADER];
    size_t got = 0;
    if (!path || file_read_head(path, head, HEADER, &got) != STATUS_OK || got != HEADER)
        return NULL;
    if (film)
        return memcmp(head + 4, "ftyp", 4) == 0           ? "video/mp4"
               : memcmp(head, "\x1a\x45\xdf\xa3", 4) == 0 ? "video/webm"
                                                          : NULL;
    embed->width = big_endian(head + 16);
    embed->height = big_endian(head + 20);
    return memcmp(head, "\211PNG\r\n\032\n", 8) == 0 && memcmp(head + 12, "IHDR", 4) == 0 &&
                   embed->width > 0 && embed->height > 0 && embed->width < SIDE_MAX &&
                   embed->height < SIDE_MAX
               ? "image/png"
               : NULL;
}

/* Reads a file if there is room for its URL. Returns whether it is there. */
static bool embed_read(struct embed *embed, const char *path, bool film, size_t *room)
{
    const char *type = embed->type ? NULL : type_of(path, film, embed);
    const size_t most = film && *room > HTML_CLIP_BYTES ? HTML_CLIP_BYTES : *room;
    if (type && file_read(path, most, &embed->data, &embed->size) == STATUS_OK) {
        const size_t url =
            MARKUP + strlen("data:;base64,") + strlen(type) + (embed->size + 2) / 3 * 4;
        if (url > *room) {
            embed_free(embed);
        } else {
            embed->type = type;
            *room -= url;
        }
    }
    return embed->type != NULL;
}

static bool has_sides(const struct embed sides[SIDES])
{
    return sides[SIDE_A].type || sides[SIDE_B].type;
}

/* Takes both sides or, if there is only one, that one. */
static void take_sides(const struct shown_frame *shown, struct embed sides[SIDES], size_t *room)
{
    const size_t before = *room;
    const bool a = embed_read(&sides[SIDE_A], shown->a, false, room) || !shown->a,
               b = a && (embed_read(&sides[SIDE_B], shown->b, false, room) || !shown->b);
    if (a && b)
        return;
    embed_free(&sides[SIDE_A]);
    embed_free(&sides[SIDE_B]);
    *room = before;
}

static void take_difference(const struct shown_frame *shown, struct embed sides[SIDES],
                            size_t *room)
{
    if (has_sides(sides))
        embed_read(&sides[SIDE_DIFFERENCE], shown->difference, false, room);
}

static uint32_t worst_frame(const struct case_report *one)
{
    uint32_t worst = 0;
    for (uint32_t s = 1; s < one->shown_count; s++)
        if (summary_worst(one, &one->shown[s]) > summary_worst(one, &one->shown[worst]))
            worst = s;
    return worst;
}

/* Reads the files in the order of their importance, as far as there is room. */
static void choose_files(struct page *page, size_t room)
{
    enum { WORST, CLIPS, OTHERS, DIFFERENCES, PASSES };
    const struct report *report = page->report;
    uint32_t most = 1;
    for (uint32_t c = 0; c < report->case_count; c++)
        most = report->cases[c].shown_count > most ? report->cases[c].shown_count : most;
    for (int pass = 0; pass < PASSES; pass++)
        for (uint32_t s = 0; s < (pass == CLIPS ? 1 : most); s++)
            for (uint32_t c = 0; c < report->case_count; c++) {
                const struct case_report *one = &report->cases[c];
                struct case_files *files = &page->files[c];
                if (verdict_passes(one->verdict))
                    continue;
                if (pass == CLIPS)
                    embed_read(&files->clip, one->clip.path, true, &room);
                else if (s < one->shown_count && (pass != WORST || s == worst_frame(one))) {
                    if (pass != DIFFERENCES && !has_sides(files->shown[s]))
                        take_sides(&one->shown[s], files->shown[s], &room);
                    if (pass != OTHERS)
                        take_difference(&one->shown[s], files->shown[s], &room);
                }
            }
}

static void open_files(struct page *page)
{
    const struct report *report = page->report;
    page->files = memory_new(report->case_count, sizeof *page->files);
    for (uint32_t c = 0; c < report->case_count; c++)
        page->files[c].shown =
            memory_new(report->cases[c].shown_count, sizeof *page->files[c].shown);
}

static void close_files(struct page *page)
{
    for (uint32_t c = 0; c < page->report->case_count; c++) {
        for (uint32_t s = 0; s < page->report->cases[c].shown_count; s++)
            for (int side = 0; side < SIDES; side++)
                embed_free(&page->files[c].shown[s][side]);
        embed_free(&page->files[c].clip);
        free(page->files[c].shown);
    }
    free(page->files);
}

/* Writes the URL as an attribute. */
static void put_source(FILE *out, const struct embed *embed)
{
    size_t length;
    char *text = text_base64(embed->data, embed->size, &length);
    fprintf(out, " src=\"data:%s;base64,%s", embed->type, text);
    free(text);
    putc('"', out);
}

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

/* Writes what the page shows of each case: all, its numbers, or one line. */
static void put_report(const struct page *page)
{
    struct report shown = *page->report;
    uint32_t failing = 0;
    shown.cases = memory_new(shown.case_count, sizeof *shown.cases);
    for (uint32_t c = 0; c < shown.case_count; c++) {
        struct case_report *one = &shown.cases[c];
        *one = page->report->cases[c];
        if (!verdict_passes(one->verdict) && failing++ < page->detailed)
            continue;
        one->series_count = one->alignment_count = one->shown_count = 0;
        for (int s = 0; page->brief && s < JUDGED_COUNT; s++)
            one->stages[s].finding_count = 0;
    }
    char *text = report_to_json(&shown, true);
    put_data(page->out, text ? text : "null");
    free(text);
    free(shown.cases);
}

static void put_detailed(const struct page *page)
{
    fprintf(page->out, "%u", page->detailed);
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
        fprintf(page->out, "%s\"%s\":[\"", r ? ",\n" : "{", rules[r].name);
        put_data(page->out, rules[r].doc);
        fprintf(page->out, "\",\"%s\"", rules[r].unit);
        put_limit(page->out, rules[r].warn);
        put_limit(page->out, rules[r].fail);
        putc(']', page->out);
    }
    putc('}', page->out);
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

/* Writes the pictures of a frame, with the ids by which the script finds them. */
static void put_frame(const struct page *page, uint32_t c, uint32_t s)
{
    static const char *const names[] = {"A", "B", "difference"};
    const long long frame = (long long)page->report->cases[c].shown[s].frame;
    fprintf(page->out, "<p>Frame %lld: A, B, difference</p>\n", frame);
    for (int side = 0; side < SIDES; side++) {
        const struct embed *embed = &page->files[c].shown[s][side];
        if (!embed->type)
            continue;
        fprintf(page->out,
                "<img id=\"p:%u:%u:%d\" loading=\"lazy\" decoding=\"async\" width=\"%u\" "
                "height=\"%u\" alt=\"Frame %lld, %s\"",
                c, s, side, embed->width, embed->height, frame, names[side]);
        put_source(page->out, embed);
        fputs(">\n", page->out);
    }
}

static void put_pictures(const struct page *page)
{
    for (uint32_t c = 0; c < page->report->case_count; c++) {
        const struct case_report *one = &page->report->cases[c];
        uint32_t frames = 0;
        for (uint32_t s = 0; s < one->shown_count; s++) {
            if (!has_sides(page->files[c].shown[s]))
                continue;
            if (frames++ == 0 && one->name) {
                fputs("<h2>", page->out);
                escape_markup(page->out, one->name);
                fputs("</h2>", page->out);
            }
            put_frame(page, c, s);
        }
        if (!page->files[c].clip.type)
            continue;
        fprintf(page->out,
                "<p>Clip</p><video id=\"c:%u\" controls muted playsinline preload=\"auto\" "
                "aria-label=\"A, B and their difference side by side\"",
                c);
        put_source(page->out, &page->files[c].clip);
        fputs("></video>\n", page->out);
    }
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
    for (const char *at = page->json; *at; at++)
        if (isalnum((unsigned char)*at) || strchr("._-~", *at))
            putc(*at, page->out);
        else
            fprintf(page->out, "%%%02X", (unsigned)(unsigned char)*at);
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
    {"{{text}}", put_text},       {"{{pictures}}", put_pictures}, {"{{detailed}}", put_detailed},
    {"{{report}}", put_report},   {"{{rules}}", put_rules},       {"{{script}}", put_script},
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

char *report_html(const struct report *report, const char *json, size_t budget, size_t *size)
{
    struct page page = {.report = report, .json = json, .detailed = DETAILED_MAX};
    open_files(&page);
    char *whole = write_page(&page, size);
    while (*size > budget && page.detailed > 1) {
        page.detailed /= page.brief ? 2 : 1;
        page.brief = true;
        free(whole);
        whole = write_page(&page, size);
    }
    free(whole);
    choose_files(&page, budget > *size ? budget - *size : 0);
    whole = write_page(&page, size);
    close_files(&page);
    return whole;
}

enum status report_write_html(const struct report *report, const char *path, const char *json)
{
    /* The link to the JSON is made if it lies beside the page, so that both can be moved. */
    size_t size;
    char *folder = file_folder(json ? json : ""), *own = file_folder(path);
    const char *name = json && strcmp(folder, own) == 0 ? file_base(json) : NULL;
    char *text = report_html(report, name, HTML_BYTES, &size);
    const enum status status = file_write(path, text, size);
    free(folder);
    free(own);
    free(text);
    return status;
}
