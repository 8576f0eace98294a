/* Tags of a file: lists of any length. */
#include "tests/support/test.h"

#include "base/tag.h"

TEST(a_list_of_any_length)
{
    enum { MANY = 100 };
    struct tags tags = {0};
    assert_null(tags_find(&tags, "name 0"));
    for (int i = 0; i < MANY; i++) {
        char name[32], value[32];
        snprintf(name, sizeof name, "Name %d", i);
        snprintf(value, sizeof value, "value %d", i);
        tags_add(&tags, name, value); /* which copies both */
    }
    tags_add(&tags, "name 7", "the second of that name");
    assert_int_equal(tags.count, MANY + 1);
    for (int i = 0; i < MANY; i++) {
        char name[32], value[32];
        snprintf(name, sizeof name, "NAME %d", i);
        snprintf(value, sizeof value, "value %d", i);
        assert_string_equal(tags_find(&tags, name), value);
    }
    assert_null(tags_find(&tags, "name"));
    tags_free(&tags);
    assert_true(tags.count == 0 && !tags.list);
}

TESTS(NULL, NULL)
