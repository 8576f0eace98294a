#include "tests/support/test.h"

#include "tests/support/programs/terminal.h"

#include <pty.h>
#include <sys/ioctl.h>

static int terminal, standard_error;

int terminal_open(void **state)
{
    (void)state;
    int end;
    const struct winsize size = {.ws_col = 80, .ws_row = 24};
    setenv("TERM", "xterm", 1);
    if (openpty(&terminal, &end, NULL, NULL, &size) != 0)
        return -1;
    standard_error = dup(STDERR_FILENO);
    dup2(end, STDERR_FILENO);
    return close(end);
}

int terminal_close(void **state)
{
    (void)state;
    dup2(standard_error, STDERR_FILENO);
    close(standard_error);
    return close(terminal);
}

void terminal_resize(unsigned short columns)
{
    const struct winsize size = {.ws_col = columns, .ws_row = 24};
    assert_int_equal(ioctl(STDERR_FILENO, TIOCSWINSZ, &size), 0);
}

/* What is written comes through some time later: behind a mark, all of it has. */
const char *terminal_shown(void)
{
    static const char mark = '\1';
    static char text[4096];
    size_t used = 0;
    assert_int_equal(write(STDERR_FILENO, &mark, 1), 1);
    do {
        const ssize_t length = read(terminal, text + used, sizeof text - used);
        assert_true(length > 0);
        used += (size_t)length;
    } while (text[used - 1] != mark);
    text[used - 1] = '\0';
    return text;
}
