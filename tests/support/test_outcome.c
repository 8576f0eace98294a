/* This program runs itself: with a word it is a program of which everything, something or nothing
 * is skipped. */
#include "tests/support/test.h"

#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>

static void passes(void **state)
{
    (void)state;
}

static void is_skipped(void **state)
{
    (void)state;
    outcome_skip(MISSING_GL, "made up\nwith a second line");
}

static void fails(void **state)
{
    (void)state;
    fail();
}

static int example(const char *word)
{
    const struct CMUnitTest all[] = {cmocka_unit_test(is_skipped), cmocka_unit_test(is_skipped)};
    const struct CMUnitTest some[] = {cmocka_unit_test(is_skipped), cmocka_unit_test(passes)};
    const struct CMUnitTest broken[] = {cmocka_unit_test(is_skipped), cmocka_unit_test(fails)};
    const struct CMUnitTest none[] = {cmocka_unit_test(passes)};
    return strcmp(word, "all") == 0      ? cmocka_run_group_tests(all, NULL, NULL)
           : strcmp(word, "some") == 0   ? cmocka_run_group_tests(some, NULL, NULL)
           : strcmp(word, "broken") == 0 ? cmocka_run_group_tests(broken, NULL, NULL)
                                         : cmocka_run_group_tests(none, NULL, NULL);
}

static void skips_are_told(void **state)
{
    (void)state;
    static const char reason[] = "skipped: no GL: made up\n";
    static const char label[] = "<CTestLabel>test_outcome skipped 1 of 2: no GL</CTestLabel>\n";
    static const struct {
        const char *word;
        int code;
        bool skips, labelled;
    } cases[] = {{"all", OUTCOME_SKIPPED, true, false},
                 {"some", 0, true, true},
                 {"broken", 1, true, false},
                 {"none", 0, false, false}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[64], said[4096];
        snprintf(command, sizeof command, "/proc/%d/exe %s 2>&1", (int)getpid(), cases[i].word);
        FILE *pipe = popen(command, "r");
        assert_non_null(pipe);
        said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
        const int status = pclose(pipe);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), cases[i].code);
        assert_int_equal(strstr(said, reason) != NULL, cases[i].skips);
        assert_int_equal(strstr(said, label) != NULL, cases[i].labelled);
    }
}

int main(int count, char **words)
{
    if (count > 1)
        return example(words[1]);
    const struct CMUnitTest tests[] = {cmocka_unit_test(skips_are_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
