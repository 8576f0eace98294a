/* Output on stderr without a terminal. On a terminal: tests/cmd/cli/test_progress.c. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/log.h"
#include "tests/support/files/folder.h"

#include <fcntl.h>
#include <unistd.h>

static int kept;

static void begin(void)
{
    fflush(stderr);
    kept = dup(STDERR_FILENO);
    const int file = open(folder_path("said"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    assert_true(kept >= 0 && file >= 0 && dup2(file, STDERR_FILENO) >= 0);
    close(file);
}

static void assert_said(const char *want)
{
    char *said;
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    assert_ok(file_read(folder_path("said"), 1 << 16, &said, NULL));
    assert_string_equal(said, want);
    free(said);
}

TEST(messages_above_the_level_are_dropped)
{
    begin();
    log_set_level(LOG_WARNING);
    log_error("a %d", 1);
    log_warning("b");
    log_info("c");
    log_set_level(LOG_DEBUG);
    log_info("d");
    log_debug("e");
    log_set_level(LOG_INFO);
    log_debug("f");
    const bool terminal = log_is_terminal();
    assert_said("gravreel: a 1\ngravreel: warning: b\nd\ndebug: e\n");
    assert_false(terminal);
    assert_int_equal(log_get_level(), LOG_INFO);
}

TEST(a_warning_appears_once)
{
    begin();
    for (int i = 0; i < 4; i++) {
        log_warning("disk %d", i / 2);
        log_info_once("once");
        log_info("always");
    }
    assert_said("gravreel: warning: disk 0\nonce\nalways\nalways\n"
                "gravreel: warning: disk 1\nalways\nalways\n");
}

TEST(control_characters_are_shown)
{
    begin();
    log_info("'%s'", "a\033[2Jb\nc");
    log_info("two\n%s", "lines");
    assert_said("'a\\x1b[2Jb\\x0ac'\ntwo\nlines\n");
}

/* A pipe of packets keeps writes apart. */
TEST(a_message_is_one_write)
{
    int ends[2];
    char got[256];
    fflush(stderr);
    kept = dup(STDERR_FILENO);
    assert_int_equal(pipe2(ends, O_DIRECT), 0);
    assert_true(kept >= 0 && dup2(ends[1], STDERR_FILENO) >= 0);
    log_warning("\x1b of two processes");
    dup2(kept, STDERR_FILENO);
    close(kept);
    const ssize_t bytes = read(ends[0], got, sizeof got - 1);
    close(ends[0]);
    close(ends[1]);
    assert_true(bytes > 0);
    got[bytes] = '\0';
    assert_string_equal(got, "gravreel: warning: \\x1b of two processes\n");
}

TEST(levels_have_names)
{
    static const char *const names[] = {"error", "warning", "info", "debug"};
    enum log_level level;
    for (int i = LOG_ERROR; i <= LOG_DEBUG; i++) {
        assert_true(log_level_from_name(names[i], &level));
        assert_int_equal(level, i);
    }
    assert_false(log_level_from_name("Info", &level));
    assert_false(log_level_from_name("", &level));
}

TESTS(folder_set_up, folder_tear_down)
