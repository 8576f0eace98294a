/* The JSON of a report: it is read back completely, and no other text is accepted. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "cmd/regression/report/report_json.h"
#include "tests/support/films/report_fixture.h"

#include <math.h>
#include <string.h>

enum { LIMIT = 1 << 26 };
static const char path[] = "report-json.json", again[] = "report-json-again.json";

static char *read_whole(const char *name)
{
    char *text;
    assert_ok(file_read(name, LIMIT, &text, NULL));
    return text;
}

static char *written(struct report *report)
{
    assert_ok(report_write_json(report, path));
    return read_whole(path);
}

TEST(what_is_written_is_read)
{
    const struct report_fixture fixtures[] = {
        {0},
        {.cases = 1},
        {.cases = 50, .pictures = "pictures"},
        {.cases = FIXTURE_KINDS, .text = fixture_hostile},
    };
    for (size_t f = 0; f < sizeof fixtures / sizeof *fixtures; f++) {
        struct report report, back;
        report_fixture_make(&report, &fixtures[f]);
        char *first = written(&report);
        assert_ok(report_read_json(&back, path));
        assert_ok(report_write_json(&back, again));
        char *second = read_whole(again);
        assert_string_equal(first, second);
        assert_int_equal(back.case_count, report.case_count);
        assert_int_equal(back.verdict, report.verdict);
        assert_int_equal(report_status(&back), report_status(&report));
        free(first);
        free(second);
        report_free(&report);
        report_free(&back);
    }
}

TEST(every_value_survives)
{
    struct report report, back;
    report_fixture_make(&report, &(struct report_fixture){.cases = 5, .pictures = "p"});
    const struct case_report *one = &report.cases[0];
    struct stage_report *picture = &report.cases[0].stages[JUDGED_PICTURE];
    picture->findings[0].value = NAN;
    picture->findings[0].warn = INFINITY;
    free(picture->findings[1].text);
    picture->findings[1].text = NULL;
    free(written(&report));
    assert_ok(report_read_json(&back, path));
    const struct case_report *other = &back.cases[0];
    const struct stage_report *same = &other->stages[JUDGED_PICTURE];
    assert_true(isnan(same->findings[0].value));
    assert_true(isinf(same->findings[0].warn));
    assert_null(same->findings[1].text);
    assert_ptr_equal(same->findings[0].rule, picture->findings[0].rule);
    assert_memory_equal(same->findings[0].b, picture->findings[0].b, sizeof same->findings[0].b);
    assert_int_equal(same->findings[0].tile_x, 5);
    assert_true(same->substituted);
    assert_true(other->stages[JUDGED_LIGHT].follows);
    assert_int_equal(other->stage, JUDGED_PHYSICS);
    assert_int_equal(other->series_count, one->series_count);
    for (uint32_t s = 0; s < one->series_count; s++)
        assert_memory_equal(other->series[s].value, one->series[s].value,
                            one->frames * sizeof(double));
    assert_memory_equal(other->alignment, one->alignment,
                        one->alignment_count * sizeof *one->alignment);
    assert_string_equal(other->shown[1].b, one->shown[1].b);
    assert_memory_equal(other->shown[1].marks, one->shown[1].marks, 4 * sizeof(struct mark));
    assert_null(other->environment[2].before);
    assert_string_equal(other->candidate_hash, one->candidate_hash);
    assert_string_equal(other->reproduce, one->reproduce);
    report_free(&report);
    report_free(&back);
}

/* Replaces the first `from` of a valid report. */
static enum status read_changed(const char *from, const char *to)
{
    struct report report, back = {.case_count = 9};
    report_fixture_make(&report, &(struct report_fixture){.cases = 5, .pictures = "p"});
    char *text = written(&report);
    char *at = strstr(text, from);
    assert_non_null(at);
    char *changed = text_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    assert_ok(file_write(path, changed, strlen(changed)));
    enum status status = report_read_json(&back, path);
    assert_int_equal(back.case_count, 0);
    assert_null(back.cases);
    report_free(&report);
    free(text);
    free(changed);
    return status;
}

TEST(other_formats_are_named)
{
    assert_fails(read_changed("\"format\": 2", "\"format\": 1"), STATUS_USAGE, "format 1 2");
    assert_fails(read_changed("\"format\": 2", "\"format\": \"1\""), STATUS_USAGE, "format");
    assert_fails(read_changed("\"format\": 2,", ""), STATUS_USAGE, "report gravreel");
}

TEST(what_is_wrong_is_refused)
{
    static const struct {
        const char *from, *to, *found;
    } cases[] = {
        {"{", "", "JSON line"},
        {"\"verdict\": \"changed\"", "\"verdict\": \"fine\"", "verdict fine"},
        {"\"verdict\": \"changed\"", "\"verdict\": 3", "verdict 3"},
        {"\"id\": \"default\"", "\"id\": \"other\"", "cases[0] id other default"},
        {"\"frames\": 48", "\"frames\": 49", "cases[0] series[0] values 48 49"},
        {"\"frames\": 48", "\"frames\": -1", "cases[0] frames -1"},
        {"\"frames\": 48", "\"frames\": 1e3", "cases[0] frames 1000.0"},
        {"\"frames\": 48", "\"frames\": 99999999999999999999", "JSON"},
        {"\"fps\": 24.0", "\"fps\": \"infinite\"", "cases[0] fps infinite number"},
        {"\"fps\": 24.0", "\"fpss\": 24.0", "cases[0] fps missing"},
        {"\"fps\": 24.0", "\"fps\": 24.0, \"fpss\": 1", "cases[0] fpss member"},
        {"\"fps\": 24.0", "\"fps\": 24.0, \"fps\": 24.0", "JSON"},
        {"\"stage\": \"start\"", "\"stage\": \"scene\"", "cases[0] stages[1] stage scene"},
        {"\"follows\": false", "\"follows\": 0", "cases[0] stages[0] follows 0 flag"},
        {"\"unit\": ", "\"units\": ", "unit missing"},
        {"\"rule\": \"physics.positions\"", "\"rule\": \"physics.luck\"", "rule"},
        {"\"tile\": null", "\"tile\": [1]", "tile 1 2"},
        {"\"tile\": null", "\"tile\": [1, -2]", "tile -2"},
        {"\"findings\": []", "\"findings\": [7]", "findings 7"},
        {"\"findings\": []", "\"findings\": {}", "findings list"},
        {"\"kind\": \"missing star\"", "\"kind\": \"comet\"", "comet kind"},
        {"\"pair\"", "\"pear\"", "cases[0] alignment[0] kind pear"},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "../../../etc/passwd", "hash"},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        assert_fails(read_changed(cases[c].from, cases[c].to), STATUS_USAGE, cases[c].found);
}

/* No prefix of a report is valid, and none crashes the program. */
TEST(cut_files_are_refused)
{
    struct report report, back;
    report_fixture_make(&report, &(struct report_fixture){.cases = 1});
    char *text = written(&report);
    size_t size = strlen(text);
    for (size_t length = 0; length + 2 < size; length += 1 + size / 97) {
        assert_ok(file_write(path, text, length));
        assert_fails(report_read_json(&back, path), STATUS_USAGE, "JSON");
    }
    free(text);
    report_free(&report);
}

TEST(lists_are_bounded)
{
    struct report back;
    const size_t entries = 1 << 20;
    char *text = text_format("{\"format\": 2, \"program\": \"\", \"command\": \"\", \"verdict\": "
                             "\"same\", \"cases\": [%*s]}",
                             (int)(2 * entries - 1), "");
    char *list = strchr(text, '[') + 1;
    for (size_t e = 0; e < 2 * entries - 1; e++)
        list[e] = e % 2 ? ',' : '0';
    assert_ok(file_write(path, text, strlen(text)));
    assert_fails(report_read_json(&back, path), STATUS_USAGE, "cases 1048576 4096");
    for (size_t e = 0; e < 2 * entries - 1; e++)
        list[e] = '[';
    assert_ok(file_write(path, text, strlen(text)));
    assert_fails(report_read_json(&back, path), STATUS_USAGE, "JSON");
    free(text);
}

TEST(files_that_are_not_there)
{
    struct report report = {0};
    assert_fails(report_read_json(&report, "no-such-report.json"), STATUS_IO, "no-such-report");
    assert_fails(report_write_json(&report, "no-such-folder/report.json"), STATUS_IO,
                 "no-such-folder");
}

TESTS(report_fixture_enter, report_fixture_leave)
