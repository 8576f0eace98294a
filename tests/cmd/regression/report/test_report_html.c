/* The page of a report as text: well-formed, self-contained, and within its size. Its behaviour in
 * a browser is tested by scripts/test-report. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"
#include "cmd/regression/report/html.h"
#include "cmd/regression/report/json.h"
#include "tests/support/markup.h"
#include "tests/support/report_fixture.h"

#include <math.h>
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
    assert_contains(text, "default-src 'none'");
}

static void it_is_well_formed(void **state)
{
    (void)state;
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

static void it_says_what_there_is(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "3 of 5 cases do not pass",
        "compared 192 of 240 frames, 25 of 34 stages",
        "<article class=\"case\" id=\"default\"",
        "<details class=\"line\" id=\"panels\">",
        "changed at 17",
        "by stored states",
        "↳",
        "<b>Mesa</b>22.3.6 <span class=\"to\"",
        "gravreel check baselines/default --frame 17 --only",
        "--because &#34;...&#34;",
        "class=\"timeline\"",
        "class=\"limit\"",
        "; limit 0.4, kept",
        "limit 64, <b>exceeded</b>",
        "logarithmic",
        "18 % of the limit",
        "1,200 x the limit",
        "href=\"#default/23/5,2\"",
        "pixel 181,86 in 16 bits: A 3084 3084 0, B 22873 0 22873",
        "id=\"default/17\"",
        "alt=\"Frame 17, A, the baseline\"",
        "width=\"320\" height=\"180\"",
        "missing star</b> <span>at 77,40</span>",
        "frame 20 of A is missing in B",
        "frame 32 of B repeats frame 32 of A",
        "A. Person",
        "2 accepted changes since",
    };
    char *text =
        page_of(&(struct report_fixture){.cases = 5, .pictures = folder}, HTML_BYTES, NULL);
    for (size_t p = 0; p < sizeof parts / sizeof *parts; p++)
        assert_contains(text, parts[p]);
    assert_lacks(text, "left out");
    free(text);
}

static void hostile_texts_do_nothing(void **state)
{
    (void)state;
    char *text =
        page_of(&(struct report_fixture){.cases = 5, .text = fixture_hostile}, HTML_BYTES, NULL);
    look(text);
    assert_lacks(text, "alert(1)</script>");
    assert_lacks(text, "<img src=x");
    assert_lacks(text, "\xe2\x80\xae");
    free(text);
}

static void it_keeps_to_its_budget(void **state)
{
    (void)state;
    size_t size, least;
    struct report_fixture fixture = {.cases = 50, .pictures = folder};
    char *bare = page_of(&(struct report_fixture){.cases = 50}, HTML_BYTES, &least);
    free(bare);
    char *text = page_of(&fixture, least + 6000000, &size);
    look(text);
    assert_in_range(size, least + 5000000, least + 6000000);
    assert_int_equal(count(text, "frames are left out"), 20);
    /* the worst frame of every case that does not pass, before any other */
    assert_int_equal(count(text, "<article"), 30);
    for (const char *at = text; (at = strstr(at, "<div class=\"frames\">")); at++)
        assert_contains(at, "data:image/png");
    free(text);
    text = page_of(&fixture, HTML_BYTES, &size);
    assert_in_range(size, 8000000, 10000000);
    free(text);
}

static void long_reports_are_shortened(void **state)
{
    (void)state;
    size_t size;
    char *text = page_of(&(struct report_fixture){.cases = 200, .only = 1}, 1500000, &size);
    look(text);
    assert_in_range(size, 400000, 1500000);
    assert_says(text, "pass");
    assert_int_equal(count(text, "<article") + count(text, "<details class=\"line\""), 200);
    free(text);
}

/* Recognized by content: a report cannot bring any other file into a page. */
static void only_pictures_are_embedded(void **state)
{
    (void)state;
    char *path = text_format("%s/a/frame_000017.png", folder);
    assert_ok(file_write(path, "root:x:0:0:secret of this machine", 33));
    char *text = page_of(&(struct report_fixture){.cases = 1, .pictures = folder, .clip = path},
                         HTML_BYTES, NULL);
    look(text);
    assert_lacks(text, "cm9vd"); /* "roo" in base64 */
    assert_says(text, "'1 of 6' frames clip");
    free(text);
    write_picture(path, PICTURE);
    free(path);
    text = page_of(&(struct report_fixture){.cases = 1, .pictures = "/dev", .clip = "/dev/zero"},
                   HTML_BYTES, NULL);
    assert_says(text, "'6 of 6' frames");
    free(text);
}

static void clips_are_embedded(void **state)
{
    (void)state;
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
    assert_contains(text, "data-fps=\"24\" data-frames=\"0,1,2,");
    assert_contains(text, "<span>difference × 16</span>");
    assert_lacks(text, "autoplay");
    free(text);
    assert_ok(file_write(path, data, HTML_CLIP_BYTES + 1));
    text = page_of(&fixture, HTML_BYTES, NULL);
    assert_lacks(text, "data:video/mp4");
    assert_says(text, "clip");
    free(text);
    free(path);
    free(data);
}

/* Values that are not numbers, and drawings without a range. */
static void odd_series_are_drawn(void **state)
{
    (void)state;
    static const double all[] = {NAN, INFINITY, -INFINITY, 0, -3, 5e-324, 1e308};
    for (size_t v = 0; v < sizeof all / sizeof *all; v++) {
        struct report report;
        size_t size;
        report_fixture_make(&report, &(struct report_fixture){.cases = 1});
        for (uint32_t s = 0; s < report.cases[0].series_count; s++)
            for (uint64_t f = 0; f < report.cases[0].frames; f++)
                report.cases[0].series[s].value[f] = f % 3 ? all[v] : 0;
        char *text = report_html(&report, NULL, HTML_BYTES, &size);
        look(text);
        for (const char *at = text; (at = strstr(at, " d=\"M")); at++) {
            assert_null(memmem(at, strcspn(at, ">"), "nan", 3));
            assert_null(memmem(at, strcspn(at, ">"), "inf", 3));
        }
        free(text);
        report_free(&report);
    }
}

/* Counts the dots beyond a limit in all charts. */
static size_t dots_beyond(double value)
{
    struct report report;
    size_t size, dots = 0;
    report_fixture_make(&report, &(struct report_fixture){.cases = 1});
    struct case_report *one = &report.cases[0];
    for (uint32_t s = 0; s < one->series_count; s++)
        for (uint64_t f = 0; f < one->frames; f++)
            one->series[s].value[f] = f % 3 ? 0 : value;
    char *text = report_html(&report, NULL, HTML_BYTES, &size);
    for (const char *at = text; (at = strstr(at, "class=\"over\" d=\"")); at++)
        for (const char *dot = at; *dot != '>'; dot++)
            dots += *dot == 'M';
    free(text);
    report_free(&report);
    return dots;
}

static void limits_hold_on_either_side_of_zero(void **state)
{
    (void)state;
    const size_t dots = dots_beyond(1e6);
    assert_true(dots > 0);
    assert_int_equal(dots_beyond(-1e6), dots);
    assert_int_equal(dots_beyond(0), 0);
}

static void the_file_links_its_neighbour(void **state)
{
    (void)state;
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
static void a_page_may_be_all_that_is_left(void **state)
{
    (void)state;
    struct report report;
    size_t size;
    report_fixture_make(&report, &(struct report_fixture){.cases = 1, .pictures = folder});
    char *text = report_html(&report, NULL, HTML_BYTES, &size);
    assert_contains(text, "<code>report-html/a/frame_000017.png</code>");
    assert_contains(text, "data-a=\"the baseline\" data-b=\"now\"");
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
    assert_contains(text, "data-a=\"before.mp4\" data-b=\"a fresh render\"");
    assert_contains(text, "alt=\"Frame 17, A, before.mp4\"");
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

/* Only one frame is called the worst. */
static void the_worst_frame_is_marked(void **state)
{
    (void)state;
    struct report report;
    size_t size;
    char mark[64];
    report_fixture_make(&report, &(struct report_fixture){.cases = 1, .pictures = folder});
    struct case_report *one = &report.cases[0];
    const struct shown_frame *worst = one->shown;
    for (uint32_t s = 1; s < one->shown_count; s++)
        worst = one->shown[s].worst > worst->worst ? &one->shown[s] : worst;
    snprintf(mark, sizeof mark, "data-is-worst><h4>Frame %d", (int)worst->frame);
    char *text = report_html(&report, NULL, HTML_BYTES, &size);
    assert_int_equal(count(text, " data-is-worst>"), 1);
    assert_contains(text, mark);
    assert_int_equal(count(text, "<b class=\"worst\">worst</b>"), 1);
    assert_contains(text, "<span class=\"why\">the first that fails</span>");
    free(text);
    /* shown twice, once from a stored state: one address */
    one->shown[1].frame = one->shown[0].frame;
    text = report_html(&report, NULL, HTML_BYTES, &size);
    look(text);
    free(text);
    report_free(&report);
}

/* Films of any length have a strip, with every exception. */
static void long_films_have_a_strip(void **state)
{
    (void)state;
    enum { LONG = 5000 };
    struct report report;
    size_t size;
    report_fixture_make(&report, &(struct report_fixture){.cases = 1});
    struct case_report *one = &report.cases[0];
    free(one->alignment);
    one->alignment = memory_new(LONG, sizeof *one->alignment);
    one->alignment_count = LONG;
    for (int i = 0; i < LONG; i++)
        one->alignment[i] = (struct alignment_step){i / 4 == 1080 ? STEP_DROPPED : STEP_PAIR, i,
                                                    i / 4 == 1080 ? -1 : i};
    char *text = report_html(&report, NULL, HTML_BYTES, &size);
    const char *strip = strstr(text, "<div class=\"strip\">");
    assert_non_null(strip);
    assert_int_equal(count(strip, "<path class=\"dropped\""), 4);
    assert_in_range(count(strip, "<path class=\"pair\""), 300, 700);
    assert_says(text, "frames 4320 4323 A B missing");
    free(text);
    report_free(&report);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_well_formed),
        cmocka_unit_test(it_says_what_there_is),
        cmocka_unit_test(hostile_texts_do_nothing),
        cmocka_unit_test(it_keeps_to_its_budget),
        cmocka_unit_test(long_reports_are_shortened),
        cmocka_unit_test(only_pictures_are_embedded),
        cmocka_unit_test(clips_are_embedded),
        cmocka_unit_test(odd_series_are_drawn),
        cmocka_unit_test(limits_hold_on_either_side_of_zero),
        cmocka_unit_test(a_page_may_be_all_that_is_left),
        cmocka_unit_test(the_worst_frame_is_marked),
        cmocka_unit_test(long_films_have_a_strip),
        cmocka_unit_test(the_file_links_its_neighbour),
    };
    return cmocka_run_group_tests(tests, report_fixture_enter, report_fixture_leave);
}
