/* Limits changed by options and by files. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/text.h"
#include "cmd/regression/judge/rules.h"
#include "tests/support/films/sink_fixture.h"

#include <math.h>
#include <string.h>

static const char *const today = "2026-11-22";
#define RULE (&rules[RULE_PICTURE_COUNTED])

TEST(test_defaults)
{
    struct limits *limits;
    (void)state;
    limits_open(&limits);
    for (int i = 0; i < RULE_COUNT; i++) {
        assert_true(limits_fail(limits, &rules[i]) == rules[i].fail);
        assert_true(limits_warn(limits, &rules[i]) == rules[i].warn);
        assert_null(limits_because(limits, &rules[i]));
    }
    limits_close(&limits);
    limits_close(&limits);
}

TEST(test_options)
{
    struct limits *limits;
    (void)state;
    limits_open(&limits);
    assert_false(limits_is_given(limits, RULE));
    assert_ok(limits_set(limits, "picture.counted.warn=7"));
    assert_true(limits_fail(limits, RULE) == 64 && limits_warn(limits, RULE) == 7);
    assert_false(limits_is_given(limits, RULE));
    assert_ok(limits_set(limits, "picture.counted=12"));
    assert_true(limits_is_given(limits, RULE));
    assert_true(limits_fail(limits, RULE) == 12 && limits_warn(limits, RULE) == 12);
    assert_string_equal(limits_because(limits, RULE), "given as an option");
    assert_ok(limits_set(limits, "picture.counted.warn=3"));
    assert_true(limits_is_given(limits, RULE)); /* as it was before */
    assert_true(limits_fail(limits, RULE) == 12 && limits_warn(limits, RULE) == 3);
    assert_ok(limits_set(limits, "picture.counted.fail=1.5e1"));
    assert_true(limits_fail(limits, RULE) == 15 && limits_warn(limits, RULE) == 3);
    assert_ok(limits_set(limits, "picture.counted.fail=2"));
    assert_true(limits_fail(limits, RULE) == 2 && limits_warn(limits, RULE) == 2);
    assert_ok(limits_set(limits, "picture.counted=never"));
    assert_true(isinf(limits_fail(limits, RULE)));
    limits_close(&limits);
}

TEST(test_bad_options)
{
    static const char *const values[] = {"",    "-1", "nan", "inf",   "1x", "0x10", " 1",
                                         "1,5", "1e", "--1", "1e999", "=1", "1 "};
    struct limits *limits;
    (void)state;
    limits_open(&limits);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        char *text = text_format("picture.counted=%s", values[i]);
        assert_fails(limits_set(limits, text), STATUS_USAGE, "number 0 never");
        free(text);
    }
    assert_fails(limits_set(limits, "picture.countd=3"), STATUS_USAGE, "mean picture.counted");
    assert_fails(limits_set(limits, "picture.counted"), STATUS_USAGE, "RULE=NUMBER");
    assert_fails(limits_set(limits, ""), STATUS_USAGE, "RULE=NUMBER");
    char *longest = text_format("%0200d=3", 1);
    assert_fails(limits_set(limits, longest), STATUS_USAGE, "RULE=NUMBER");
    free(longest);
    assert_true(limits_fail(limits, RULE) == RULE->fail && !limits_because(limits, RULE));
    limits_close(&limits);
}

static enum status parse(struct limits *limits, const char *text)
{
    return limits_parse(limits, text, strlen(text), "limits.yaml", today);
}

TEST(test_file)
{
    struct limits *limits;
    char *folder = fixture_folder(), *path = text_format("%s/limits.yaml", folder);
    static const char text[] = "# of one film\n"
                               "picture.counted:\n"
                               "  {fail: 70, warn: 4, because: many stars, measured: 61.5, "
                               "expires: 2027-01-31}\n"
                               "container.size: {fail: never, because: \"x\", measured: 30, "
                               "expires: 2026-11-22}\n";
    (void)state;
    limits_open(&limits);
    assert_ok(file_write(path, text, strlen(text)));
    assert_ok(limits_read(limits, path, today));
    assert_true(limits_fail(limits, RULE) == 70 && limits_warn(limits, RULE) == 4);
    assert_string_equal(limits_because(limits, RULE),
                        "many stars (measured 61.5, until 2027-01-31)");
    const struct rule *size = &rules[RULE_CONTAINER_SIZE];
    assert_true(isinf(limits_fail(limits, size)) && limits_warn(limits, size) == size->warn);
    assert_ok(parse(limits, "picture.counted: {fail: 70, because: x, measured: 70, expires: "
                            "2027-01-31}\n"));
    assert_ok(parse(limits, ""));
    assert_ok(parse(limits, "{}\n"));
    limits_close(&limits);
    free(path);
    fixture_remove_folder(folder);
}

TEST(test_bad_files)
{
    static const struct {
        const char *text, *part;
    } cases[] = {
        {"picture.counted: {fail: 70, measured: 61, expires: 2027-01-31}\n",
         "limits.yaml:1 picture.counted because missing"},
        {"picture.counted: {fail: 70, because: '', measured: 61, expires: 2027-01-31}\n",
         "because"},
        {"picture.counted: {fail: 70, because: x, expires: 2027-01-31}\n", "measured"},
        {"picture.counted: {fail: 70, because: x, measured: 61}\n", "expires"},
        {"picture.counted: {because: x, measured: 61, expires: 2027-01-31}\n", "fail warn"},
        {"\npicture.counted: {fail: 70, because: x, measured: 61, expires: 2026-11-21}\n",
         "limits.yaml:2 picture.counted expired 2026-11-21"},
        {"picture.counted: {fail: 70, because: x, measured: 61, expires: soon}\n", "day"},
        {"picture.counted: {fail: 70, because: x, measured: 61, expires: 2027-13-01}\n", "day"},
        {"picture.counted: {fail: 70, because: x, measured: 71, expires: 2027-01-31}\n",
         "measured 71 limit 70"},
        {"picture.counted: {fail: -1, because: x, measured: 0, expires: 2027-01-31}\n",
         "fail number 0"},
        {"picture.counted: {fail: .nan, because: x, measured: 0, expires: 2027-01-31}\n",
         "fail number 0"},
        {"picture.counted: {fail: 3, because: x, measured: never, expires: 2027-01-31}\n",
         "measured number"},
        {"picture.countd: {fail: 70}\n", "mean picture.counted"},
        {"percent: 5\n", "rule percent"},
        {"picture.counted: {fial: 70}\n", "mean fail"},
        {"picture.counted: {fail: 70, fail: 71}\n", "fail twice"},
        {"picture.counted: 70\n", "{name"},
        {"- picture.counted\n", "rules"},
        {"picture.counted: {fail: [1]}\n", "text list"},
        {"picture.counted: &a {fail: *a}\n", "value"},
        {"? {a: b}\n: 1\n", "name"},
        {"picture.counted: {fail: 70\n", "valid YAML"},
        {"\xff\xfe\x01", "UTF-8"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct limits *limits;
        limits_open(&limits);
        assert_fails(parse(limits, cases[i].text), STATUS_USAGE, cases[i].part);
        assert_true(limits_fail(limits, RULE) == RULE->fail);
        limits_close(&limits);
    }
}

TEST(test_a_rule_twice_and_two_documents)
{
    static const char line[] =
        "picture.counted: {fail: 70, because: x, measured: 61, expires: 2027-01-31}\n";
    struct limits *limits;
    (void)state;
    limits_open(&limits);
    char *twice = text_format("%s%s", line, line), *two = text_format("%s---\n%s", line, line);
    assert_fails(parse(limits, twice), STATUS_USAGE, "limits.yaml:2 picture.counted twice");
    assert_fails(parse(limits, two), STATUS_USAGE, "second document");
    assert_fails(limits_read(limits, "/nonexistent/limits.yaml", today), STATUS_IO, "nonexistent");
    free(twice);
    free(two);
    limits_close(&limits);
}

TESTS(NULL, NULL)
