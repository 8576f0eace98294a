#include "tests/support/test.h"

#include "base/memory.h"

#include <sys/resource.h>
#include <sys/wait.h>

TEST(the_first_failure_wins)
{
    struct failure failure = {0};
    assert_int_equal(failure_report(&failure), STATUS_OK);
    assert_false(failure_keep(&failure, STATUS_OK));
    assert_true(failure_keep(&failure, status_fail(STATUS_STOPPED, "stopped")));
    assert_true(failure_keep(&failure, status_fail(STATUS_IO, "the disk is full")));
    assert_false(failure_keep(&failure, status_fail(STATUS_RUNTIME, "later")));
    assert_false(failure_keep(&failure, status_fail(STATUS_STOPPED, "later still")));
    assert_fails(failure_report(&failure), STATUS_IO, "disk");
}

/* Exit code of a child process that exceeds its memory limit. */
static int exit_code_without_memory(void)
{
    pid_t child = fork();
    if (child == 0) {
        struct rlimit limit = {(rlim_t)1 << 20, (rlim_t)1 << 20};
        if (!freopen("/dev/null", "w", stderr) || setrlimit(RLIMIT_AS, &limit) != 0)
            _Exit(99);
        free(memory_new((size_t)1 << 40, 8));
        _Exit(98);
    }
    int result;
    assert_int_equal(waitpid(child, &result, 0), child);
    return WIFEXITED(result) ? WEXITSTATUS(result) : -1;
}

TEST(without_memory_the_program_ends)
{
#ifndef __SANITIZE_ADDRESS__
    assert_int_equal(exit_code_without_memory(), STATUS_RUNTIME);
#else
    (void)exit_code_without_memory;
    outcome_skip(MISSING_ALLOCATOR, "nothing can be asked for in vain");
#endif
    char *text = memory_text("a");
    char *none = memory_new(0, 0);
    assert_non_null(none);
    text = memory_grow(text, 2, 1);
    assert_string_equal(text, "a");
    free(text);
    free(none);
}

TESTS(NULL, NULL)
