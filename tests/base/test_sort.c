/* Doubles in ascending order. */
#include "tests/support/test.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
