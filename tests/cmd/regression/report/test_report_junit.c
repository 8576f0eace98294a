/* JUnit of a report: well-formed, unique names, and never green if the report does not pass. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/memory.h"
#include "cmd/regression/report/writers.h"
#include "tests/support/films/markup.h"
#include "tests/support/films/report_fixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char path[] = "report-junit.xml";

static char *written(struct report *report, size_t *size)
{
    char *text;
    assert_ok(report_write_junit(report, path));
    assert_ok(file_read(path, (size_t)1 << 26, &text, size));
    report_free(report);
    return text;
}

static char *written_of(const struct report_fixture *fixture)
{
    struct report report;
    report_fixture_make(&report, fixture);
    return written(&report, NULL);
}

enum { NAMES = 2000, NAME = 256 };

struct found {
    int tests, failures, errors, skipped, suites;
    int said_tests, said_failures, said_errors; /* by the root */
    int said_skipped;                           /* from the suites */
    double seconds, said_seconds;               /* of the testcases, from the root */
    char (*names)[NAME];
};

static bool is(const struct markup_element *element, const char *name)
{
    return element->name_length == strlen(name) && strncmp(element->name, name, strlen(name)) == 0;
}

static int number(const struct markup_element *element, const char *name)
{
    char text[NAME];
    assert_true(markup_attribute(element, name, text, sizeof text));
    return atoi(text);
}

/* The elements that Jenkins' schema (junit-10.xsd of its xunit plugin) allows; it rejects files
 * with others. */
static void check_attributes(const struct markup_element *element)
{
    static const char *const known[][12] = {
        {"testsuites", "name", "time", "tests", "failures", "errors"},
        {"testsuite", "name", "time", "tests", "failures", "errors", "skipped", "timestamp",
         "hostname", "id", "package", "file"},
        {"testcase", "name", "time", "classname", "group"},
        {"failure", "type", "message"},
        {"error", "type", "message"},
        {"skipped", "type", "message"},
        {"system-out"},
    };
    int there = 0, fit = -1;
    for (size_t i = 1; i < element->attributes_length; i++)
        there += element->attributes[i - 1] == '=' && element->attributes[i] == '"';
    for (size_t e = 0; e < sizeof known / sizeof *known && fit < 0; e++) {
        if (!is(element, known[e][0]))
            continue;
        fit = 0;
        for (size_t a = 1; a < 12 && known[e][a]; a++) {
            char text[NAME];
            fit += markup_attribute(element, known[e][a], text, sizeof text);
        }
    }
    if (fit != there)
        fail_msg("%.*s has %d attributes, of which %d are known",
                 (int)(element->name_length + element->attributes_length), element->name, there,
                 fit);
}

static double seconds(const struct markup_element *element)
{
    char text[NAME];
    assert_true(markup_attribute(element, "time", text, sizeof text));
    return atof(text);
}

static void see(void *user, const struct markup_element *element)
{
    struct found *found = user;
    char why[NAME];
    check_attributes(element);
    if (is(element, "testsuites")) {
        found->said_tests = number(element, "tests");
        found->said_failures = number(element, "failures");
        found->said_errors = number(element, "errors");
        found->said_seconds = seconds(element);
    }
    if (is(element, "testsuite"))
        found->said_skipped += number(element, "skipped");
    if (is(element, "failure") || is(element, "error")) {
        assert_true(markup_attribute(element, "message", why, sizeof why));
        assert_true(*why != '\0' && strcmp(why, "not judged") != 0 && strcmp(why, "changed") != 0);
        /* and once more between the tags, which some services show instead */
        const char *text = element->attributes + element->attributes_length + 1;
        assert_memory_equal(text, why, strlen(why));
    }
    found->suites += is(element, "testsuite");
    found->failures += is(element, "failure");
    found->errors += is(element, "error");
    found->skipped += is(element, "skipped");
    if (is(element, "testcase")) {
        char *name = found->names[found->tests++];
        found->seconds += seconds(element);
        assert_true(found->tests < NAMES);
        assert_true(markup_attribute(element, "name", name, NAME));
        for (int t = 0; t + 1 < found->tests; t++)
            assert_string_not_equal(found->names[t], name);
    }
}

static struct found look(const char *text)
{
    struct found found = {.names = memory_new(NAMES, NAME)};
    markup_check(text, false, see, &found);
    free(found.names);
    assert_int_equal(found.tests, found.said_tests);
    assert_int_equal(found.failures, found.said_failures);
    assert_int_equal(found.errors, found.said_errors);
    assert_int_equal(found.skipped, found.said_skipped);
    assert_true(fabs(found.seconds - found.said_seconds) < 0.0005 * (found.tests + 1));
    return found;
}

TEST(a_test_case_per_stage)
{
    char *text = written_of(&(struct report_fixture){.cases = 5, .pictures = "pictures"});
    struct found found = look(text);
    assert_int_equal(found.suites, 5);
    assert_int_equal(found.tests, 5 * JUDGED_COUNT);
    assert_int_equal(found.failures, 3);
    assert_int_equal(found.errors, JUDGED_COUNT); /* the case in which nothing was judged */
    assert_int_equal(found.skipped, 3);
    assert_true(found.said_seconds > 0);
    assert_contains(text, "name=\"default: physics\"");
    assert_contains(text, "<failure type=\"changed\" message=\"energy drift 1.2e-3");
    assert_contains(text, "[[ATTACHMENT|pictures/a/frame_000017.png]]\n");
    assert_contains(text, "<skipped message=\"PNG files have no container\"/>");
    assert_contains(text, "<system-out>warning: container.size 6.2 %, limit 10");
    free(text);
}

TEST(names_are_unique)
{
    char *text =
        written_of(&(struct report_fixture){.cases = FIXTURE_KINDS, .text = "one name for all"});
    assert_int_equal(look(text).suites, FIXTURE_KINDS);
    assert_contains(text, "name=\"one-name-for-all~5: scene\"");
    free(text);
}

TEST(nothing_compared_is_an_error)
{
    char *text = written_of(&(struct report_fixture){0});
    assert_int_equal(look(text).errors, 1);
    free(text);
    struct report report;
    report_fixture_make(&report, &(struct report_fixture){.cases = 1, .only = 3});
    assert_ok(report_status(&report));
    report.cases[0].verdict = VERDICT_NOT_JUDGED; /* though each of its stages passes */
    text = written(&report, NULL);
    assert_int_equal(look(text).errors, 1);
    assert_contains(text, "name=\"default: verdict\"");
    free(text);
}

/* A stage without its own reason has that of its case. */
TEST(each_error_says_why)
{
    struct report report = {.command = memory_text("check")};
    struct case_report *one = report_add_case(&report, "lost");
    one->sentence = memory_text("the disk was full");
    char *text = written(&report, NULL);
    assert_int_equal(look(text).errors, JUDGED_COUNT);
    assert_lacks(text, "message=\"\"");
    free(text);
}

TEST(hostile_names_do_nothing)
{
    char *text = written_of(&(struct report_fixture){
        .cases = 5, .text = fixture_hostile, .pictures = "a]]\nb</system-out>"});
    look(text);
    assert_lacks(text, "ATTACHMENT");
    assert_lacks(text, "<script");
    free(text);
}

TEST(it_is_never_too_large)
{
    struct report report;
    size_t size;
    char *filler = memory_new(4001, 1);
    memset(filler, '&', 4000);
    report_fixture_make(&report, &(struct report_fixture){.cases = 200, .only = 1});
    for (uint32_t c = 0; c < report.case_count; c++) {
        struct stage_report *physics = &report.cases[c].stages[JUDGED_PHYSICS];
        for (int f = 0; f < 40; f++)
            finding_say(stage_add_finding(physics, &rules[RULE_PHYSICS_ENERGY]), "%s", filler);
    }
    char *text = written(&report, &size);
    assert_in_range(size, 10000000, JUNIT_BYTES);
    assert_int_equal(look(text).tests, 200 * JUDGED_COUNT);
    assert_says(text, "file large");
    free(text);
    free(filler);
}

TESTS(report_fixture_enter, report_fixture_leave)
