/* The outcome of a test program. Part of test.h. A function that cannot run here prints what is
 * missing and is skipped. A program whose functions were all skipped ends with OUTCOME_SKIPPED,
 * which ctest shows as "Skipped"; if some were, ctest's summary has a label that says which and
 * why. */
#pragma once

#include <stddef.h>

enum { OUTCOME_SKIPPED = 77 }; /* as SKIP_RETURN_CODE in tests/CMakeLists.txt */

/* scripts/test uses these to know what must not be missing on its machine. */
enum missing {
    MISSING_GPU,
    MISSING_DATA,      /* shared/data */
    MISSING_GL,        /* no GL context opens, or not the required one */
    MISSING_MOUNT,     /* the right to mount a small disk */
    MISSING_ENCODER,   /* in this build of libav */
    MISSING_FONT,      /* a font with certain letters */
    MISSING_TERMINAL,  /* no pseudo-terminal */
    MISSING_SOURCE,    /* the source tree */
    MISSING_ALLOCATOR, /* AddressSanitizer keeps memory and forbids limits */
    MISSING_COUNT
};

/* Ends the running test function, after a line "skipped: WHAT: WHY". */
_Noreturn void outcome_skip(enum missing missing, const char *why);

/* TEST(name) { ... } is a test function, which joins the program's list; they run in the order of
 * their lines. TESTS(set_up, tear_down), with functions for the whole group or NULL, is the main
 * function that runs them; TESTS_EACH(set_up, tear_down) calls those for each test. */
#define TEST(name)                                                                                 \
    static void name(void **state);                                                                \
    static __attribute__((constructor)) void name##_joins(void)                                    \
    {                                                                                              \
        test_joins(#name, name, __LINE__);                                                         \
    }                                                                                              \
    static void name(__attribute__((unused)) void **state)
#define TESTS(set_up, tear_down)                                                                   \
    int main(void)                                                                                 \
    {                                                                                              \
        return tests_run(__FILE__, set_up, tear_down);                                             \
    }
#define TESTS_EACH(set_up, tear_down)                                                              \
    int main(void)                                                                                 \
    {                                                                                              \
        return tests_run_each(__FILE__, set_up, tear_down);                                        \
    }

void test_joins(const char *name, void (*function)(void **state), int line);

/* Runs the list, for a main function of one's own. The exit code is that of outcome_of(). */
int tests_run(const char *file, int (*set_up)(void **state), int (*tear_down)(void **state));

int tests_run_each(const char *file, int (*set_up)(void **state), int (*tear_down)(void **state));

/* The exit code of a group of `functions`, of which `failed` failed. */
int outcome_of(const char *file, size_t functions, int failed);
