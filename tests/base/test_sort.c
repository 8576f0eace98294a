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

/* Values with many equal ones, ascending, descending and mixed. */
static void ranks_are_those_of_sorting(void **state)
{
    (void)state;
    enum { MOST = 257 };
    double sorted[MOST], values[MOST];
    for (size_t count = 1; count <= MOST; count += count < 9 ? 1 : 31)
        for (int kind = 0; kind < 4; kind++)
            for (size_t rank = 0; rank < count; rank++) {
                for (size_t i = 0; i < count; i++)
                    sorted[i] = values[i] = kind == 0   ? (double)i
                                            : kind == 1 ? -(double)i
                                            : kind == 2 ? (double)(i * 7919 % 11)
                                                        : (double)(i * 7919 % 1009);
                sort_doubles(sorted, count);
                assert_true(double_of_rank(values, count, rank) == sorted[rank]);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(doubles_are_in_order),
        cmocka_unit_test(ranks_are_those_of_sorting),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
