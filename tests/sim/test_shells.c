/* Spheres that hold a part of the bodies. */
#include "tests/support/test.h"

#include "sim/diagnostics.h"

static void the_radius_is_that_of_the_shell_that_completes_the_weight(void **state)
{
    (void)state;
    struct shell shells[] = {{3, 1}, {1, 2}, {2, 0}, {4, 1}};
    const size_t count = sizeof shells / sizeof *shells;
    assert_true(shells_radius(shells, count, 2) == 1);
    assert_true(shells_radius(shells, count, 2.5) == 3);
    assert_true(shells_radius(shells, count, 4) == 4);
    for (size_t k = 0; k < count; k++)
        assert_true(shells[k].distance == (double)k + 1);
}

static void edges(void **state)
{
    (void)state;
    struct shell shells[] = {{2, 1}, {1, 1}};
    assert_true(shells_radius(shells, 2, 0) == 1);
    assert_true(shells_radius(shells, 2, 3) == 2); /* more than there is */
    assert_true(shells_radius(shells, 0, 1) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_radius_is_that_of_the_shell_that_completes_the_weight),
        cmocka_unit_test(edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
