/* The bar on a terminal. */
#include "tests/support/test.h"

#include "cmd/cli/progress.h"

#include <pty.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int terminal, standard_error;

/* stderr becomes a terminal that the test reads. */
static int open_terminal(void **state)
{
    (void)state;
    int end;
    setenv("TERM", "xterm", 1);
    if (openpty(&terminal, &end, NULL, NULL, NULL) != 0)
        return -1;
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

/* What a terminal of so many columns shows; valid until the next call. */
static const char *shown(unsigned short columns, uint64_t done, uint64_t wanted)
{
    static char text[1024];
    const struct winsize size = {.ws_col = columns, .ws_row = 24};
    const struct pipeline_progress now = {
        .wanted = wanted, .done[STAGE_ENCODE] = done, .elapsed = 2};
    struct progress *progress;
    assert_int_equal(ioctl(STDERR_FILENO, TIOCSWINSZ, &size), 0);
    assert_ok(progress_open(&progress, false, NULL));
    progress_tick(progress, &now);
    const ssize_t length = read(terminal, text, sizeof text - 1);
    assert_true(length > 0);
    text[length] = '\0';
    assert_ok(progress_close(&progress, &now, "end"));
    assert_true(read(terminal, (char[1024]){0}, 1024) > 0); /* the line is cleared */
    return text;
}

static void the_bar_is_filled_by_what_is_done(void **state)
{
    (void)state;
    assert_non_null(strstr(shown(100, 0, 8), "[>          "));
    assert_non_null(strstr(shown(100, 4, 8), "==>  "));
    assert_non_null(strstr(shown(100, 8, 8), "==] 8/8 frames, 4.0 frames/s, 0:00 left"));
    assert_null(strchr(shown(40, 4, 8), '['));
    assert_int_equal(strlen(shown(40, 4, 8)), 39);
}

/* A film whose segments are all there. */
static void nothing_to_do_is_all_done(void **state)
{
    (void)state;
    assert_non_null(strstr(shown(100, 0, 0), "==] 0/0 frames, 0.0 frames/s"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_bar_is_filled_by_what_is_done),
        cmocka_unit_test(nothing_to_do_is_all_done),
    };
    return cmocka_run_group_tests(tests, open_terminal, close_terminal);
}
