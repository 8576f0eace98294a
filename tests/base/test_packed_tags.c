/* Several tags packed into one and unpacked; other tags stay. */
#include "tests/support/test.h"

#include "base/tag.h"

#include <stdlib.h>
#include <string.h>

TEST(tags_come_back)
{
    static const char *const values[] = {
        "", "plain", "two\nlines\n", "\"quoted\" \\ back\\n", "tab\tbell\a", "M\xc3\xbcller {},:"};
    enum { COUNT = sizeof values / sizeof values[0] };
    struct tags tags = {0};
    tags_add(&tags, "title", "A film");
    for (int i = 0; i < COUNT; i++) {
        char name[40];
        snprintf(name, sizeof name, "gravreel_%d", i);
        tags_add(&tags, name, values[i]);
    }
    tags_add(&tags, "comment", "B");
    tags_pack(&tags);
    assert_int_equal(tags.count, 3);
    assert_null(strchr(tags_find(&tags, "gravreel"), '\n'));
    assert_null(tags_find(&tags, "gravreel_1"));
    assert_string_equal(tags_find(&tags, "comment"), "B");
    tags_unpack(&tags);
    assert_int_equal(tags.count, COUNT + 2);
    for (int i = 0; i < COUNT; i++) {
        char name[40];
        snprintf(name, sizeof name, "gravreel_%d", i);
        assert_string_equal(tags_find(&tags, name), values[i]);
    }
    assert_null(tags_find(&tags, "gravreel"));
    tags_free(&tags);
}

TEST(nothing_is_not_packed)
{
    struct tags tags = {0};
    tags_add(&tags, "title", "A film");
    tags_pack(&tags);
    assert_int_equal(tags.count, 1);
    tags_unpack(&tags);
    assert_int_equal(tags.count, 1);
    tags_free(&tags);
}

/* Matroska's capitals; a tag beside the packed ones is newer than they are. */
TEST(names_that_are_there_stay)
{
    struct tags packed = {0}, tags = {0};
    tags_add(&packed, "gravreel_seed", "1");
    tags_add(&packed, "gravreel_hash", "a");
    tags_pack(&packed);
    tags_add(&tags, "GRAVREEL", packed.list[0].value);
    tags_add(&tags, "GRAVREEL_SEED", "2");
    tags_free(&packed);
    tags_unpack(&tags);
    assert_null(tags_damaged(&tags));
    assert_int_equal(tags.count, 2);
    assert_string_equal(tags_find(&tags, "gravreel_seed"), "2");
    assert_string_equal(tags_find(&tags, "gravreel_hash"), "a");
    tags_free(&tags);
}

TEST(what_is_no_object_stays)
{
    static const char *const texts[] = {
        "",
        "{",
        "{}",
        "{\"gravreel_a\"}",
        "{\"gravreel_a\":1}",
        "{\"gravreel_a\":\"1\"",
        "{\"gravreel_a\":\"1\"}x",
        "{\"gravreel_a\":\"1\",}",
        "{\"gravreel_a\":\"1",
        "{\"gravreel_a\":\"\\",
        "{\"gravreel_a\":\"\\u00",
        "{\"gravreel_a\":\"\\u0041\"}",
        "{\"gravreel_a\":\"\\u0000\"}",
        "{\"gravreel_a\":\"\\x\"}",
        "{\"title\":\"1\"}",
        "[\"gravreel_a\"]",
        "{\"gravreel_a\":\"1\"}",
        "{\"gravreel_a\":\"1\",\"gravreel_seal\":\"0123456789abcdef0123456789abcdef\"}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct tags tags = {0};
        tags_add(&tags, "gravreel", texts[i]);
        tags_unpack(&tags);
        if (tags.count != 1 || strcmp(tags.list[0].value, texts[i]) != 0)
            fail_msg("'%s' was unpacked", texts[i]);
        assert_string_equal(tags_damaged(&tags), "gravreel");
        tags_free(&tags);
    }
    char many[64 * 100] = "{";
    for (int i = 0; i < 70; i++)
        snprintf(many + strlen(many), 60, "%s\"gravreel_%d\":\"\"", i ? "," : "", i);
    strcat(many, "}");
    struct tags tags = {0};
    tags_add(&tags, "gravreel", many);
    tags_unpack(&tags);
    assert_int_equal(tags.count, 1);
    tags_free(&tags);
}

/* The longest name that is accepted, and one that is a byte longer. */
TEST(long_names)
{
    for (int length = 79; length <= 80; length++) {
        char name[96];
        struct tags tags = {0};
        snprintf(name, sizeof name, "gravreel_%0*d", length - 9, 1);
        assert_int_equal(strlen(name), length);
        tags_add(&tags, name, "value");
        tags_pack(&tags);
        tags_unpack(&tags);
        const char *found = tags_find(&tags, name);
        assert_true((found != NULL) == (length == 79));
        assert_true((tags_damaged(&tags) != NULL) == (length > 79));
        tags_free(&tags);
    }
}

/* Every flipped bit of the name or the value is detected. */
TEST(a_flipped_bit_is_damage)
{
    struct tags packed = {0};
    tags_add(&packed, "gravreel_scene", "bodies:\n  count: 10\n  seed: 1\n");
    tags_add(&packed, "gravreel_scene_hash", "0123456789abcdef");
    tags_add(&packed, "gravreel_frames", "0..9 of 10");
    tags_pack(&packed);
    assert_int_equal(packed.count, 1);
    for (int of_value = 0; of_value < 2; of_value++) {
        const char *name = packed.list[0].name, *value = packed.list[0].value;
        const size_t bits = 8 * strlen(of_value ? value : name);
        for (size_t bit = 0; bit < bits; bit++) {
            char *texts[2] = {strdup(name), strdup(value)};
            texts[of_value][bit / 8] = (char)(texts[of_value][bit / 8] ^ 1 << bit % 8);
            struct tags tags = {0};
            tags_add(&tags, texts[0], texts[1]);
            tags_unpack(&tags);
            if (!tags_damaged(&tags) || tags_find(&tags, "gravreel_scene"))
                fail_msg("bit %zu of the %s was flipped without a word", bit,
                         of_value ? "value" : "name");
            tags_free(&tags);
            free(texts[0]);
            free(texts[1]);
        }
    }
    tags_free(&packed);
}

TESTS(NULL, NULL)
