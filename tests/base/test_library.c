#include "tests/support/test.h"

#include "base/machine.h"

#include <sys/wait.h>

#define COUNT(list) (sizeof(list) / sizeof *(list))

struct calls {
    double (*sqrt)(double);
    double (*hypot)(double, double);
};
static const char *const maths[] = {"libm.so.6"};
static const char *const names[] = {"sqrt", "hypot"};

TEST(functions_are_found)
{
    const struct library library = {"roots", maths, COUNT(maths), names, COUNT(names)};
    struct calls calls = {0};
    library_load(&library, &calls);
    assert_true(calls.sqrt(49) == 7);
    assert_true(calls.hypot(3, 4) == 5);
}

/* The code with which the process ends; `said` gets what it prints. */
static int end_of(const struct library *library, char *said, size_t size)
{
    int ends[2], how;
    struct calls calls;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        dup2(ends[1], STDERR_FILENO);
        library_load(library, &calls);
        _exit(0);
    }
    close(ends[1]);
    const ssize_t got = read(ends[0], said, size - 1);
    said[got > 0 ? got : 0] = '\0';
    close(ends[0]);
    assert_true(waitpid(child, &how, 0) == child);
    assert_true(WIFEXITED(how));
    return WEXITSTATUS(how);
}

TEST(what_is_missing_ends_the_process)
{
    static const char *const absent[] = {"libm.so.6", "libgravreel-absent.so.1"};
    static const char *const other[] = {"sqrt", "gravreel_absent"};
    const struct library files = {"roots", absent, COUNT(absent), names, COUNT(names)};
    const struct library functions = {"roots", maths, COUNT(maths), other, COUNT(other)};
    char said[1024];
    assert_int_equal(end_of(&files, said, sizeof said), STATUS_DEVICE);
    assert_says(said, "roots cannot be loaded libgravreel-absent.so.1 install");
    assert_int_equal(end_of(&functions, said, sizeof said), STATUS_DEVICE);
    assert_says(said, "roots cannot be loaded gravreel_absent install");
}

TESTS(NULL, NULL)
