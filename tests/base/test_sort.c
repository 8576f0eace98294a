/* Doubles in ascending order. */
#include "tests/support/test.h"

#include "base/random.h"
#include "base/sort.h"

#include <math.h>

static void doubles_are_in_order(void **state)
{
    (void)state;
    double values[] = {3, -INFINITY, 0, 1e-300, -2, 3, INFINITY, -0.5};
    const size_t count = sizeof values / sizeof *values;
    sort_doubles(values, count);
    assert_true(values[0] == -INFINITY && values[1] == -2 && values[count - 1] == INFINITY);
    for (size_t i = 1; i < count; i++)
        assert_true(values[i - 1] <= values[i]);
    sort_doubles(NULL, 0);
}

/* Each place of few and many values, with many and few that are equal. */
static void selection_is_sorting(void **state)
{
    (void)state;
    double sorted[100], values[100];
    uint64_t seed = 5;
    for (size_t count = 1; count <= 100; count++)
        for (size_t place = 0; place < count; place++) {
            for (size_t i = 0; i < count; i++) {
                seed += SPLITMIX_STEP;
                sorted[i] = values[i] = (double)(splitmix64(seed) % (place % 2 ? 4 : 1000));
            }
            sort_doubles(sorted, count);
            assert_true(sort_select(values, count, place) == sorted[place]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_in_order),
        cmocka_unit_test(selection_is_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
