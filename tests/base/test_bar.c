/* The progress bar of a task on a terminal. */
#include "tests/support/test.h"

#include "base/log.h"
#include "tests/support/programs/terminal.h"

TEST(a_long_task_shows_its_end)
{
    struct bar bar;
    bar_begin(&bar, "looking");
    bar.began -= 10; /* as if ten seconds ago */
    bar_show(&bar, 50, 200);
    const char *text = terminal_shown();
    assert_says(text, "looking 50/200 0:30");
    assert_contains(text, "[=====");
    bar_show(&bar, 0, 200);
    assert_says(terminal_shown(), "0/200");
    bar_end(&bar);
    assert_lacks(terminal_shown(), "looking");
}

TEST(a_short_one_and_a_quiet_one_say_nothing)
{
    struct bar bar;
    bar_begin(&bar, "looking");
    bar.began += 3600; /* it has not begun, however slow this machine is */
    bar_show(&bar, 1, 2);
    assert_string_equal(terminal_shown(), "");
    bar.began -= 7200;
    log_set_level(LOG_ERROR);
    bar_show(&bar, 1, 2);
    assert_string_equal(terminal_shown(), "");
    log_set_level(LOG_INFO);
    bar_show(&bar, 1, 2);
    assert_true(*terminal_shown() != '\0');
    bar_end(&bar);
    terminal_shown();
}

TEST(durations_are_told_as_clocks_tell_them)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {{0, "0:00"},       {-1, "0:00"},      {0.5, "0:01"},        {59.4, "0:59"},
                 {59.5, "1:00"},    {754, "12:34"},    {3599.4, "59:59"},    {3599.5, "1:00:00"},
                 {3600, "1:00:00"}, {3723, "1:02:03"}, {360000, "100:00:00"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[32];
        bar_duration(cases[i].seconds, text, sizeof text);
        assert_string_equal(text, cases[i].text);
    }
}

TESTS(terminal_open, terminal_close)
