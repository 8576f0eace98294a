/* Numbers in order. */
#include "tests/support/test.h"

#include "base/sort.h"

#include <math.h>

static void numbers_ascend(void **state)
{
    (void)state;
    double values[] = {3, -INFINITY, 1e-300, 3, INFINITY, -2, 0};
    const double sorted[] = {-INFINITY, -2, 0, 1e-300, 3, 3, INFINITY};
    sort_numbers(values, sizeof values / sizeof *values);
    assert_memory_equal(values, sorted, sizeof sorted);
    sort_numbers(values, 0);
    assert_memory_equal(values, sorted, sizeof sorted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_ascend)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
