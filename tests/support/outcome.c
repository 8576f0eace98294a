#include "tests/support/test.h"

#include "tests/support/outcome.h"

#include <string.h>

static const char *const names[MISSING_COUNT] = {
    [MISSING_GPU] = "no GPU",
    [MISSING_DATA] = "no test data",
    [MISSING_GL] = "no GL",
    [MISSING_MOUNT] = "no right to mount",
    [MISSING_ENCODER] = "no such encoder",
    [MISSING_FONT] = "no such font",
    [MISSING_TERMINAL] = "no pseudo-terminal",
    [MISSING_SOURCE] = "no source tree",
    [MISSING_ALLOCATOR] = "under AddressSanitizer",
};

static size_t skipped[MISSING_COUNT];

enum { TESTS_MOST = 128 };
static struct CMUnitTest list[TESTS_MOST];
static int lines[TESTS_MOST]; /* of list */
static size_t listed;

/* The compiler may call constructors in any order. */
void test_joins(const char *name, void (*function)(void **state), int line)
{
    size_t at = listed++;
    if (listed > TESTS_MOST)
        abort();
    for (; at > 0 && lines[at - 1] > line; at--) {
        list[at] = list[at - 1];
        lines[at] = lines[at - 1];
    }
    list[at] = (struct CMUnitTest){.name = name, .test_func = function};
    lines[at] = line;
}

int tests_run(const char *file, int (*set_up)(void **state), int (*tear_down)(void **state))
{
    return outcome_of(file, listed,
                      _cmocka_run_group_tests("tests", list, listed, set_up, tear_down));
}

int tests_run_each(const char *file, int (*set_up)(void **state), int (*tear_down)(void **state))
{
    for (size_t i = 0; i < listed; i++) {
        list[i].setup_func = set_up;
        list[i].teardown_func = tear_down;
    }
    return tests_run(file, NULL, NULL);
}

void outcome_skip(enum missing missing, const char *why)
{
    skipped[missing]++;
    print_message("skipped: %s: %.*s\n", names[missing], (int)strcspn(why, "\n"), why);
    _skip(__FILE__, __LINE__);
    abort();
}

static void label(const char *file, size_t functions)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    for (int m = 0; m < MISSING_COUNT; m++)
        if (skipped[m] > 0)
            print_message("<CTestLabel>%.*s skipped %zu of %zu: %s</CTestLabel>\n",
                          (int)strcspn(name, "."), name, skipped[m], functions, names[m]);
}

int outcome_of(const char *file, size_t functions, int failed)
{
    size_t sum = 0;
    for (int m = 0; m < MISSING_COUNT; m++)
        sum += skipped[m];
    if (failed != 0 || sum == 0)
        return failed;
    if (sum == functions)
        return OUTCOME_SKIPPED;
    label(file, functions);
    return 0;
}
