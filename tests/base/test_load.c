/* The shares of the processors, and the message about them. */
#include "tests/support/test.h"

#include "base/machine.h"

#include <math.h>

TEST(parts_of_the_processors)
{
    const struct load before = {100, 1000, 10};
    static const struct {
        struct load now;
        double others, idle;
    } rows[] = {{{110, 1020, 30}, 0, 0},   /* all of it ours */
                {{110, 1020, 20}, 0.5, 0}, /* half of two processors */
                {{110, 1010, 15}, 0.25, 0.5},
                {{110, 1090, 20}, 1, 0},     /* never more than the whole */
                {{100.1, 1000.2, 10}, 0, 1}, /* too short */
                {{110, 1000, 30}, 0, 1},     /* never below 0 */
                {{0, 0, 0}, 0, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct load_parts parts = load_between(before, rows[i].now, 2);
        assert_true(fabs(parts.others - rows[i].others) < 1e-12);
        assert_true(fabs(parts.idle - rows[i].idle) < 1e-12);
    }
    assert_true(load_between((struct load){0}, rows[1].now, 2).others == 0);
    assert_true(load_between(before, rows[1].now, 0).others == 0);
}

TEST(busy_is_what_takes_our_share)
{
    char text[80] = "x";
    static const struct {
        struct load_parts parts;
        bool busy;
    } rows[] = {{{0.5, 0}, true},    {{0.1, 0.09}, true}, {{0.09, 0}, false},
                {{0.5, 0.2}, false}, /* there is room for both */
                {{0, 1}, false},     {{NAN, 0}, false},   {{0.5, NAN}, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(load_is_busy(rows[i].parts), rows[i].busy);
    load_describe((struct load_parts){0.484, 0.01}, text, sizeof text);
    assert_string_equal(text, "the machine is busy: others use 48 % of its processors");
    load_describe((struct load_parts){0.05, 0.01}, text, sizeof text);
    assert_string_equal(text, "");
}

TEST(this_machine)
{
    double all, own, all_later, own_later;
    if (machine_usage(&all, &own)) {
        assert_true(machine_usage(&all_later, &own_later));
        assert_true(all_later >= all && own_later >= own && own > 0);
    }
    const struct load now = load_now();
    assert_true(now.all >= 0 && now.own >= 0);
    assert_true(load_since(now).others == 0); /* too short */
    if (now.all > 64) { /* as if other programs had used everything since the start, in a moment */
        const struct load before = {now.clock - 0.6, 1e-3, now.own};
        assert_true(load_since(before).others == 1 && load_is_busy(load_since(before)));
    }
}

TESTS(NULL, NULL)
