/* Temporary folders are removed with their content, also by the next run if theirs was killed. */
#include "tests/support/test.h"

#include "base/file.h"
#include "base/part.h"
#include "base/text.h"
#include "tests/support/films/sink_fixture.h"

#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void make(const char *folder, const char *name)
{
    char *path = text_format("%s/%s/deeper", folder, name);
    assert_ok(file_make_folder(path));
    char *file = text_format("%s/film.mp4", path);
    assert_ok(file_write(file, "film", 4));
    free(file);
    free(path);
}

TEST(a_folder_goes_with_its_contents)
{
    struct temporary one, other;
    assert_int_equal(setenv("TMPDIR", *state, 1), 0);
    assert_ok(temporary_open(&one));
    assert_ok(temporary_open(&other));
    assert_string_not_equal(one.folder, other.folder);
    assert_true(file_is_inside(one.folder, *state));
    make(one.folder, "x");
    temporary_close(&one);
    assert_string_equal(one.folder, "");
    temporary_close(&one);
    assert_true(file_exists(other.folder));
    temporary_close(&other);
    assert_int_equal(fixture_count_files(*state), 0);
    assert_int_equal(setenv("TMPDIR", "/proc/none", 1), 0);
    assert_fails(temporary_open(&one), STATUS_IO, "temporary folder");
    assert_string_equal(one.folder, "");
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

/* The folder of a killed run is removed; that of a running one, and everything that is not ours,
 * stays. */
TEST(what_killed_runs_left)
{
    static const char *const others[] = {"gravreel-abcdef", "gravreel-temporary-abcdefg",
                                         "gravreel-temporary-", "mine"};
    struct temporary one;
    char killed[sizeof one.folder] = "";
    int pipes[2];
    assert_int_equal(setenv("TMPDIR", *state, 1), 0);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        make(*state, others[i]);
    assert_int_equal(symlink("mine", fixture_path(*state, "gravreel-temporary-linked")), 0);
    assert_ok(temporary_open(&one));
    assert_int_equal(pipe(pipes), 0);
    const pid_t child = fork();
    if (child == 0) {
        struct temporary own;
        prctl(PR_SET_PDEATHSIG, SIGKILL); /* so that a failing test still ends */
        close(one.lock);                  /* which the child process holds as well */
        _exit(temporary_open(&own) == STATUS_OK &&
                      write(pipes[1], own.folder, sizeof own.folder) == sizeof own.folder &&
                      pause() == 0
                  ? 0
                  : 1);
    }
    assert_int_equal(read(pipes[0], killed, sizeof killed), sizeof killed);
    make(killed, "x");
    temporary_sweep();
    assert_true(file_exists(killed) && file_exists(one.folder));
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_true(file_exists(killed));
    temporary_sweep();
    assert_false(file_exists(killed));
    assert_true(file_exists(one.folder));
    temporary_close(&one);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *path = text_format("%s/%s/deeper/film.mp4", (char *)*state, others[i]);
        assert_true(file_exists(path));
        free(path);
    }
    assert_true(file_is_link(fixture_path(*state, "gravreel-temporary-linked")));
    close(pipes[0]);
    close(pipes[1]);
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

TESTS_EACH(fixture_setup, fixture_teardown)
