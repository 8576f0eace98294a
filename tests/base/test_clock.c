/* Dates, and the moment that SOURCE_DATE_EPOCH sets instead. */
#include "tests/support/test.h"

#include "base/clock.h"

#include <stdlib.h>
#include <string.h>

TEST(a_moment_that_is_given)
{
    struct tm utc;
    bool given;
    char today[16];
    setenv("SOURCE_DATE_EPOCH", "1000000000", 1);
    assert_ok(clock_source_date(&utc, &given));
    assert_true(given && utc.tm_year == 101 && utc.tm_mon == 8 && utc.tm_mday == 9);
    clock_today(today);
    assert_string_equal(today, "2001-09-09");
}

TEST(none_is_given)
{
    static const char *const values[] = {"", NULL};
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct tm utc;
        bool given = true;
        char today[16];
        setenv("SOURCE_DATE_EPOCH", "", 1);
        if (!values[i])
            unsetenv("SOURCE_DATE_EPOCH");
        assert_ok(clock_source_date(&utc, &given));
        assert_false(given);
        clock_today(today);
        assert_true(strlen(today) == 10 && strcmp(today, "2025-01-01") > 0);
    }
}

TEST(what_is_no_moment)
{
    static const char *const values[] = {"yesterday", "-1", "1x", "253402300800"};
    (void)state;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        struct tm utc;
        bool given;
        char today[16];
        setenv("SOURCE_DATE_EPOCH", values[i], 1);
        assert_fails(clock_source_date(&utc, &given), STATUS_USAGE, "SOURCE_DATE_EPOCH");
        clock_today(today);
        assert_int_equal(strlen(today), 10);
    }
    unsetenv("SOURCE_DATE_EPOCH");
}

TESTS(NULL, NULL)
