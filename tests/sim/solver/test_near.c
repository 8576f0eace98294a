/* Views of the CPU solver with distances to neighbours. */
#include "tests/support/near_checks.h"
#include "tests/support/test.h"

#include <string.h>

static void copy(const struct view *view, const char *column, float *out)
{
    memcpy(out, view_values(view, column), view->count * sizeof *out);
}

static void near_in_views(void **state)
{
    (void)state;
    check_near_views("cpu", copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(near_in_views)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
