/* Doubles in ascending order. */
#include "tests/support/test.h"

#include "base/sort.h"

#include <math.h>

TEST(doubles_are_in_order)
{
    double values[] = {3, -INFINITY, 0, 1e-300, -2, 3, INFINITY, -0.5};
    const size_t count = sizeof values / sizeof *values;
    sort_doubles(values, count);
    assert_true(values[0] == -INFINITY && values[1] == -2 && values[count - 1] == INFINITY);
    for (size_t i = 1; i < count; i++)
        assert_true(values[i - 1] <= values[i]);
    sort_doubles(NULL, 0);
}

/* Rows with the same first number keep their order. */
TEST(rows_are_in_order)
{
    enum { ROWS = 1000 };
    double rows[ROWS][2];
    for (int count = 0; count <= ROWS; count += count < 70 ? 1 : ROWS - count) {
        for (int i = 0; i < count; i++) {
            rows[i][0] = i * 7919 % 101 % (count / 2 + 1) - 10;
            rows[i][1] = i;
        }
        sort_rows(rows, (size_t)count);
        for (int i = 1; i < count; i++) {
            assert_true(rows[i - 1][0] <= rows[i][0]);
            assert_true(rows[i - 1][0] < rows[i][0] || rows[i - 1][1] < rows[i][1]);
        }
        if (count == ROWS)
            break;
    }
    sort_rows(NULL, 0);
    double zeros[2][2] = {{0, 1}, {-0.0, 2}};
    sort_rows(zeros, 2);
    assert_true(zeros[0][1] == 2);
}

TESTS(NULL, NULL)
