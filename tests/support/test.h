/* Included by every cmocka test before cmocka.h; also the place of test data. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/status.h"
#include "tests/support/outcome.h"
#include "tests/support/words.h"

#undef cmocka_run_group_tests
#define cmocka_run_group_tests(tests, set_up, tear_down)                                           \
    outcome_of(__FILE__, sizeof(tests) / sizeof *(tests),                                          \
               _cmocka_run_group_tests(#tests, tests, sizeof(tests) / sizeof *(tests), set_up,     \
                                       tear_down))

#undef skip /* says nothing of why: outcome_skip() */

/* Fails with the program's own message. */
#define assert_ok(call)                                                                            \
    do {                                                                                           \
        enum status status_ = (call);                                                              \
        if (status_ != STATUS_OK)                                                                  \
            fail_msg("%s: status %d, %s", #call, (int)status_, status_text());                     \
    } while (0)

/* Fails unless the call ends with `want` and one sentence that has the words of words.h. */
#define assert_fails(call, want, words)                                                            \
    do {                                                                                           \
        enum status status_ = (call);                                                              \
        if (status_ != (want))                                                                     \
            fail_msg("%s: status %d instead of %d", #call, (int)status_, (int)(want));             \
        assert_sentence(status_text(), words);                                                     \
    } while (0)

/* Fails unless `found` is within the tolerance of what is wanted. */
static inline void assert_about(double found, double wanted, double tolerance)
{
    if (!(found - wanted <= tolerance && wanted - found <= tolerance))
        fail_msg("%.12g is not %.12g within %g", found, wanted, tolerance);
}

/* Whether the processor is emulated, so that a test of minutes takes a smaller case:
 * scripts/test-arm sets $GRAVREEL_TEST_EMULATED. */
static inline bool test_emulated(void)
{
    return getenv("GRAVREEL_TEST_EMULATED") != NULL;
}

/* Path of a file of the real data: $GRAVREEL_TEST_DATA, else ../shared/data beside the source tree.
 * Skips the test when it is not there. Per-thread buffer. */
static inline const char *test_data(const char *name)
{
    static char path[4096];
    const char *folder = getenv("GRAVREEL_TEST_DATA"), *source = getenv("GRAVREEL_TEST_SOURCE");
    if (folder)
        snprintf(path, sizeof path, "%s/%s", folder, name);
    else
        snprintf(path, sizeof path, "%s/../shared/data/%s", source ? source : ".", name);
    if (access(path, R_OK) == 0)
        return path;
    outcome_skip(MISSING_DATA, path);
}
