#include "tests/support/test.h"

#include "base/text.h"

#include <string.h>

static void lists_are_separated_and_cut_off(void **state)
{
    (void)state;
    char list[8] = "";
    text_list(list, sizeof list, "one");
    assert_string_equal(list, "one");
    text_list(list, sizeof list, "two");
    assert_string_equal(list, "one, tw");
    text_list(list, sizeof list, "three");
    assert_string_equal(list, "one, tw");
}

static void formats_into_new_memory(void **state)
{
    (void)state;
    char *text = text_format("%s/%d", "frames", 7);
    assert_string_equal(text, "frames/7");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_separated_and_cut_off),
        cmocka_unit_test(formats_into_new_memory),
    };
    return cmocka_run_group_tests_name("text", tests, NULL, NULL);
}
