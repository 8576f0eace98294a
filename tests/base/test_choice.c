#include "tests/support/test.h"

#include "base/choice.h"

struct fruit {
    const char *name, *doc;
    int seeds;
};

static const struct fruit fruits[] = {{"apple", "round", 5}, {"banana", "bent", 0}, {0}};
static const struct fruit *const list[] = {&fruits[1], &fruits[0], NULL};
static const struct registry of_structs = REGISTRY_OF("fruit", fruits);
static const struct registry of_pointers = REGISTRY_LIST("fruit", list);
static const struct registry or_auto = {"fruit", 2, fruits, sizeof fruits[0], NULL, true};

TEST(entries_are_found_in_order)
{
    const struct fruit *first = choice_at(&of_structs, 0);
    assert_int_equal(first->seeds, 5);
    assert_ptr_equal(choice_at(&of_pointers, 0), &fruits[1]);
    assert_null(choice_at(&of_structs, 2));
    assert_null(choice_at(&of_pointers, 2));
    assert_null(choice_at(&of_structs, 1000));
    assert_ptr_equal(choice_find(&of_structs, "banana"), &fruits[1]);
    assert_ptr_equal(choice_find(&of_pointers, "apple"), &fruits[0]);
    assert_null(choice_find(&of_structs, ""));
}

TEST(names_are_listed)
{
    char names[64], little[8];
    choice_names(&of_structs, names, sizeof names);
    assert_string_equal(names, "apple, banana");
    choice_names(&of_pointers, little, sizeof little);
    assert_string_equal(little, "...");
    char more[12], all[14];
    choice_names(&of_pointers, more, sizeof more);
    assert_string_equal(more, "banana, ...");
    choice_names(&of_pointers, all, sizeof all);
    assert_string_equal(all, "banana, apple");
}

TEST(a_typo_is_told)
{
    const struct choice *found;
    assert_ok(choice_require(&of_structs, "apple", &found));
    assert_ptr_equal(found, &fruits[0]);
    assert_fails(choice_require(&of_structs, "aple", &found), STATUS_USAGE, "aple mean apple");
    assert_null(found);
    assert_fails(choice_require(&of_pointers, "x", &found), STATUS_USAGE, "fruit x banana apple");
    assert_fails(choice_require(&or_auto, "x", &found), STATUS_USAGE, "auto apple banana");
}

TESTS(NULL, NULL)
