/* The division of a film into ranges, and the useful number of them. */
#include "tests/support/test.h"

#include "cmd/film/farm/films.h"
#include "cmd/film/farm/gain.h"

static void ranges_begin_with_segments_and_cover_the_film(void **state)
{
    (void)state;
    for (uint64_t frames = 1; frames < 200; frames += 7)
        for (uint64_t segment = 1; segment < 40; segment += 5)
            for (uint64_t tasks = 1; tasks <= (frames + segment - 1) / segment; tasks++) {
                uint64_t next = 0;
                for (uint64_t i = 0; i < tasks; i++) {
                    const struct farm_range range = farm_range(frames, segment, tasks, i);
                    assert_int_equal(range.first, next);
                    assert_int_equal(range.first % segment, 0);
                    assert_true(range.last >= range.first);
                    next = range.last + 1;
                }
                assert_int_equal(next, frames);
            }
}

static void drawing_that_dominates_is_shared(void **state)
{
    (void)state;
    const struct farm_cost cost = {.simulate = 10, .whole = 1010, .start = 0};
    assert_float_equal(farm_seconds(&cost, 1), 1010, 1e-9);
    assert_float_equal(farm_seconds(&cost, 10), 9 + 101, 1e-9);
    assert_int_equal(farm_useful(&cost, 10), 10);
    assert_true(farm_useful(&cost, 10000) > 100);
}

static void a_simulation_that_dominates_is_not(void **state)
{
    (void)state;
    const struct farm_cost cost = {.simulate = 100, .whole = 100, .start = 1};
    assert_int_equal(farm_useful(&cost, 100), 1);
}

static void starts_limit_the_tasks(void **state)
{
    (void)state;
    const struct farm_cost cost = {.simulate = 10, .whole = 110, .start = 4};
    const size_t useful = farm_useful(&cost, 1000);
    assert_true(useful >= 3 && useful <= 5); /* the least time is that of sqrt(100 / 4) tasks */
    assert_true(farm_seconds(&cost, 1000) > farm_seconds(&cost, useful));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranges_begin_with_segments_and_cover_the_film),
        cmocka_unit_test(drawing_that_dominates_is_shared),
        cmocka_unit_test(a_simulation_that_dominates_is_not),
        cmocka_unit_test(starts_limit_the_tasks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
