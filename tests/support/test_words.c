/* Words are found whole, in any order. */
#include "tests/support/test.h"

static void words_are_whole(void **state)
{
    (void)state;
    static const char text[] = "look.size is -1.5 in 'a b.yaml': give 0..12 or --width 3";
    assert_true(has_words(text, "12 look.size 'a b.yaml' --width 3 -1.5 0"));
    assert_true(has_words(text, "") && has_words("", ""));
    static const char *const missing[] = {"1",     "5",   "2",     "wid",   "siz",
                                          "b.yam", "1.5", "'b a'", "size 4"};
    for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
        if (has_words(text, missing[i]))
            fail_msg("'%s' is found in '%s'", missing[i], text);
    assert_sentence("GL does not open", "GL");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(words_are_whole)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
