/* Valid and invalid moments; their frames are in tests/cmd/film/script/test_moments.c. */
#include "tests/support/test.h"

#include "scenes/value.h"

TEST(all_of_a_moment_is_read)
{
    static const struct {
        const char *text;
        struct moment moment;
    } cases[] = {
        {"12.5", {.kind = MOMENT_SECONDS, .value = 12.5}},
        {"0:03", {.kind = MOMENT_SECONDS, .value = 3}},
        {"1:30.5 - 2", {.kind = MOMENT_SECONDS, .value = 90.5, .shift = -2}},
        {" frame 7", {.kind = MOMENT_FRAME, .value = 7}},
        {"t = 2.5 + 1", {.kind = MOMENT_TIME, .value = 2.5, .shift = 1}},
        {"z=2.31 - 1", {.kind = MOMENT_REDSHIFT, .value = 2.31, .shift = -1}},
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

TEST(what_is_no_moment_is_refused)
{
    static const char *const wrong[] = {"",
                                        "soon",
                                        "-1",
                                        "+1",
                                        "1 2",
                                        "12,5",
                                        "1:60",
                                        "1:",
                                        "1.5:30",
                                        "1:2:3",
                                        "frame 1:30",
                                        "t=1:30",
                                        "0x10",
                                        "nan",
                                        "inf",
                                        "1e999",
                                        "frame",
                                        "frame 1.5",
                                        "frame -1",
                                        "t",
                                        "t 3",
                                        "t=",
                                        "start 2",
                                        "merger 2",
                                        "pericentre 0",
                                        "pericentre 1.5",
                                        "end +",
                                        "end + two",
                                        "end + 1 - 1"};
    struct moment moment;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char found[32];
        snprintf(found, sizeof found, "'%s'", wrong[i]);
        assert_fails(moment_parse(wrong[i], &moment), STATUS_USAGE, "seconds film");
        assert_contains(status_text(), found);
    }
    static const char *const near[][2] = {{"pericenter", "pericenter mean pericentre"},
                                          {"merge", "merge mean merger"},
                                          {"strat", "strat mean start"}};
    for (size_t i = 0; i < 3; i++)
        assert_fails(moment_parse(near[i][0], &moment), STATUS_USAGE, near[i][1]);
}

TESTS(NULL, NULL)
