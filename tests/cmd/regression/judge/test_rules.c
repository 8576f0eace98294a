/* The registry of rules: complete, in order, and without a way to loosen all rules at once. */
#include "tests/support/test.h"

#include "cmd/regression/judge/rules.h"

#include <math.h>
#include <string.h>

TEST(test_every_rule_is_complete)
{
    for (int i = 0; i < RULE_COUNT; i++) {
        const struct rule *rule = &rules[i];
        assert_ptr_equal(choice_at(&rule_registry, (size_t)i), rule);
        assert_non_null(rule->name);
        assert_ptr_equal(choice_find(&rule_registry, rule->name), rule);
        assert_true(rule->doc && rule->doc[0] && rule->unit && rule->because && rule->because[0]);
        assert_true(rule->doc[strlen(rule->doc) - 1] != '.');
        assert_true(rule->warn >= 0 && rule->fail >= 0);
        assert_true(rule->stage >= 0 && rule->stage < JUDGED_COUNT);
        assert_true(rule->flags & RULE_IS_SETTING || rule->warn <= rule->fail ||
                    (isinf(rule->warn) && isfinite(rule->fail)));
    }
}

/* "picture.star" belongs to the stage picture, as do sequences of pictures; rules for a single film
 * are named film, in any stage. */
TEST(test_names_say_the_stage)
{
    for (int i = 0; i < RULE_COUNT; i++) {
        const char *name = rules[i].name, *stage = judged_name(rules[i].stage);
        const size_t length = strcspn(name, ".");
        const bool sequence = strncmp(name, "sequence.", 9) == 0;
        assert_true(name[length] == '.');
        if (strncmp(name, "film.", 5) == 0)
            continue;
        if (sequence)
            assert_int_equal(rules[i].stage, JUDGED_PICTURE);
        else if (strlen(stage) != length || strncmp(name, stage, length) != 0)
            fail_msg("%s is of the stage %s", name, stage);
    }
}

TEST(test_stages_are_in_order)
{
    static const char *const names[] = {"scene",   "start",   "physics",  "light",
                                        "picture", "packets", "container"};
    (void)state;
    for (size_t i = 0; i < JUDGED_COUNT; i++) {
        const struct choice *stage = choice_at(&judged_registry, i);
        assert_string_equal(stage->name, names[i]);
        assert_string_equal(judged_name((enum judged)i), names[i]);
    }
    assert_null(choice_at(&judged_registry, JUDGED_COUNT));
}

/* The limits on structure and bits. */
TEST(test_exact_rules_allow_nothing)
{
    static const enum rule_name exact[] = {
        RULE_SCENE_KEYS,       RULE_START_BITS,
        RULE_START_BODIES,     RULE_PHYSICS_BITS,
        RULE_PHYSICS_TIMES,    RULE_LIGHT_BITS,
        RULE_LIGHT_BROKEN,     RULE_PICTURE_SIZE,
        RULE_PICTURE_BITS,     RULE_PICTURE_BROKEN,
        RULE_SEQUENCE_COUNT,   RULE_SEQUENCE_ORDER,
        RULE_SEQUENCE_FAILED,  RULE_PACKETS_BITS,
        RULE_PACKETS_DECODED,  RULE_PACKETS_KEYS,
        RULE_CONTAINER_FIELDS, RULE_CONTAINER_TIMES,
        RULE_CONTAINER_FRAMES, RULE_PICTURE_UNPAIRED_STARS,
    };
    (void)state;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++)
        assert_true(rules[exact[i]].fail == 0 && rules[exact[i]].warn == 0);
}

TESTS(NULL, NULL)
