/* What is a moment, and what is not; tests/cmd/film/script/test_moments.c has the frames they fall
 * on. */
#include "tests/support/test.h"

#include "scenes/moment.h"

#include <string.h>

static void all_of_a_moment_is_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        struct moment moment;
    } cases[] = {
        {"12.5", {.kind = MOMENT_SECONDS, .value = 12.5}},
        {"0:03", {.kind = MOMENT_SECONDS, .value = 3}},
        {"1:30.5 - 2", {.kind = MOMENT_SECONDS, .value = 90.5, .shift = -2}},
        {" frame 7", {.kind = MOMENT_FRAME, .value = 7}},
        {"t = 2.5 + 1", {.kind = MOMENT_TIME, .value = 2.5, .shift = 1}},
        {"end-1.5 ", {.kind = MOMENT_END, .value = 1, .shift = -1.5}},
        {"pericentre", {.kind = MOMENT_PERICENTRE, .value = 1}},
        {"apocentre 3 + .5", {.kind = MOMENT_APOCENTRE, .value = 3, .shift = 0.5}},
        {"merger", {.kind = MOMENT_MERGER, .value = 1}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct moment moment;
        assert_ok(moment_parse(cases[i].text, &moment));
        assert_int_equal(moment.kind, cases[i].moment.kind);
        assert_true(moment.value == cases[i].moment.value);
        assert_true(moment.shift == cases[i].moment.shift);
        assert_null(moment.text);
    }
}

static void what_is_no_moment_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *said;
    } wrong[] = {
        {"", "found ''"},
        {"soon", "found 'soon'"},
        {"pericenter", "found 'pericenter'; did you mean 'pericentre'?"},
        {"merge", "did you mean 'merger'?"},
        {"strat", "did you mean 'start'?"},
        {"-1", "found '-1'"},
        {"+1", "found '+1'"},
        {"1 2", "found '1 2'"},
        {"12,5", "found '12,5'"},
        {"1:60", "found '1:60'"},
        {"1:", "found '1:'"},
        {"1.5:30", "found '1.5:30'"},
        {"1:2:3", "found '1:2:3'"},
        {"frame 1:30", "found 'frame 1:30'"},
        {"t=1:30", "found 't=1:30'"},
        {"0x10", "found '0x10'"},
        {"nan", "found 'nan'"},
        {"inf", "found 'inf'"},
        {"1e999", "found '1e999'"},
        {"frame", "found 'frame'"},
        {"frame 1.5", "found 'frame 1.5'"},
        {"frame -1", "found 'frame -1'"},
        {"t", "found 't'"},
        {"t 3", "found 't 3'"},
        {"t=", "found 't='"},
        {"start 2", "found 'start 2'"},
        {"merger 2", "found 'merger 2'"},
        {"pericentre 0", "found 'pericentre 0'"},
        {"pericentre 1.5", "found 'pericentre 1.5'"},
        {"end +", "found 'end +'"},
        {"end + two", "found 'end + two'"},
        {"end + 1 - 1", "found 'end + 1 - 1'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct moment moment;
        assert_fails(moment_parse(wrong[i].text, &moment), STATUS_USAGE, wrong[i].said);
        assert_non_null(strstr(status_text(), "expected seconds of the film"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_of_a_moment_is_read),
        cmocka_unit_test(what_is_no_moment_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
