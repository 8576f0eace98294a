/* What a task shows of itself on a terminal. */
#include "tests/support/test.h"

#include "base/bar.h"
#include "base/log.h"

#include <fcntl.h>
#include <pty.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int terminal, standard_error;

static int open_terminal(void **state)
{
    (void)state;
    int end;
    const struct winsize size = {.ws_col = 80, .ws_row = 24};
    setenv("TERM", "xterm", 1);
    if (openpty(&terminal, &end, NULL, NULL, &size) != 0)
        return -1;
    fcntl(terminal, F_SETFL, O_NONBLOCK);
    standard_error = dup(STDERR_FILENO);
    dup2(end, STDERR_FILENO);
    return close(end);
}

static int close_terminal(void **state)
{
    (void)state;
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    return close(terminal);
}

static char text[1024];

static const char *shown(void)
{
    const ssize_t length = read(terminal, text, sizeof text - 1);
    text[length > 0 ? length : 0] = '\0';
    return text;
}

static void a_long_task_shows_its_end(void **state)
{
    (void)state;
    struct bar bar;
    bar_begin(&bar, "looking");
    bar.began -= 10; /* as if ten seconds ago */
    bar_show(&bar, 50, 200);
    shown();
    assert_non_null(strstr(text, "looking 50/200, 0:30 left"));
    assert_non_null(strstr(text, "[====="));
    bar_show(&bar, 0, 200);
    assert_non_null(strstr(shown(), "0/200, -:-- left"));
    bar_end(&bar);
    assert_non_null(shown());
    assert_null(strstr(text, "looking"));
}

static void a_short_one_and_a_quiet_one_say_nothing(void **state)
{
    (void)state;
    struct bar bar;
    bar_begin(&bar, "looking");
    bar.began += 3600; /* it has not begun, however slow this machine is */
    bar_show(&bar, 1, 2);
    assert_string_equal(shown(), "");
    bar.began -= 7200;
    log_set_level(LOG_ERROR);
    bar_show(&bar, 1, 2);
    assert_string_equal(shown(), "");
    log_set_level(LOG_INFO);
    bar_show(&bar, 1, 2);
    assert_true(*shown() != '\0');
    bar_end(&bar);
    shown();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_long_task_shows_its_end),
        cmocka_unit_test(a_short_one_and_a_quiet_one_say_nothing),
    };
    return cmocka_run_group_tests(tests, open_terminal, close_terminal);
}
