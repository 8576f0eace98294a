/* The page of a report as text: well-formed, self-contained, within its size, and with the report
 * as data. What the script draws of it is tested by scripts/test-report. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/html_page.h"
#include "cmd/regression/report/report_json.h"
#include "tests/support/films/markup.h"
#include "tests/support/films/report_fixture.h"

#include <jansson.h>
#include <string.h>

static const char folder[] = "report-html";
enum { PICTURE = 60000 }; /* bytes of a picture file */

/* Enough of a PNG file for a page, which does not decode it. */
static void write_picture(const char *path, size_t size)
{
    char *data = memory_new(size, 1);
    memcpy(data, "\211PNG\r\n\032\n\0\0\0\rIHDR\0\0\1\100\0\0\0\264", 24);
    assert_ok(file_write(path, data, size));
    free(data);
}

static void make_pictures(void)
{
    static const char *const sides[] = {"a", "b", "difference"};
    for (int s = 0; s < 3; s++) {
        char *side = text_format("%s/%s", folder, sides[s]);
        assert_ok(file_make_folder(side));
        for (int f = 17; f < FIXTURE_FRAMES; f++) {
            char *path = text_format("%s/frame_%06d.png", side, f);
            write_picture(path, PICTURE);
            free(path);
        }
        free(side);
    }
}

static char *page_of(const struct report_fixture *fixture, size_t budget, size_t *size)
{
    struct report report;
    size_t own;
    report_fixture_make(&report, fixture);
    char *text = report_html(&report, "report.json", budget, size ? size : &own);
    report_free(&report);
    return text;
}

static int count(const char *text, const char *part)
{
    int found = 0;
    for (; (text = strstr(text, part)); text++)
        found++;
    return found;
}

/* The data of the page's element `id`. */
static json_t *data_of(const char *text, const char *id)
{
    char begin[64];
    json_error_t error;
    snprintf(begin, sizeof begin, "<script type=\"application/json\" id=\"%s\"", id);
    const char *at = strstr(text, begin);
    assert_non_null(at);
    at = strchr(at, '>') + 1;
    json_t *data = json_loadb(at, (size_t)(strstr(at, "</script>") - at), 0, &error);
    if (!data)
        fail_msg("%s: line %d: %s", id, error.line, error.text);
    return data;
}

static bool has_picture(const char *text, size_t index, size_t shown)
{
    char id[64];
    snprintf(id, sizeof id, "<img id=\"p:%zu:%zu:", index, shown);
    return strstr(text, id) != NULL;
}

/* The number of cases that lack a frame. */
static size_t cases_left_out(const char *text)
{
    json_t *report = data_of(text, "report"), *one;
    size_t c, cases = 0;
    json_array_foreach(json_object_get(report, "cases"), c, one)
    {
        bool whole = true;
        for (size_t s = 0; s < json_array_size(json_object_get(one, "shown")); s++)
            whole &= has_picture(text, c, s);
        cases += !whole;
    }
    json_decref(report);
    return cases;
}

struct ids {
    int count;
    char (*ids)[160];
};

static void see(void *user, const struct markup_element *element)
{
    struct ids *ids = user;
    char value[160];
    static const char *const links[] = {"src", "href"};
    for (int l = 0; l < 2; l++)
        if (markup_attribute(element, links[l], value, sizeof value))
            assert_true(value[0] == '#' || strncmp(value, "data:", 5) == 0 ||
                        strcmp(value, "./report.json") == 0);
    if (markup_attribute(element, "id", value, sizeof value)) {
        for (int i = 0; i < ids->count; i++)
            assert_string_not_equal(ids->ids[i], value);
        ids->ids = memory_grow(ids->ids, (size_t)ids->count + 1, sizeof *ids->ids);
        memcpy(ids->ids[ids->count++], value, sizeof value);
    }
}

static void look(const char *text)
{
    struct ids ids = {0};
    markup_check(text, true, see, &ids);
    free(ids.ids);
    assert_lacks(text, "@import");
    assert_lacks(text, "url(");
    assert_lacks(text, "{{");
    assert_int_equal(count(text, "<script>"), 1);
    json_decref(data_of(text, "report"));
    json_decref(data_of(text, "rules"));
    assert_contains(text, "default-src 'none'");
}

TEST(it_is_well_formed)
{
    make_pictures();
    for (uint32_t only = 0; only <= FIXTURE_KINDS; only++)
        for (uint32_t cases = 0; cases < 8; cases += 1 + cases) {
            char *text = page_of(&(struct report_fixture){cases, only, folder, NULL, NULL},
                                 HTML_BYTES, NULL);
            look(text);
            assert_lacks(text, "http:");
            assert_lacks(text, "https:");
            free(text);
        }
}

TEST(it_says_what_there_is)
{
    static const char *const parts[] = {
        "<h1>3 of 5 cases do not pass</h1>",
        "compared 192 of 240 frames, 25 of 34 stages",
        "gravreel check baselines/default --frame 17 --only",
        "</pre></noscript>", /* the text, for those without a script */
        "alt=\"Frame 17, A\"",
        "width=\"320\" height=\"180\"",
        "<img id=\"p:0:0:0\"",
    };
    char *text =
        page_of(&(struct report_fixture){.cases = 5, .pictures = folder}, HTML_BYTES, NULL);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        assert_contains(text, parts[p]);
    assert_int_equal(cases_left_out(text), 0);
    json_t *report = data_of(text, "report"),
           *one = json_array_get(json_object_get(report, "cases"), 0);
    assert_int_equal(json_array_size(json_object_get(report, "cases")), 5);
    assert_string_equal(json_string_value(json_object_get(one, "verdict")), "changed");
    assert_int_equal(json_array_size(json_object_get(one, "stages")), JUDGED_COUNT);
    assert_int_equal(json_array_size(json_object_get(one, "shown")), 6);
    assert_true(json_array_size(json_object_get(one, "series")) > 0);
    json_decref(report);
    free(text);
}

TEST(hostile_texts_do_nothing)
{
    char *text =
        page_of(&(struct report_fixture){.cases = 5, .text = fixture_hostile}, HTML_BYTES, NULL);
    look(text);
    assert_lacks(text, "alert(1)</script>");
    assert_lacks(text, "<img src=x");
    assert_lacks(text, "\xe2\x80\xae");
    free(text);
}

TEST(it_keeps_to_its_budget)
{
    size_t size, least;
    struct report_fixture fixture = {.cases = 50, .pictures = folder};
    char *bare = page_of(&(struct report_fixture){.cases = 50}, HTML_BYTES, &least);
    free(bare);
    char *text = page_of(&fixture, least + 6000000, &size);
    look(text);
    assert_in_range(size, least + 5000000, least + 6000000);
    assert_int_equal(cases_left_out(text), 20);
    /* a frame of every case that does not pass, before another one of any */
    json_t *report = data_of(text, "report"), *one;
    size_t c;
    json_array_foreach(json_object_get(report, "cases"), c, one)
    {
        const size_t shown = json_array_size(json_object_get(one, "shown"));
        bool any = shown == 0;
        for (size_t s = 0; s < shown; s++)
            any |= has_picture(text, c, s);
        assert_true(any);
    }
    json_decref(report);
    free(text);
    text = page_of(&fixture, HTML_BYTES, &size);
    assert_in_range(size, 8000000, HTML_BYTES);
    free(text);
    /* the markup around pictures counts, too */
    fixture.cases = 1;
    free(page_of(&fixture, HTML_BYTES, &size));
    const size_t budget = size - 1;
    free(page_of(&fixture, budget, &size));
    assert_in_range(size, 1, budget);
}

TEST(long_reports_are_shortened)
{
    size_t size;
    char *text = page_of(&(struct report_fixture){.cases = 200, .only = 1}, 1500000, &size);
    look(text);
    assert_in_range(size, 400000, 1500000);
    json_t *report = data_of(text, "report"), *cases = json_object_get(report, "cases"), *one;
    size_t c, empty = 0;
    assert_int_equal(json_array_size(cases), 200);
    json_array_foreach(cases, c, one)
    {
        const json_t *stage = json_array_get(json_object_get(one, "stages"), JUDGED_PHYSICS);
        empty += json_array_size(json_object_get(stage, "findings")) == 0;
    }
    assert_in_range(empty, 100, 199);
    json_decref(report);
    free(text);
}

/* Recognized by content: a report cannot bring any other file into a page. */
TEST(only_pictures_are_embedded)
{
    char *path = text_format("%s/a/frame_000017.png", folder);
    assert_ok(file_write(path, "root:x:0:0:secret of this machine", 33));
    char *text = page_of(&(struct report_fixture){.cases = 1, .pictures = folder, .clip = path},
                         HTML_BYTES, NULL);
    look(text);
    assert_lacks(text, "cm9vd"); /* "roo" in base64 */
    assert_int_equal(cases_left_out(text), 1);
    assert_lacks(text, "<video");
    free(text);
    write_picture(path, PICTURE);
    free(path);
    text = page_of(&(struct report_fixture){.cases = 1, .pictures = "/dev", .clip = "/dev/zero"},
                   HTML_BYTES, NULL);
    assert_int_equal(cases_left_out(text), 1);
    assert_lacks(text, "<img");
    free(text);
}

TEST(clips_are_embedded)
{
    char *path = text_format("%s/clip.mp4", folder), *data = memory_new(HTML_CLIP_BYTES + 1, 1);
    memcpy(data,
           "\0\0\0\x20"
           "ftypisom",
           12);
    assert_ok(file_write(path, data, 5000));
    struct report_fixture fixture = {.cases = 1, .pictures = folder, .clip = path};
    char *text = page_of(&fixture, HTML_BYTES, NULL);
    look(text);
    assert_contains(text, "src=\"data:video/mp4;base64,AAAAIGZ0eXBpc29t");
    assert_lacks(text, "autoplay");
    free(text);
    assert_ok(file_write(path, data, HTML_CLIP_BYTES + 1));
    text = page_of(&fixture, HTML_BYTES, NULL);
    assert_lacks(text, "data:video/mp4");
    free(text);
    free(path);
    free(data);
}

TEST(the_file_links_its_neighbour)
{
    struct report report;
    char *text, *page = text_format("%s/report.html", folder),
                *json = text_format("%s/re port#1.json", folder);
    report_fixture_make(&report, &(struct report_fixture){.cases = 1});
    assert_ok(report_write_html(&report, page, json));
    assert_ok(file_read(page, 1 << 24, &text, NULL));
    assert_contains(text, "href=\"./re%20port%231.json\"");
    free(text);
    assert_ok(report_write_html(&report, page, "elsewhere/report.json"));
    assert_ok(file_read(page, 1 << 24, &text, NULL));
    assert_lacks(text, "elsewhere");
    free(text);
    assert_fails(report_write_html(&report, "no-such-folder/report.html", NULL), STATUS_IO,
                 "no-such-folder");
    report_free(&report);
    free(page);
    free(json);
}

/* If its files are missing, a page names none; the films keep their names. */
TEST(a_page_may_be_all_that_is_left)
{
    struct report report;
    size_t size;
    report_fixture_make(&report, &(struct report_fixture){.cases = 1, .pictures = folder});
    char *text = report_html(&report, NULL, HTML_BYTES, &size);
    assert_contains(text, "report-html/a/frame_000017.png");
    free(text);
    report.fleeting = true;
    free(report.command);
    report.command = memory_text("compare");
    free(report.cases[0].a);
    report.cases[0].a = memory_text("films/before.mp4");
    text = report_html(&report, NULL, HTML_BYTES, &size);
    look(text);
    assert_lacks(text, "frame_000017.png");
    assert_contains(text, "data:image/png");
    assert_contains(text, "\"films/before.mp4\"");
    assert_ok(report_write_json(&report, "fleeting.json"));
    report_free(&report);
    assert_ok(report_read_json(&report, "fleeting.json"));
    assert_int_equal(report.cases[0].shown_count, 6);
    assert_null(report.cases[0].shown[0].a);
    assert_null(report.cases[0].shown[0].difference);
    assert_null(report.cases[0].candidate);
    assert_null(report.cases[0].clip.path);
    report_free(&report);
    free(text);
}

TESTS(report_fixture_enter, report_fixture_leave)
